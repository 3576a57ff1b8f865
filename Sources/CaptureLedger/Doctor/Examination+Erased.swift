import EventStorage
import SQLite
import SchemaFiles
import SessionDomain

extension Examination {
    /// Of erasures that are finished: an unfinished one may have no tombstone yet.
    func erasedSessions() throws(LedgerError) -> [UUID128] {
        try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                let unfinished = Set(try context.events.unfinishedErasures().map(\.session.uuid))
                return try stored { () throws(SQLiteError) in
                    let statement = try Statement(context.connection, SchemaFiles.erasedSessions)
                    var found: [UUID128] = []
                    while try statement.step() {
                        guard let words = statement.words(0) else { continue }
                        let id = UUID128(high: words.0, low: words.1)
                        if !unfinished.contains(id) { found.append(id) }
                    }
                    return found
                }
            }
        }
    }
}
