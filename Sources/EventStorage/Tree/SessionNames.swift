package import SQLite
import SchemaFiles

/// Sessions' ids by their numbers, for readers that go through the whole log: as many are kept as fit, whatever the ledger's size.
package final class SessionNames {
    private static let slots = 4096

    private let find: Statement
    private var known = [(number: Int64, words: (UInt64, UInt64))](repeating: (-1, (0, 0)), count: slots)

    package init(_ connection: Connection) throws(StorageError) {
        find = try stored { () throws(SQLiteError) in try Statement(connection, SchemaFiles.sessionByNo) }
    }

    /// The two words of a session's id; nil for a session that the ledger does not list.
    package func words(_ number: Int64) throws(StorageError) -> (UInt64, UInt64)? {
        let slot = Int(truncatingIfNeeded: number & Int64(Self.slots - 1))
        if known[slot].number == number { return known[slot].words }
        let find = find
        let found = try stored { () throws(SQLiteError) -> (UInt64, UInt64)? in
            find.bind(number, at: 1)
            defer { find.reset() }
            return try find.step() ? find.words(0) : nil
        }
        if let found { known[slot] = (number, found) }
        return found
    }
}
