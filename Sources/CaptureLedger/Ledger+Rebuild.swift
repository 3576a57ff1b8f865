import EventStorage
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
    /// Makes flow and delivery tables anew from the events alone, in a scratch database beside, and puts them in the old ones' place
    /// in one transaction: readers see the old rows or the new ones. Writers wait only for the last sessions and the copying. It
    /// calls nobody, and the work on deliveries and their attempts stay as they are.
    ///
    /// - Throws: `read_only`; what the disk refuses. Nothing has changed then.
    package func rebuild() throws(LedgerError) -> RebuildReport { try rebuild { () throws(LedgerError) in } }

    /// - Parameter meanwhile: runs when every session was folded and nobody waits yet.
    func rebuild(_ meanwhile: () throws(LedgerError) -> Void) throws(LedgerError) -> RebuildReport {
        _ = try writer
        let start = SystemClock.monotonicNanoseconds()
        let scratch = try read { (context) throws(LedgerError) in
            let scratch = try RebuildScratch(like: context.connection)
            var seen = try translated { () throws(StorageError) in
                let seen = try context.events.lastPosition()
                try scratch.buildAll(context)
                return seen
            }
            // What was appended meanwhile, before anybody has to wait for it.
            seen = try Self.follow(scratch, from: seen, context)
            try meanwhile()
            let hold = try called { () throws(SystemError) in try lock.acquire() }
            _ = try Self.follow(scratch, from: seen, context)
            try translated { () throws(StorageError) in
                try Self.swap(try EventDatabase.openForWriting(files.database), scratch)
            }
            _ = consume hold
            return scratch
        }
        let seconds = Double(SystemClock.monotonicNanoseconds() - start) / 1e9
        return RebuildReport(events: scratch.events, seconds: seconds, projections: RebuildScratch.tables)
    }

    private static func follow(
        _ scratch: RebuildScratch, from position: Int64, _ context: ReadContext
    ) throws(LedgerError) -> Int64 {
        try translated { () throws(StorageError) in
            let last = try context.events.lastPosition()
            if last > position { try scratch.buildChanged(after: position, context) }
            return last
        }
    }

    /// Under the writer lock.
    private static func swap(_ connection: Connection, _ scratch: RebuildScratch) throws(StorageError) {
        try stored { () throws(SQLiteError) in
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
        // What readers still need stays in the log; the writer moves it later.
        _ = try? connection.checkpoint(.passive)
    }
}
