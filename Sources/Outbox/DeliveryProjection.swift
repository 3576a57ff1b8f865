package import EventStorage
package import SQLite
import SchemaFiles
package import SessionDomain

/// Writes the delivery table, in the transaction of the events.
package final class DeliveryProjection {
    private let insert: Statement
    private let update: Statement
    private let deliveryID: (SessionID, CaptureID, String) -> DeliveryID

    /// - Parameter deliveryID: the one derivation of a delivery's id, which is also its idempotency key.
    package init(
        _ connection: Connection, deliveryID: @escaping (SessionID, CaptureID, String) -> DeliveryID
    ) throws(StorageError) {
        self.deliveryID = deliveryID
        (insert, update) = try stored { () throws(SQLiteError) in
            (try Statement(connection, SchemaFiles.insertDelivery), try Statement(connection, SchemaFiles.updateDelivery))
        }
    }

    /// Writes what changed since it was last written.
    package func write(_ fold: inout DeliveryFold, session: SessionID, number: Int64) throws(StorageError) {
        var hasChanges = false
        for (row, change) in zip(fold.rows, fold.changes) where change != .none {
            hasChanges = true
            try stored { () throws(SQLiteError) in
                if change == .inserted {
                    try insert(row, deliveryID(session, row.capture, row.destination), number)
                } else {
                    update.bind(row.number, at: 1)
                    update.bind(row.status.rawValue, at: 2)
                    update.bind(row.blocked, at: 3)
                    update.bind(row.settledPosition, at: 4)
                    update.bind(row.cause, at: 5)
                    try update.run()
                }
            }
        }
        if hasChanges { fold.forgetChanges() }
    }

    private func insert(_ row: DeliveryFold.Row, _ id: DeliveryID, _ number: Int64) throws(SQLiteError) {
        insert.bind(row.number, at: 1)
        insert.bind(words: id.uuid.high, id.uuid.low, at: 2)
        insert.bind(number, at: 3)
        insert.bind(words: row.capture.uuid.high, row.capture.uuid.low, at: 4)
        insert.bind(row.piece.code, at: 5)
        insert.bind(row.ordinal, at: 6)
        insert.bind(row.destination, at: 7)
        insert.bind(row.isStrict ? 1 : 0, at: 8)
        insert.bind(row.status.rawValue, at: 9)
        insert.bind(row.blocked, at: 10)
        insert.bind(row.settledPosition, at: 11)
        insert.bind(row.cause, at: 12)
        try insert.run()
    }
}
