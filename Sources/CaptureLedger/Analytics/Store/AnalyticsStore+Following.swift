import EventStorage
import Outbox
import Projections
import SQLite
import SystemCalls

extension AnalyticsStore {
    /// Folds the sessions that changed anew and puts their rows in the old ones' place, a page of events a transaction: rows, sums and
    /// how far they are go together, so that a crash leaves the file as it was after a page.
    func follow(_ path: String, from start: AnalyticsProgress, to log: LogEnd) throws(AnalyticsFault) -> AnalyticsUpdate {
        var (position, sessions) = (start.position, Int64(0))
        if position < log.position || start.attemptNumber < log.attempt {
            let connection = try open(path)
            let writer = try analytics { () throws(StorageError) in try AnalyticsWriter(connection) }
            while true {
                let end = min(log.position, position + Self.page)
                sessions += try follow(writer, from: position, to: end, of: log, after: start.attemptNumber)
                position = end
                if end == log.position { break }
            }
        }
        return AnalyticsUpdate(rebuiltBecause: nil, from: start.position, position: log.position, sessions: sessions)
    }

    /// One page; the last one takes the delivery log along.
    private func follow(
        _ writer: AnalyticsWriter, from position: Int64, to end: Int64, of log: LogEnd, after attempt: Int64
    ) throws(AnalyticsFault) -> Int64 {
        let isLast = end == log.position
        try analytics { () throws(StorageError) in try writer.begin() }
        var fault: AnalyticsFault?
        var count: Int64 = 0
        try ledgerStep { () throws(LedgerError) in
            try ledger.read { (context) throws(LedgerError) in
                let (projector, changed, time) = try translated { () throws(StorageError) in
                    (
                        try SessionProjector(context),
                        try context.events.sessionsChanged(after: position, through: end), try context.events.time(of: end)
                    )
                }
                for number in changed {
                    try translated { () throws(StorageError) in
                        try projector.project(
                            sessionsAbove: number - 1, through: number, at: end, since: position
                        ) { (session) throws(StorageError) in
                            count += 1
                            do throws(StorageError) {
                                try writer.replace(
                                    session.earlierFacts, with: session.facts, number: session.number, session: session.id)
                            } catch { fault = AnalyticsFault(error) }
                        }
                    }
                    if fault != nil { return }
                }
                let progress = AnalyticsProgress(
                    ledgerID: ledger.ledgerID, epoch: ledger.epoch, position: end, recordedAtMilliseconds: time,
                    attemptNumber: isLast ? log.attempt : attempt)
                do throws(AnalyticsFault) {
                    try analytics { () throws(StorageError) in
                        if isLast { try writer.takeAttempts(after: attempt, through: log.attempt, context.connection) }
                        try writer.commit(progress)
                    }
                } catch { fault = error }
            }
        }
        if let fault { throw fault }
        return count
    }

    /// The same in a copy, which then takes the place of the file that somebody does not let go of.
    func followBeside(from start: AnalyticsProgress, to log: LogEnd) throws(LedgerError) -> Attempt {
        place.removeBeside()
        let place = place
        try called { () throws(SystemError) in
            try FileSystem.copy(place.file, to: place.beside)
            let file = try FileDescriptor(opening: place.beside, .write)
            try place.access.apply(to: file, mode: place.access.fileMode)
        }
        do throws(AnalyticsFault) {
            let update = try follow(place.beside, from: start, to: log)
            try ledgerStep { () throws(LedgerError) in try place.swapIn() }
            return .done(update)
        } catch {
            place.removeBeside()
            switch error {
            case .unusable(let reason): return .needsBuild(reason)
            case .inUse: throw .analyticsInUse
            case .other(let error): throw error
            }
        }
    }
}
