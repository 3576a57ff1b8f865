package import EventCoding
package import SQLite
import SchemaFiles
package import SessionDomain

/// Reads what projections look at of whole sessions, one after the other, straight from the rows: no event becomes a value of its own
/// and no text a string unless somebody asks. It belongs to one thread.
package final class EventScan {
    private let rows: Statement

    package init(_ connection: Connection) throws(StorageError) {
        rows = try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.scanEvents) }
    }

    /// The current row; it is gone with the next step.
    package struct Event {
        private let row: Statement
        package let position: Int64
        package let session: Int64
        package let recordedAtMilliseconds: Int64
        package let columns: EventColumns

        fileprivate init(_ row: Statement) {
            self.row = row
            position = row.int64(0)
            session = row.int64(1)
            recordedAtMilliseconds = row.int64(4)
            columns = EventColumns(
                type: row.int(2), schemaVersion: row.int(3), piece: row.optionalInt64(5).map { Int($0) },
                captureID: row.words(9).map { UUID128(high: $0.0, low: $0.1) }, source: row.optionalInt64(6).map { Int($0) },
                outcome: row.optionalInt64(7).map { Int($0) }, reason: row.optionalText(10),
                durationMilliseconds: row.optionalInt64(8))
        }

        /// The event with what projections look at; nil for one that this version does not know.
        package func decode(_ configuration: (Span<UInt8>) -> FrozenConfiguration?) throws(StorageError) -> SessionEvent? {
            var failure: CodingFailure?
            let event: SessionEvent? = row.withUTF8(11) { facts in
                do throws(CodingFailure) {
                    return try EventCoder.decodeForProjections(columns, facts, configuration: configuration)
                } catch {
                    failure = error
                    return nil
                }
            }
            if let failure { throw StorageError(.corrupt, message: failure.message, remedy: failure.remedy) }
            return event
        }
    }

    /// Begins with the events, up to `position`, of the sessions above `first` up to `last`.
    package func begin(sessionsAbove first: Int64, through last: Int64, upTo position: Int64) {
        rows.bind(first, at: 1)
        rows.bind(last, at: 2)
        rows.bind(position, at: 3)
    }

    /// nil at the end.
    package func next() throws(StorageError) -> Event? {
        try stored { () throws(SQLiteError) in try rows.step() ? Event(rows) : nil }
    }

    /// Lets go of the snapshot; may be called at any time.
    package func end() { rows.reset() }
}
