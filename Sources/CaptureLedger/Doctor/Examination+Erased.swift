import EventStorage
import SQLite
import SchemaFiles
import SessionDomain

extension Examination {
    /// Of erasures that are finished: an unfinished one may have no tombstone yet.
    func erasedSessions() throws(LedgerError) -> [Erasure] {
        try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                let unfinished = Set(try context.events.unfinishedErasures().map(\.sessionNumber))
                return try context.events.erasures().filter { !unfinished.contains($0.sessionNumber) }
            }
        }
    }
}
