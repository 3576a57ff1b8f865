import EventStorage
import Outbox
import Projections
import SQLite
import SchemaFiles
import SessionDomain
import SystemCalls

/// Keeps one analytics.sqlite up to its ledger; the lock of its place is held for as long as this lives.
final class AnalyticsStore {
    /// Events of one transaction.
    static let page: Int64 = 50_000
    /// Behind by more than this, and by more than a quarter of the log, the file is made anew.
    private static let far: Int64 = 200_000

    let ledger: Ledger
    let place: AnalyticsPlace
    private let lock: FileLock
    /// How long other programs' queries are waited for before the file is changed beside.
    var patienceMilliseconds = 2_000

    /// - Parameter waits: for another process that is at it; else nil then.
    init?(_ ledger: Ledger, _ place: AnalyticsPlace, waits: Bool) throws(LedgerError) {
        self.ledger = ledger
        self.place = place
        if waits {
            lock = try called { () throws(SystemError) in try FileLock(waitingAt: place.lock, access: place.access) }
        } else {
            let free = try called { () throws(SystemError) in try FileLock(tryingAt: place.lock, access: place.access) }
            guard let free else { return nil }
            lock = free
        }
    }

    /// Brings the file up to the newest event.
    func catchUp() throws(LedgerError) -> AnalyticsUpdate {
        switch try tryToCatchUp() {
        case .done(let update): update
        case .needsBuild(let reason): try rebuild(reason)
        }
    }

    enum Attempt {
        case done(AnalyticsUpdate)
        /// The file was left as it is.
        case needsBuild(AnalyticsUpdate.Reason)
    }

    /// The same without making the file anew, which takes as long as the log is.
    func tryToCatchUp() throws(LedgerError) -> Attempt {
        let log = try end()
        let progress: AnalyticsProgress
        do throws(AnalyticsFault) { progress = try known(log) } catch {
            switch error {
            case .unusable(let reason): return .needsBuild(reason)
            case .inUse: throw .analyticsInUse
            case .other(let error): throw error
            }
        }
        guard log.position - progress.position <= max(Self.far, log.position / 4) else {
            return .needsBuild(.farBehind)
        }
        do throws(AnalyticsFault) { return .done(try follow(place.file, from: progress, to: log)) } catch {
            switch error {
            case .unusable(let reason): return .needsBuild(reason)
            case .inUse: return try followBeside(from: progress, to: log)
            case .other(let error): throw error
            }
        }
    }

    /// Makes the file anew, beside, from all events.
    func rebuild(_ reason: AnalyticsUpdate.Reason) throws(LedgerError) -> AnalyticsUpdate {
        let log = try end()
        let build = try AnalyticsBuild(place, ledger, to: log)
        defer { build.end() }
        var sessions: Int64 = 0
        _ = try ProjectionPipeline(ledger: ledger, jumps: ClockJumps(), lastSession: log.session, position: log.position)
            .forEachPage { (page) throws(LedgerError) in
                sessions += page.sessions
                try build.insert(page)
            }
        build.complete()
        try build.swapIn()
        return AnalyticsUpdate(rebuiltBecause: reason, from: 0, position: log.position, sessions: sessions)
    }

    func makeBuild(to log: LogEnd) throws(LedgerError) -> AnalyticsBuild { try AnalyticsBuild(place, ledger, to: log) }

    /// Where the log and the delivery log end.
    struct LogEnd: Sendable {
        let position: Int64
        let recordedAtMilliseconds: Int64?
        let session: Int64
        let attempt: Int64
    }

    func end() throws(LedgerError) -> LogEnd { try ledger.logEnd() }
}

extension Ledger {
    func logEnd() throws(LedgerError) -> AnalyticsStore.LogEnd {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                let position = try context.events.lastPosition()
                return AnalyticsStore.LogEnd(
                    position: position, recordedAtMilliseconds: try context.events.time(of: position),
                    session: try context.events.lastSessionNumber(), attempt: try context.outbox.lastAttemptNumber())
            }
        }
    }
}
