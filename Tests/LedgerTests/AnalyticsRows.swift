import SQLite
import Testing

@testable import CaptureLedger

/// Every row of every table of a ledger's analytics.sqlite, as SQLite writes its values, in one order.
func analyticsRows(_ folder: String, file: String = "analytics.sqlite") throws -> [String] {
    let connection = try Connection(path: folder + "/" + file, mode: .read)
    var tables: [String] = []
    let schema = try Statement(
        connection, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'code_name' ORDER BY 1")
    while try schema.step() { tables.append(schema.text(0)) }
    return try tables.flatMap { table in
        let columns = try Statement(
            connection, "SELECT group_concat('quote(' || name || ')', '||'' ''||') FROM pragma_table_info('\(table)')")
        _ = try #require(try columns.step())
        let rows = try Statement(connection, "SELECT '\(table) ' || \(columns.text(0)) FROM \(table) ORDER BY 1")
        var found: [String] = []
        while try rows.step() { found.append(rows.text(0)) }
        return found
    }
}

/// The first column of every row.
func answers(_ connection: Connection, _ sql: String) throws -> [String] {
    let rows = try Statement(connection, sql)
    var found: [String] = []
    while try rows.step() { found.append(rows.text(0)) }
    return found
}
