import SQLite
package import SessionDomain

/// An event as it lies in the database: columns are read when they are asked for, text and bytes without a copy. It lasts until the
/// next one.
package struct EventRow: ~Copyable {
    private let row: Statement

    fileprivate init(_ row: Statement) { self.row = row }

    package var position: Int64 { row.int64(0) }
    package var sessionNumber: Int64 { row.int64(1) }
    package var version: Int64 { row.int64(2) }
    package var eventID: UUID128? { row.words(3).map { UUID128(high: $0.0, low: $0.1) } }
    package var type: Int { row.int(4) }
    package var schemaVersion: Int { row.int(5) }
    package var recordedAtMilliseconds: Int64 { row.int64(6) }
    package var occurredAtMilliseconds: Int64? { row.optionalInt64(7) }
    package var flags: EventFlags { EventFlags(rawValue: row.int(8)) }
    package var causationPosition: Int64? { row.optionalInt64(11) }
    package var piece: Int? { row.optionalInt64(13).map { Int($0) } }
    package var captureID: UUID128? { row.words(14).map { UUID128(high: $0.0, low: $0.1) } }
    package var source: Int? { row.optionalInt64(15).map { Int($0) } }
    package var outcome: Int? { row.optionalInt64(16).map { Int($0) } }
    package var durationMilliseconds: Int64? { row.optionalInt64(18) }

    /// A column of text or bytes; empty where it is NULL.
    package enum Bytes: Int32 {
        case commandID = 9
        case correlationID = 10
        case actor = 12
        case reason = 17
        case facts = 19
        case sealed = 20
    }

    package func with<Value, Failure: Error>(
        _ column: Bytes, _ body: (Span<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try row.withUTF8(column.rawValue, body)
    }
}

extension EventReader {
    /// Hands over events with positions in `after + 1 … last`, in order, without making a value of each. A statement runs over
    /// `pageSize` events at most, so that no snapshot is held for long and the write-ahead log can be reset under the reader.
    ///
    /// - Returns: the position of the last one, or `after` where there was none.
    package func forEachRow(
        after position: Int64, through last: Int64 = .max, pageSize: Int = 1024,
        _ body: (borrowing EventRow) throws(StorageError) -> Void
    ) throws(StorageError) -> Int64 {
        var reached = position
        while true {
            let count = try page(after: &reached, through: last, limit: pageSize, body)
            if count < pageSize { return reached }
        }
    }

    private func page(
        after position: inout Int64, through last: Int64, limit: Int,
        _ body: (borrowing EventRow) throws(StorageError) -> Void
    ) throws(StorageError) -> Int {
        let statement = eventsByPosition
        statement.bind(position, at: 1)
        statement.bind(last, at: 2)
        statement.bind(limit, at: 3)
        defer { statement.reset() }
        let row = EventRow(statement)
        var count = 0
        while try stored({ () throws(SQLiteError) in try statement.step() }) {
            try body(row)
            position = row.position
            count += 1
        }
        return count
    }
}
