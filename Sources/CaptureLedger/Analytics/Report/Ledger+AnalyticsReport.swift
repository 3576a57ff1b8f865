import SQLite
import SchemaFiles
import SessionDomain

extension Ledger {
    /// Makes a report; it writes no event and exports nothing.
    package func report(_ request: ReportRequest = ReportRequest(sinceMilliseconds: nil, untilMilliseconds: nil))
        throws(LedgerError) -> AnalyticsReport
    {
        try askAnalytics { (connection, progress) throws(LedgerError) in
            try counted { () throws(SQLiteError) in
                try ReportReader(connection, request).report(
                    position: progress.position, recordedAtMilliseconds: progress.recordedAtMilliseconds)
            }
        }
    }
}

/// Runs a query on analytics.sqlite and says what it threw in the façade's words.
func counted<Value: ~Copyable>(_ body: () throws(SQLiteError) -> Value) throws(LedgerError) -> Value {
    do { return try body() } catch {
        throw LedgerError(
            code: .init(rawValue: "analytics_unreadable"), message: "analytics.sqlite cannot be read: \(error.message).",
            remedy: "Remove it and run `capture-ledger rebuild`: it is derived from the log.", isRetryable: error.isBusy)
    }
}
