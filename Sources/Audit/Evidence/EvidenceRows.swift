package import EventStorage
package import SQLite
import SchemaFiles
package import SessionDomain

/// Reads stored rows as their canonical bytes.
package enum EvidenceRows {
    /// A session's next events, in order.
    ///
    /// - Parameters:
    ///   - version: of the one before the first.
    ///   - limit: how many at most.
    package static func events(
        ofSession number: Int64, id: UUID128, after version: Int64, limit: Int, _ connection: Connection
    ) throws(StorageError) -> [[UInt8]] {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.eventsOfSession)
            statement.bind(number, at: 1)
            statement.bind(version, at: 2)
            return try events(statement, id, limit: limit)
        }
    }

    /// The event at a position, which is one of the session.
    package static func event(
        at position: Int64, id: UUID128, _ connection: Connection
    ) throws(StorageError) -> [UInt8]? {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.eventsByPosition)
            statement.bind(position - 1, at: 1)
            statement.bind(position, at: 2)
            statement.bind(1, at: 3)
            return try events(statement, id).first
        }
    }

    /// The events of the ledger's own stream that name a session.
    package static func ledgerEvents(
        naming session: UUID128, ledgerID: UUID128, _ connection: Connection
    ) throws(StorageError) -> [[UInt8]] {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.ledgerEventsNaming)
            statement.bind(session.text, at: 1)
            return try events(statement, ledgerID)
        }
    }

    /// The stored row has a session's number where the canonical bytes have its id.
    private static func events(
        _ statement: borrowing Statement, _ id: UUID128, limit: Int = .max
    ) throws(SQLiteError) -> [[UInt8]] {
        var rows: [[UInt8]] = []
        while rows.count < limit, try statement.step() {
            var row = RowBytes()
            statement.appendRow(to: &row, columns: 0..<Int32(EventRecord.columns), replaced: 1, with: id.bytes)
            rows.append(row.bytes)
        }
        return rows
    }

    /// The requests of a delivery, in order.
    package static func attempts(ofDelivery number: Int64, _ connection: Connection) throws(StorageError) -> [[UInt8]] {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.attemptsOfDelivery)
            statement.bind(number, at: 1)
            var rows: [[UInt8]] = []
            while try statement.step() {
                var row = RowBytes()
                statement.appendRow(to: &row, columns: 0..<Int32(StoredAttempt.columns))
                rows.append(row.bytes)
            }
            return rows
        }
    }
}
