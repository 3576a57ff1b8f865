package import EventStorage
package import SQLite
import SchemaFiles

/// Fills the tables of a new analytics.sqlite straight in the file: sessions in the order of their numbers, requests in that of theirs.
/// What is left is written by an ``AnalyticsWriter`` afterwards. Sessions belong to one thread, requests may belong to another one.
package final class AnalyticsLoad: @unchecked Sendable {
    /// Days for which more sessions may come, since clocks are set back now and then. What comes later still is written afterwards.
    private static let openDays: Int64 = 16

    private let file: TableFile
    private let facts: [TableWriter]
    private let daily: [TableWriter]
    private let attempts: TableWriter
    private var sums = DailySums()
    /// Days up to this one are written.
    private var writtenDay: Int64 = -719_529

    /// Of years with four digits: their texts are ordered as their numbers.
    private static let lastDay: Int64 = 2_932_896

    /// Sums in memory before days that are over are written.
    private let heldSums: Int

    /// - Parameters:
    ///   - path: a file in which ``AnalyticsWriter/makeTables(in:)`` made the tables, and which nobody has open.
    ///   - heldSums: how many stay in memory before days that are over are written; some 15 MB.
    package init(path: String, heldSums: Int = 200_000) throws(StorageError) {
        self.heldSums = heldSums
        (file, facts, daily, attempts) = try stored { () throws(SQLiteError) in
            let daily = DailySums.Table.allCases.map(\.name)
            let shapes = try Self.shapes(path, AnalyticsRows.tables + daily + ["attempt"])
            let file = try TableFile(path: path)
            let writers = shapes.map { TableWriter(file, $0) }
            let count = AnalyticsRows.tables.count
            return (file, Array(writers[..<count]), Array(writers[count..<count + daily.count]), writers[count + daily.count])
        }
    }

    private static func shapes(_ path: String, _ tables: [String]) throws(SQLiteError) -> [TableShape] {
        let connection = try Connection(path: path, mode: .read)
        var shapes: [TableShape] = []
        for table in tables { shapes.append(try TableShape(table, connection)) }
        return shapes
    }

    /// Adds the rows of the next sessions; their sums are added apart.
    package func insert(_ rows: AnalyticsRows) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            for (table, rows) in zip(facts, rows.all) { try table.append(rows) }
        }
    }

    /// Adds the next rows of the delivery log.
    package func insertAttempts(_ rows: PackedRows) throws(SQLiteError) { try attempts.append(rows) }

    /// Takes in what was summed.
    package func add(_ sums: DailySums) throws(StorageError) {
        self.sums.add(sums)
        guard self.sums.rowCount > heldSums, let last = self.sums.lastDay else { return }
        try writeSums(through: last - (self.sums.rowCount > 2 * heldSums ? 1 : Self.openDays))
    }

    private func writeSums(through day: Int64) throws(StorageError) {
        let last = min(day, Self.lastDay)
        guard last > writtenDay else { return }
        let over = sums.take(writtenDay + 1...last)
        writtenDay = last
        try stored { () throws(SQLiteError) in
            try over.forEachCell { (rows) throws(SQLiteError) in
                for (table, rows) in zip(daily, rows.additions) { try table.append(rows) }
            }
        }
    }

    /// Makes a database of the file again.
    ///
    /// - Returns: sums that are still to be added.
    package func finish() throws(StorageError) -> DailySums {
        try writeSums(through: .max)
        try stored { () throws(SQLiteError) in
            for table in facts + daily + [attempts] { try table.finish() }
            try file.finish()
        }
        return sums
    }
}

extension TableShape {
    /// Of a table that can be filled in the order of its key.
    package init(_ table: String, _ connection: Connection) throws(SQLiteError) {
        let shape = try Statement(connection, SchemaFiles.tableShape)
        shape.bind(table, at: 1)
        guard try shape.step() else { preconditionFailure("\(table) cannot be filled in the order of its key") }
        self.init(root: shape.int(0), columns: shape.int(1), keyColumns: shape.int(2), hasRowid: shape.int64(3) != 0)
    }
}
