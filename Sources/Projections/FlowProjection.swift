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

    package func counts() throws(StorageError) -> [(status: String, phase: String, count: Int)] {
        try stored { () throws(SQLiteError) in
            let statement = try Statement(connection, SchemaFiles.statusCounts)
            var counts: [(status: String, phase: String, count: Int)] = []
            while try statement.step() { counts.append((statement.text(0), statement.text(1), statement.int(2))) }
            return counts
        }
    }
}
