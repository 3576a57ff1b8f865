import EventStorage
import Outbox
import SQLite
import SchemaFiles
import SystemCalls

/// What a rebuild of the projections did.
package struct RebuildReport: Sendable, Equatable {
    /// Events folded.
    package let events: Int64
    package let seconds: Double
    package let projections: [String]
}

extension Ledger {
    /// Makes flow, delivery and analytics tables anew from the events alone, in one pass over the log. Flow and delivery rows are made
    /// in a scratch database and put in the old ones' place in one transaction, analytics.sqlite beside the old one: readers see the
    /// old rows or the new ones. Writers wait only for the last sessions and the copying. It calls nobody, and the work on deliveries
    /// and their attempts stay as they are.
    ///
    /// - Throws: `read_only`; what the disk refuses. Nothing has changed then.
    package func rebuild() throws(LedgerError) -> RebuildReport { try rebuild { () throws(LedgerError) in } }

    /// - Parameter meanwhile: runs when every session was folded and nobody waits yet.
    func rebuild(
        _ limits: ScratchLoad.Limits = ScratchLoad.Limits(), _ meanwhile: () throws(LedgerError) -> Void
    ) throws(LedgerError) -> RebuildReport {
        _ = try writer
        let start = SystemClock.monotonicNanoseconds()
        guard let store = try AnalyticsStore(self, try AnalyticsPlace(files), waits: true) else { throw .analyticsInUse }
        let log = try store.end()
        let events = try read { (context) throws(LedgerError) in
            let scratch = try RebuildScratch(like: context.connection, limits)
            let build = try store.makeBuild(to: log)
            defer { build.end() }
            let events = try fill(scratch, build, to: log, context)
            build.complete()
            // What was appended meanwhile, before anybody has to wait for it.
            let seen = try Self.follow(scratch, from: log.position, context)
            try meanwhile()
            let hold = try called { () throws(SystemError) in try lock.acquire() }
            _ = try Self.follow(scratch, from: seen, context)
            try translated { () throws(StorageError) in
                try Self.swap(try EventDatabase.openForWriting(files.database), scratch)
            }
            _ = consume hold
            try build.swapIn()
            return events
        }
        _ = try store.catchUp()
        let seconds = Double(SystemClock.monotonicNanoseconds() - start) / 1e9
        return RebuildReport(events: events, seconds: seconds, projections: RebuildScratch.tables + ["analytics"])
    }

    /// Every session as it is at `log`, in one pass.
    private func fill(
        _ scratch: RebuildScratch, _ build: AnalyticsBuild, to log: AnalyticsStore.LogEnd, _ context: ReadContext
    ) throws(LedgerError) -> Int64 {
        let jumps = try translated { () throws(StorageError) in
            try ClockJumps(context.connection).through(log.position)
        }
        let pipeline = ProjectionPipeline(ledger: self, jumps: jumps, lastSession: log.session, position: log.position)
        let writing = ScratchWriting(scratch)
        let events: Int64
        do throws(LedgerError) {
            events = try pipeline.forEachPage { (page) throws(LedgerError) in
                try writing.put(page)
                try build.insert(page)
            }
        } catch {
            _ = try? writing.finish()
            throw error
        }
        try writing.finish()
        return events
    }

    private static func follow(
        _ scratch: RebuildScratch, from position: Int64, _ context: ReadContext
    ) throws(LedgerError) -> Int64 {
        try translated { () throws(StorageError) in
            let last = try context.events.lastPosition()
            if last > position { try scratch.follow(after: position, through: last, context) }
            return last
        }
    }

    /// Under the writer lock.
    private static func swap(_ connection: Connection, _ scratch: RebuildScratch) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            try connection.execute(SchemaFiles.configureSwap)
            let attach = try Statement(connection, SchemaFiles.attachBeside)
            attach.bind(scratch.path, at: 1)
            try attach.run()
            let transaction = try Transaction(connection)
            for sql in [
                SchemaFiles.clearFlow, SchemaFiles.takeFlow, SchemaFiles.clearDelivery, SchemaFiles.takeDelivery,
            ] {
                try Statement(connection, sql).run()
            }
            try transaction.commit()
        }
        // It is as large as the tables: what readers still need stays, and the writer moves it later.
        connection.setBusyTimeout(milliseconds: 0)
        _ = try? connection.checkpoint(.truncate)
    }
}
