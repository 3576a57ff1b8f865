package import EventStorage
package import SQLite
import SchemaFiles
package import SessionDomain

/// Writes the delivery table, in the transaction of the events.
package final class DeliveryProjection {
    private let insert: Statement
    private let update: Statement
    private let rows = PackedRows()
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
                    rows.removeAll()
                    row.pack(into: rows, deliveryID(session, row.capture, row.destination), session: number)
                    try insert.run(rows)
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

    /// Writes new rows that ``DeliveryFold/Row/pack(into:_:session:)`` packed.
    package func insert(_ rows: PackedRows) throws(StorageError) {
        try stored { () throws(SQLiteError) in try insert.run(rows) }
    }
}

extension DeliveryFold.Row {
    /// Adds the values of `insert_delivery`.
    package func pack(into rows: PackedRows, _ id: DeliveryID, session number: Int64) {
        rows.append(self.number)
        rows.append(words: id.uuid.high, id.uuid.low)
        rows.append(number)
        rows.append(words: capture.uuid.high, capture.uuid.low)
        rows.append(piece.code)
        rows.append(ordinal)
        rows.append(destination)
        rows.append(isStrict ? 1 : 0)
        rows.append(status.rawValue)
        rows.append(blocked)
        rows.append(settledPosition)
        rows.append(cause)
    }
}
