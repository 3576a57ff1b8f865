import SystemCalls

/// What a command line asks of the worker.
struct SyncPlan: Sendable {
    /// On the clock that counts suspension; nil: each transfer's own limits are the end.
    let endsAtNanoseconds: Int64?
    let limit: Int?
    /// A run waits for a random part of it before it begins, so that many machines do not come at once.
    let splayMilliseconds: Int64
    /// nil: as the ledger's settings say.
    let pageAfterMilliseconds: Int64?
    let isCron: Bool
    let isWatch: Bool
    let pattern: String?

    init(_ invocation: Invocation) throws {
        for (first, second) in [
            ("watch", "cron"), ("watch", "dry-run"), ("watch", "all-ledgers"), ("watch", "limit"), ("watch", "deadline"),
            ("watch", "splay"), ("dry-run", "cron"), ("dry-run", "all-ledgers"), ("all-ledgers", "ledger"),
        ] where invocation.has(first) && invocation.has(second) {
            throw Complaint.usage("--\(first) and --\(second) were both given.", remedy: "Keep one of them.")
        }
        let deadline = try invocation.seconds("deadline")
        endsAtNanoseconds = deadline.map { invocation.startedNanoseconds + $0 * 1_000_000 }
        limit = try invocation.integer("limit", in: 1...1_000_000).map { Int($0) }
        splayMilliseconds = try invocation.seconds("splay") ?? 0
        pageAfterMilliseconds = try invocation.seconds("page-after")
        isCron = invocation.has("cron")
        isWatch = invocation.has("watch")
        pattern = invocation.text("all-ledgers")
    }

    /// Until the deadline; never negative.
    var millisecondsLeft: Int64? {
        endsAtNanoseconds.map { max(0, $0 - SystemClock.boottimeNanoseconds()) / 1_000_000 }
    }

    /// Lets the splay pass. A request to end and the deadline cut it short.
    func waitForSplay() {
        guard splayMilliseconds > 0 else { return }
        let splay = Int64.random(in: 0..<splayMilliseconds)
        let wait = min(splay, millisecondsLeft ?? .max)
        let end = SystemClock.boottimeNanoseconds() + wait * 1_000_000
        while TerminationSignals.count == 0 {
            let left = (end - SystemClock.boottimeNanoseconds()) / 1_000_000
            if left <= 0 { return }
            TerminationSignals.wait(milliseconds: left)
        }
    }
}
