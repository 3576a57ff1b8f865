package import EventStorage
package import SQLite

/// Rows of the delivery log on their way into analytics.sqlite, a page at a time. It belongs to one thread at a time.
package final class AttemptRows {
    private static let columns = 14
    private static let pageBytes = 1 << 18

    private let page = PackedRows()
    /// What was read, counted.
    package private(set) var requests = RequestSums()

    package init() {}

    /// Hands over pages until there are no more rows.
    ///
    /// - Parameter rows: of `attempts_after`, with its bounds bound.
    package func read(_ rows: Statement, _ body: (PackedRows) throws(SQLiteError) -> Void) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            defer { rows.reset() }
            while try rows.step() {
                page.append(rows, columns: Self.columns)
                requests.add(rows)
                if page.byteCount > Self.pageBytes { try hand(over: body) }
            }
            try hand(over: body)
        }
    }

    private func hand(over body: (PackedRows) throws(SQLiteError) -> Void) throws(SQLiteError) {
        try body(page)
        page.removeAll()
    }
}
