package import EventStorage
package import SQLite
import SchemaFiles
package import SessionDomain

/// How far analytics.sqlite is, and of which ledger.
package struct AnalyticsProgress: Sendable, Equatable {
    package let schemaVersion: Int64
    package let ledgerID: UUID128
    package let epoch: UUID128
    /// All events up to this one are in its tables.
    package let position: Int64
    /// The store's time of that event; nil before the first.
    package let recordedAtMilliseconds: Int64?
    /// All rows of the delivery log up to this one are in its tables.
    package let attemptNumber: Int64

    package init(
        schemaVersion: Int64 = AnalyticsWriter.schemaVersion, ledgerID: UUID128, epoch: UUID128, position: Int64,
        recordedAtMilliseconds: Int64?, attemptNumber: Int64
    ) {
        self.schemaVersion = schemaVersion
        self.ledgerID = ledgerID
        self.epoch = epoch
        self.position = position
        self.recordedAtMilliseconds = recordedAtMilliseconds
        self.attemptNumber = attemptNumber
    }

    /// nil when the file has no such row.
    package init?(_ connection: Connection) throws(StorageError) {
        let found = try stored { () throws(SQLiteError) -> AnalyticsProgress? in
            let row = try Statement(connection, SchemaFiles.analyticsProgress)
            guard try row.step(), let ledger = row.words(1), let epoch = row.words(2) else { return nil }
            return AnalyticsProgress(
                schemaVersion: row.int64(0), ledgerID: UUID128(high: ledger.0, low: ledger.1),
                epoch: UUID128(high: epoch.0, low: epoch.1), position: row.int64(3),
                recordedAtMilliseconds: row.optionalInt64(4), attemptNumber: row.int64(5))
        }
        guard let found else { return nil }
        self = found
    }
}
