import EventCoding
import EventStorage
import SQLite
import SchemaFiles
import SessionDomain

extension WriteContext {
    /// Appends to the ledger's own stream.
    @discardableResult
    func append(_ event: LedgerEvent) throws(LedgerError) -> Int64 {
        try translated { () throws(StorageError) in
            var version: Int64 = 0
            try reader.forEachEvent(ofSession: 0) { (stored) throws(StorageError) in
                version = stored.version
                return true
            }
            let new = NewEvent(
                eventID: Identifiers.fresh(atMilliseconds: nowMilliseconds), encoded: EventCoder.encode(event),
                occurredAtMilliseconds: nil, flags: isClockBehind ? [.storeClockBehind] : [], commandID: nil,
                correlationID: nil, causationPosition: nil, actor: nil, sealed: nil)
            return try writer.append(
                new, session: SessionID(identity.ledgerID), number: 0, version: version + 1,
                recordedAtMilliseconds: nowMilliseconds)
        }
    }

    /// A ledger that comes back from a backup is another one from here on.
    func begin(epoch: UUID128) throws(LedgerError) {
        try translated { () throws(StorageError) in
            try stored { () throws(SQLiteError) in
                let statement = try Statement(connection, SchemaFiles.setEpoch)
                statement.bind(epoch.bytes, at: 1)
                try statement.run()
            }
        }
    }
}
