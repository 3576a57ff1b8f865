package import EventStorage
package import SQLite
import SchemaFiles
package import SessionDomain

/// Writes the flow table, one row a session, in the transaction of the events.
package final class FlowProjection {
    private let upsert: Statement
    private let rows = PackedRows()

    package init(_ connection: Connection) throws(StorageError) {
        upsert = try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.upsertFlow) }
    }

    package func write(_ row: FlowRow) throws(StorageError) {
        rows.removeAll()
        row.pack(into: rows)
        try write(rows)
    }

    /// Writes rows that ``FlowRow/pack(into:)`` packed.
    package func write(_ rows: PackedRows) throws(StorageError) {
        try stored { () throws(SQLiteError) in try upsert.run(rows) }
    }
}

/// Reads the flow table from one connection.
package struct FlowReader {
    private let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    package struct Listed: Sendable {
        package let session: SessionID
        package let row: FlowRow
    }

    /// Newest first, below `number`.
    package func list(below number: Int64 = .max, status: String?, phase: String?, limit: Int) throws(StorageError) -> [Listed]
    {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.listFlows)
            statement.bind(number, at: 1)
            statement.bind(status, at: 2)
            statement.bind(phase, at: 3)
            statement.bind(limit, at: 4)
            var rows: [Listed] = []
            while try statement.step() {
                guard let words = statement.words(1) else { continue }
                rows.append(
                    Listed(
                        session: SessionID(UUID128(high: words.0, low: words.1)),
                        row: FlowRow(statement, sessionNumber: statement.int64(0), from: 2)))
            }
            return rows
        }
    }

    /// What the table says about one session; nil where it has no row.
    package func row(ofSession number: Int64) throws(StorageError) -> FlowRow? {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.findFlow)
            statement.bind(number, at: 1)
            return try statement.step() ? FlowRow(statement, sessionNumber: number, from: 0) : nil
        }
    }

    /// Sessions whose deadline has passed and that have not ended.
    package func expired(nowMilliseconds: Int64, limit: Int) throws(StorageError) -> [Int64] {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.expiredFlows)
            statement.bind(nowMilliseconds, at: 1)
            statement.bind(limit, at: 2)
            var numbers: [Int64] = []
            while try statement.step() { numbers.append(statement.int64(0)) }
            return numbers
        }
    }

    /// Sessions above `number` that may hold a capture without a judgement, in the order in which they began.
    package func unchecked(after number: Int64, limit: Int) throws(StorageError) -> [Int64] {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.uncheckedSessions)
            statement.bind(number, at: 1)
            statement.bind(limit, at: 2)
            var numbers: [Int64] = []
            while try statement.step() { numbers.append(statement.int64(0)) }
            return numbers
        }
    }

    /// Sessions that are not over.
    package struct Open: Sendable, Hashable {
        package var capturing = 0
        package var needRecapture = 0
        package var waitForVerification = 0
        /// Of all of them.
        package var suspended = 0
    }

    package func open() throws(StorageError) -> Open {
        try stored { () throws(SQLiteError) in
            let row = try Statement(connection, SchemaFiles.openSessions)
            guard try row.step() else { return Open() }
            return Open(
                capturing: row.int(0), needRecapture: row.int(1), waitForVerification: row.int(2), suspended: row.int(3))
        }
    }

    /// How many sessions there are of each status and phase, by name; what is held in memory does not grow with them.
    ///
    /// - Parameter size: sessions that SQLite groups at once.
    package func counts(
        partsOf size: Int = 16_384
    ) throws(StorageError) -> [(status: String, phase: String, count: Int)] {
        try stored { () throws(SQLiteError) in
            let newest = try Statement(connection, SchemaFiles.lastSession)
            let last = try newest.step() ? newest.int64(0) : 0
            let statement = try Statement(connection, SchemaFiles.statusCounts)
            var counts: [String: [String: Int]] = [:]
            for number in stride(from: 0, to: last, by: size) {
                statement.bind(number, at: 1)
                statement.bind(number + Int64(size), at: 2)
                while try statement.step() {
                    counts[statement.text(0), default: [:]][statement.text(1), default: 0] += statement.int(2)
                }
                statement.reset()
            }
            // Its row is still there, so all parts were of one moment.
            _ = consume newest
            return counts.sorted { $0.key < $1.key }.flatMap { status, phases in
                phases.sorted { $0.key < $1.key }.map { (status, $0.key, $0.value) }
            }
        }
    }
}
