import EventStorage
import Projections
import SQLite
import SessionDomain

extension Ledger {
    /// Runs questions on analytics.sqlite, brought up to date first, in one snapshot that other processes do not move.
    func askAnalytics<Value>(
        _ body: (Connection, AnalyticsProgress) throws(LedgerError) -> Value
    ) throws(LedgerError) -> Value {
        try readAnalytics { (context) throws(LedgerError) in
            let connection = context.connection
            let snapshot = try counted { () throws(SQLiteError) in try Snapshot(connection) }
            // the snapshot's own: another process may have gone on since the file was opened
            let progress = try translated { () throws(StorageError) in try AnalyticsProgress(connection) }
            let value = try body(connection, progress ?? context.progress)
            _ = consume snapshot
            return value
        }
    }
}
