import EventCoding
import EventStorage
import SQLite
import SchemaFiles
import SessionDomain

extension WriteContext {
    /// Appends to the ledger's own stream.
    @discardableResult
    func append(
        _ event: LedgerEvent, commandID: CommandID? = nil, actor: String? = nil
    ) throws(LedgerError) -> Int64 {
        try translated { () throws(StorageError) in
            let version = try reader.version(ofSession: 0)
            let new = NewEvent(
                eventID: Identifiers.fresh(atMilliseconds: nowMilliseconds), encoded: EventCoder.encode(event),
                occurredAtMilliseconds: nil, flags: isClockBehind ? [.storeClockBehind] : [], commandID: commandID?.text,
                correlationID: nil, causationPosition: nil, actor: actor, sealed: nil)
            return try writer.append(
                new, session: SessionID(identity.ledgerID), number: 0, version: version + 1,
                recordedAtMilliseconds: nowMilliseconds)
        }
    }

    /// A command to the ledger and not to one session: repeating it gives its first receipt.
    ///
    /// - Parameter change: what it does; the events it returns are on record with it. None when nothing changes.
    func performOnLedger(
        _ commandID: CommandID, body: [UInt8], _ change: () throws(LedgerError) -> [Int64]
    ) throws(LedgerError) -> Result<CommandReceipt, LedgerError> {
        let (bodyDigest, ledger) = (vault.bodyDigest(body), SessionID(identity.ledgerID))
        if let first = try translated({ () throws(StorageError) in try writer.receipt(session: 0, command: commandID) }) {
            guard first.bodyDigest == bodyDigest else { return .failure(.commandConflict) }
            return .success(
                CommandReceipt(session: ledger, commandID: commandID, positions: first.positions, isRepeat: true))
        }
        let positions = try change()
        try translated { () throws(StorageError) in
            try writer.insert(
                StoredReceipt(
                    bodyDigest: bodyDigest, firstPosition: positions.first ?? 0, eventCount: Int64(positions.count)),
                session: 0, command: commandID)
        }
        return .success(CommandReceipt(session: ledger, commandID: commandID, positions: positions, isRepeat: false))
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
