import EventCoding
package import SQLite
import SchemaFiles
package import SessionDomain

/// Reads what projections look at of whole sessions, one after the other, straight from the rows: no event becomes a value of its own
/// and no text a string unless somebody asks. It belongs to one thread.
package final class EventScan {
    private let rows: Statement
    private let cells = RowCells(columns: 12)

    package init(_ connection: Connection) throws(StorageError) {
        rows = try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.scanEvents) }
    }

    // of the current row
    package private(set) var position: Int64 = 0
    package private(set) var session: Int64 = 0
    package private(set) var recordedAtMilliseconds: Int64 = 0

    /// Puts the current row's event into `event`, with what projections look at.
    ///
    /// - Returns: false for one that this version does not know; `event` is as it was then.
    package func decode(
        into event: inout SessionEvent, _ configuration: (Span<UInt8>) -> FrozenConfiguration?
    ) throws(StorageError) -> Bool {
        let columns = EventColumns(
            type: Int(cells.int64(2)), schemaVersion: Int(cells.int64(3)), piece: cells.optionalInt64(5).map { Int($0) },
            captureID: cells.words(9).map { UUID128(high: $0.0, low: $0.1) }, source: cells.optionalInt64(6).map { Int($0) },
            outcome: cells.optionalInt64(7).map { Int($0) }, reason: cells.optionalText(10),
            durationMilliseconds: cells.optionalInt64(8))
        var failure: CodingFailure?
        let isKnown = cells.withUTF8(11) { facts in
            do throws(CodingFailure) {
                guard let known = try EventCoder.decodeForProjections(columns, facts, configuration: configuration) else {
                    return false
                }
                event = known
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw StorageError(.corrupt, message: failure.message, remedy: failure.remedy) }
        return isKnown
    }

    /// Begins with the events, up to `position`, of the sessions above `first` up to `last`.
    package func begin(sessionsAbove first: Int64, through last: Int64, upTo position: Int64) {
        rows.bind(first, at: 1)
        rows.bind(last, at: 2)
        rows.bind(position, at: 3)
    }

    /// False at the end.
    package func next() throws(StorageError) -> Bool {
        guard try stored({ () throws(SQLiteError) in try rows.step() }) else { return false }
        cells.fetch(rows)
        position = cells.int64(0)
        session = cells.int64(1)
        recordedAtMilliseconds = cells.int64(4)
        return true
    }

    /// Lets go of the snapshot; may be called at any time.
    package func end() { rows.reset() }
}
