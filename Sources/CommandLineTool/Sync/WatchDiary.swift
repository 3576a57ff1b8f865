import SessionDomain
import Sync
import SystemCalls

/// What a daemon has to say, a line a minute at most.
struct WatchDiary {
    private static let minute: Int64 = 60_000_000_000

    private let console: Console
    /// Since the last line, and since the start.
    private var since = SyncReport()
    private var total = SyncReport()
    private var attention: [Attention] = []
    private var failure: Complaint?
    private var hasNews = false
    private var spokeAt: Int64?
    private var toldAt: Int64?

    init(_ console: Console) { self.console = console }

    mutating func note(_ round: Round) throws {
        if let report = round.report {
            since.add(report)
            total.add(report)
            if report.delivered + report.parked > 0 { hasNews = true }
        }
        var complaint: Complaint?
        if case .failed(let found) = round.outcome { complaint = found }
        if complaint != failure || round.attention.map(\.code) != attention.map(\.code) { hasNews = true }
        failure = complaint
        attention = round.attention
        let now = SystemClock.boottimeNanoseconds()
        if hasNews, spokeAt.map({ now - $0 >= Self.minute }) ?? true { try speak(now) }
    }

    /// Files for those who watch are written once a minute.
    mutating func isTellingDue(_ now: Int64) -> Bool {
        if let toldAt, now - toldAt < Self.minute { return false }
        toldAt = now
        return true
    }

    /// For `systemctl status`.
    func status(_ round: Round) -> String {
        if case .failed(let complaint) = round.outcome { return "Trying again: \(complaint.message)" }
        let needs = round.attention.map { "\($0.destination) \($0.message)" }
        return ([total.words] + needs).joined(separator: " ")
    }

    mutating func close() throws {
        if hasNews { try speak(SystemClock.boottimeNanoseconds()) }
    }

    private mutating func speak(_ now: Int64) throws {
        spokeAt = now
        hasNews = false
        defer {
            since.verified = 0
            since.rejected = 0
            since.parked = 0
        }
        let json = since.json.adding("needs", .array(attention.map { $0.json })).adding("error", failure.map { $0.json })
        let words =
            [failure.map(\.message), since.words].compactMap { $0 } + attention.map { "\($0.destination) \($0.message)." }
        do { try console.result(json, words.joined(separator: " ")) } catch let complaint as Complaint
            where complaint == StandardStreams.closed
        {}
    }
}

extension SyncReport {
    /// What was done adds up; what is left is as it was found last.
    fileprivate mutating func add(_ report: SyncReport) {
        verified += report.verified
        rejected += report.rejected
        parked += report.parked
        left = report.left
        retrying = report.retrying
        paused = report.paused
    }
}
