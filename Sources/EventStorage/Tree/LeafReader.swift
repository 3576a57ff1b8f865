package import Cryptography
package import SQLite
import SchemaFiles

/// Reads events as the leaves of the tree: leaf i is the event at position i + 1.
package final class LeafReader {
    /// Columns of an event, in the order of `docs/storage-format.md`; the second is its session.
    package static let columns: Int32 = 21
    package static let sessionColumn: Int32 = 1

    private let page: Statement
    private let names: SessionNames
    private let rows = StoredRows()
    private var hash = SHA256()

    package init(_ connection: Connection) throws(StorageError) {
        page = try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.eventsByPosition) }
        names = try SessionNames(connection)
    }

    /// The hashes of `count` leaves from the one of `first` on.
    ///
    /// - Throws: `event_missing` where one is not there.
    package func leaves(from first: Int64, count: Int) throws(StorageError) -> [Digest] {
        var leaves: [Digest] = []
        leaves.reserveCapacity(count)
        bind(first, count)
        defer { page.reset() }
        while try stored({ () throws(SQLiteError) in try page.step() }) {
            guard page.int64(0) == first + Int64(leaves.count), try readRow() else { break }
            leaves.append(rows.withSpan(0) { hash.digest(prefix: 0, $0) })
        }
        guard leaves.count == count else { throw .eventMissing(first + Int64(leaves.count)) }
        return leaves
    }

    /// The canonical bytes of the event at a position, whose hash is its leaf.
    package func bytes(at position: Int64) throws(StorageError) -> [UInt8] {
        bind(position, 1)
        defer { page.reset() }
        guard try stored({ () throws(SQLiteError) in try page.step() }), page.int64(0) == position, try readRow() else {
            throw .eventMissing(position)
        }
        return rows.bytes(0)
    }

    private func bind(_ first: Int64, _ count: Int) {
        page.bind(first - 1, at: 1)
        page.bind(Int64.max, at: 2)
        page.bind(count, at: 3)
    }

    private func readRow() throws(StorageError) -> Bool {
        guard let words = try names.words(page.int64(1)) else { return false }
        rows.removeAll()
        rows.append(page, columns: Self.columns, replaced: Self.sessionColumn, with: words)
        return true
    }
}

extension StorageError {
    static func eventMissing(_ position: Int64) -> StorageError {
        StorageError(
            .eventMissing, message: "The event at position \(position) is not in the log, or its session is not.",
            remedy: "Run audit verify to see what is missing, and restore the last good backup.")
    }
}
