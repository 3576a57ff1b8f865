import EventStorage

/// What can be the matter with analytics.sqlite itself, apart from everything else.
enum AnalyticsFault: Error {
    /// It has to be made anew.
    case unusable(AnalyticsUpdate.Reason)
    /// Another program reads it and does not let go.
    case inUse
    case other(LedgerError)

    init(_ error: StorageError) {
        guard let cause = error.cause else {
            self = .other(LedgerError(error))
            return
        }
        if cause.isBusy {
            self = .inUse
        } else if cause.isFull || cause.isInputOutput || cause.isReadOnly || cause.cannotOpen {
            self = .other(LedgerError(error))
        } else {
            // whatever else SQLite does not like about a file that is disposable
            self = .unusable(.damaged)
        }
    }
}

/// Runs a step over analytics.sqlite.
func analytics<Value: ~Copyable>(_ body: () throws(StorageError) -> Value) throws(AnalyticsFault) -> Value {
    do { return try body() } catch { throw AnalyticsFault(error) }
}

/// Runs a step over the ledger beside it.
func ledgerStep<Value: ~Copyable>(_ body: () throws(LedgerError) -> Value) throws(AnalyticsFault) -> Value {
    do { return try body() } catch { throw .other(error) }
}

extension LedgerError {
    static let analyticsInUse = LedgerError(
        code: .init(rawValue: "analytics_in_use"),
        message: "Another program reads analytics.sqlite and does not let go of it: it cannot be brought up to date.",
        remedy: "Close the program's query, or let it open a copy; then repeat the command. Nothing is lost.",
        isRetryable: true)
}
