package import EventStorage
import SQLite
import SchemaFiles
package import SessionDomain

/// The deliveries that may be sent to one destination and were not settled yet.
package struct WaitingFigures: Sendable, Hashable {
    package let destination: String
    package let count: Int
    package let oldest: DeliveryID
    package let oldestConfirmedAtMilliseconds: Int64
    /// What became of the oldest one's last attempt; nil when it was never tried.
    package let oldestExplanation: String?
}

/// How often something happened in the delivery log.
package struct AttemptFigures: Sendable, Hashable {
    package let destination: String
    package let kind: String
    package let certainty: String
    package let explanation: String
    package let action: String
    package let count: Int64
    package let bytesSent: Int64
}

/// Everything that waits for one destination.
package struct DestinationBacklog: Sendable, Hashable {
    package let destination: String
    /// nil: nothing may be sent to it.
    package let figures: WaitingFigures?
    /// Deliveries that wait for something else than time: blocked, of a paused session, or of one in its undo window.
    package let held: Int
    /// Of the blocked ones those whose hologram has no transaction, and the number of the first.
    package let withoutTransaction: Int
    package let firstWithoutTransaction: Int64?
}

extension OutboxReader {
    package func waitingFigures() throws(StorageError) -> [WaitingFigures] { try waiting().compactMap(\.figures) }

    package func waiting() throws(StorageError) -> [DestinationBacklog] {
        try rows(SchemaFiles.waitingByDestination) { row in
            let (destination, count) = (row.text(0), row.int(1))
            let figures =
                count == 0
                ? nil
                : WaitingFigures(
                    destination: destination, count: count, oldest: DeliveryID(DeliveryRow.uuid(row, 2)),
                    oldestConfirmedAtMilliseconds: row.int64(3), oldestExplanation: row.optionalText(4))
            return DestinationBacklog(
                destination: destination, figures: figures, held: row.int(5), withoutTransaction: row.int(6),
                firstWithoutTransaction: row.optionalInt64(7))
        }
    }

    package func parkedCounts() throws(StorageError) -> [(destination: String, cause: String, count: Int)] {
        try rows(SchemaFiles.parkedByCause) { ($0.text(0), $0.text(1), $0.int(2)) }
    }

    /// Sessions of which nothing is sent until a person resumes them: their number, and since when.
    package func pausedSessions() throws(StorageError) -> [Int64: Int64] {
        let rows = try rows(SchemaFiles.pausedSessions) { ($0.int64(0), $0.int64(1)) }
        return Dictionary(rows) { $1 }
    }

    /// Reads the whole delivery log.
    package func attemptFigures() throws(StorageError) -> [AttemptFigures] {
        try rows(SchemaFiles.countAttempts) { row in
            AttemptFigures(
                destination: row.text(0), kind: row.text(1), certainty: row.text(2), explanation: row.text(3),
                action: row.text(4), count: row.int64(5), bytesSent: row.int64(6))
        }
    }

    private func rows<Row>(_ sql: [UInt8], _ read: (Statement) -> Row) throws(StorageError) -> [Row] {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, sql)
            var rows: [Row] = []
            while try statement.step() { rows.append(read(statement)) }
            return rows
        }
    }
}
