import CaptureLedger
import CaptureLedgerSync
import SessionDomain
import Sync
import SystemCalls

extension Verb {
    static let sync = Verb(
        path: ["sync"], summary: "Deliver what is confirmed and due, then stop.",
        details: "The first SIGTERM finishes what is under way, the second aborts it; neither loses anything.",
        options: [
            .value("deadline", "SECONDS", "stop then, whatever is under way"), .value("limit", "N", "begin this many at most"),
            .flag("watch", "go on until interrupted"), .flag("dry-run", "say what would be sent, and send nothing"),
            .flag("cron", "be silent and end with 0 unless a person is needed"),
            .value("page-after", "SECONDS", "with --cron: how long something may wait before a person is needed (7200)"),
        ],
        examples: ["capture-ledger sync", "capture-ledger sync --cron --deadline 50", "capture-ledger sync --watch"],
        exits: [.notFound, .allPaused, .inputOutput, .workLeft, .notPermitted],
        run: { invocation, console in
            var options = SyncOptions()
            options.deadlineMilliseconds = try invocation.seconds("deadline")
            options.limit = try invocation.integer("limit", in: 1...1_000_000).map { Int($0) }
            let pageAfter = try invocation.seconds("page-after") ?? 7_200_000
            if invocation.has("dry-run") { return try dryRun(try invocation.openForReading(), console) }
            TerminationSignals.watch()
            let ledger = try invocation.openLedger()
            if invocation.has("watch") { return try await watch(ledger, options, console) }
            switch try run(ledger, options, console) {
            case .anotherRunWorks:
                if invocation.has("cron") { return .done }
                throw Complaint(
                    "another_run_works", "Another run delivers from this ledger already.",
                    remedy: "Wait for it to end, or let it work.",
                    exit: .workLeft)
            case .finished(let report):
                if invocation.has("cron") { return try page(report, ledger, pageAfter, console) }
                try console.result(report.json, report.words)
                return report.exit
            }
        })

    private static func run(_ ledger: Ledger, _ options: SyncOptions, _ console: Console) throws -> SyncResult {
        try ledger.synchronizeAndWait(
            options, stop: { [.none, .finish][safe: TerminationSignals.count] ?? .abort },
            observe: { $0.log(to: console.logger) })
    }

    /// Silent while things merely wait; speaks when nothing moved for long, or when only a person lifts a pause.
    private static func page(
        _ report: SyncReport, _ ledger: Ledger, _ pageAfter: Int64, _ console: Console
    ) throws -> ExitCode {
        let waited = report.oldestConfirmedAtMilliseconds.map { SystemClock.realtimeMilliseconds() - $0 } ?? 0
        let stuck = try ledger.pauses().contains { $0.pause.probeAtMilliseconds == nil }
        guard report.left > 0, stuck || (waited > pageAfter && report.delivered == 0) else { return .done }
        try console.result(report.json, report.words + "\nThe oldest has waited for \(Words.duration(waited)).")
        return report.exit == .done ? .workLeft : report.exit
    }

    private static func watch(_ ledger: Ledger, _ options: SyncOptions, _ console: Console) async throws -> ExitCode {
        var options = options
        options.patienceMilliseconds = 1_000
        while TerminationSignals.count == 0 {
            if case .finished(let report) = try run(ledger, options, console), report.delivered + report.parked > 0 {
                try console.result(report.json, report.words)
            }
            for _ in 0..<10 where TerminationSignals.count == 0 { try await Task.sleep(for: .milliseconds(100)) }
        }
        return .done
    }

    private static func dryRun(_ ledger: Ledger, _ console: Console) throws -> ExitCode {
        let now = SystemClock.realtimeMilliseconds()
        let rows = try ledger.allDeliveries().filter { $0.status == .waiting }
        let due = rows.filter { $0.blocked == nil && ($0.nextAttemptAtMilliseconds ?? 0) <= now }
        try console.result(
            ["would_send": .array(due.map(\.json)), "left": .whole(rows.count)],
            due.isEmpty
                ? "Nothing is due. \(Words.count(rows.count, "delivery", "deliveries")) waiting."
                : "Would send:\n" + Words.table(due.map { $0.row(now: now) }))
        return rows.isEmpty ? .done : .workLeft
    }
}

extension SyncReport {
    var json: JSONValue {
        [
            "delivered": .whole(delivered), "verified": .whole(verified), "rejected": .whole(rejected),
            "retrying": .whole(retrying), "parked": .whole(parked), "left": .whole(left),
            "paused": .array(paused.map { .string($0.text) }),
        ]
    }

    var words: String {
        var parts = [
            delivered == 0 ? "Nothing was delivered." : "Delivered \(delivered): \(verified) verified, \(rejected) rejected."
        ]
        if retrying > 0 { parts.append("To be tried again: \(retrying).") }
        if parked > 0 { parts.append("Parked: \(parked); see capture-ledger sync list --status parked.") }
        parts.append(left == 0 ? "Nothing is left." : "Left: \(left).")
        if !paused.isEmpty { parts.append("Paused: \(paused.map(\.text).joined(separator: ", ")).") }
        return parts.joined(separator: " ")
    }

    var exit: ExitCode {
        switch verdict {
        case .drained: .done
        case .workLeft: .workLeft
        case .everyDestinationPaused: .allPaused
        }
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
