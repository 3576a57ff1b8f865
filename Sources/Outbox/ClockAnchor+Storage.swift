package import DeliveryMachine
package import EventStorage
package import SQLite
import SchemaFiles
import SessionDomain

extension ClockAnchor {
    package init?(_ connection: Connection) throws(StorageError) {
        let found = try stored { () throws(SQLiteError) -> ClockAnchor? in
            try Self.read(try Statement(connection, SchemaFiles.findClockAnchor))
        }
        guard let found else { return nil }
        self = found
    }

    package static func read(_ row: Statement) throws(SQLiteError) -> ClockAnchor? {
        defer { row.reset() }
        guard try row.step(), let words = row.words(0) else { return nil }
        return ClockAnchor(
            bootID: UUID128(high: words.0, low: words.1), boottimeMilliseconds: row.int64(1), wallMilliseconds: row.int64(2),
            jumpsMilliseconds: row.int64(3))
    }
}
