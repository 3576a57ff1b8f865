package import DeliveryMachine
package import EventStorage
import SQLite
package import SessionDomain

extension OutboxWriter {
    /// What an attempt's row says beside the machine's record of it.
    package struct AttemptContext: Sendable {
        package let deliveryNumber: Int64
        package let delivery: DeliveryID
        package let destination: String
        package let fence: Int64
        /// What comes next: `retry`, `deliver`, `park`.
        package let action: String
        package let nextAttemptAtMilliseconds: Int64?

        package init(
            deliveryNumber: Int64, delivery: DeliveryID, destination: String, fence: Int64, action: String,
            nextAttemptAtMilliseconds: Int64?
        ) {
            self.deliveryNumber = deliveryNumber
            self.delivery = delivery
            self.destination = destination
            self.fence = fence
            self.action = action
            self.nextAttemptAtMilliseconds = nextAttemptAtMilliseconds
        }
    }

    /// Appends to the delivery log and returns the canonical bytes of the row, whose digest the outcome's event names.
    package func append(_ attempt: AttemptRecord, _ context: AttemptContext) throws(StorageError) -> [UInt8] {
        try stored { () throws(SQLiteError) in
            statements.lastAttempt.bind(context.deliveryNumber, at: 1)
            let last = try statements.lastAttempt.step() ? statements.lastAttempt.int64(0) : 0
            statements.lastAttempt.reset()
            var row = RowBytes(reserving: 512)
            row.append(words: context.delivery.uuid.high, context.delivery.uuid.low)
            row.append(last + 1)
            row.append(context.fence)
            row.append(text: context.destination)
            row.append(text: attempt.kind.rawValue)
            row.append(attempt.startedAtMilliseconds)
            row.append(attempt.finishedAtMilliseconds)
            row.append(text: attempt.certainty.rawValue)
            row.append(Int64(attempt.curlCode))
            row.append(attempt.status)
            row.append(attempt.bytesSent)
            row.append(attempt.bytesReceived)
            row.append(text: attempt.explanation.rawValue)
            row.append(text: context.action)
            row.append(attempt.retryAfterMilliseconds)
            row.append(context.nextAttemptAtMilliseconds)
            row.append(attempt.tableVersion)
            if let evidence = attempt.evidence, let id = UUID128(evidence.id) {
                row.append(words: id.high, id.low)
                row.append(blob: evidence.sha256)
            } else {
                row.appendNull()
                row.appendNull()
            }
            statements.insertAttempt.bind(context.deliveryNumber, at: 20)
            try statements.insertAttempt.run(row: row)
            return row.bytes
        }
    }
}
