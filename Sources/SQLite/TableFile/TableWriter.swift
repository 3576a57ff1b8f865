/// Fills one table of a ``TableFile``. It belongs to one thread at a time.
package final class TableWriter: @unchecked Sendable {
    private var tree: TableTree

    package init(_ file: TableFile, _ shape: TableShape) { tree = TableTree(file, shape) }

    /// Adds rows with the values of the table's columns.
    ///
    /// - Throws: `SQLITE_CONSTRAINT` for a row whose key is not behind the last one's; what the disk refuses.
    package func append(_ rows: PackedRows) throws(SQLiteError) { try tree.append(rows) }

    /// Nothing comes any more: the tree gets its root.
    package func finish() throws(SQLiteError) { try tree.finish() }
}
