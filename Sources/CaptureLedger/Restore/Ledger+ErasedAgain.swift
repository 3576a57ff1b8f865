import EventCoding
import EventStorage
import Outbox
import SQLite
import SchemaFiles
import SessionDomain
import Vault

extension Ledger {
    /// Gives a restored ledger its new epoch and takes away again whatever was erased since, or before, the backup was made.
    ///
    /// - Returns: how many sessions the backup still held.
    func becomeRestored(
        epoch: UUID128, position: Int64, _ tombstones: [Tombstones.Entry]
    ) throws(LedgerError) -> Int {
        let window = settings.privacy.undoWindowMilliseconds
        try writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
            // whether a request was withdrawn since, the backup does not know: its window begins again
            try context.postponeErasures(until: context.wallMilliseconds + window)
            try context.begin(epoch: epoch)
            try context.append(.ledgerRestored(LedgerRestored(epoch: epoch, position: position)))
            return .success(())
        }
        let (known, unknown) = try sort(tombstones)
        try retireKeys(unknown)
        var again = 0
        for session in known {
            if session.isErased {
                _ = try finish(
                    Erasure(
                        sessionNumber: session.row.number, session: session.row.id, keyNumber: session.row.keyNumber),
                    remembering: false)
            } else {
                _ = try erase(session.row.id, CommandOptions(), remembering: false, onlyIfDue: false)
                again += 1
            }
        }
        return again
    }

    /// Files that an increment's events say are destroyed, and that an earlier backup still had.
    func removeGoneFiles() throws(LedgerError) {
        let keys = try keys
        try read { (context) throws(LedgerError) in
            let known = try translated { () throws(StorageError) in try KnownObjects(context) }
            _ = try unlocked { () throws(VaultError) in
                try keys.orphans(removing: true) { kind, id in
                    // What cannot be looked up stays.
                    guard let standing = try? known.standing(kind, id) else { return true }
                    return standing != .gone
                }
            }
        }
    }

    /// An imported ledger goes on as it was, under an epoch of its own. It says so, as a restored one does, where the log would otherwise tell
    /// of another one (a checkpoint was signed, or there was a restore), where an erasure waits, or where somebody was erased since.
    ///
    /// - Returns: how many sessions were erased again.
    func becomeImported(position: Int64, _ tombstones: [Tombstones.Entry]) throws(LedgerError) -> Int {
        let (known, _) = try sort(tombstones)
        let keys = try keys
        let waiting = try erasureRequests()
        var isCurrent = try !namesEpoch() && waiting.isEmpty
        for session in known {
            guard session.isErased, let number = session.row.keyNumber else {
                isCurrent = false
                continue
            }
            let state = try unlocked { () throws(VaultError) in try keys.keyState(number) }
            if state != .destroyed { isCurrent = false }
        }
        if isCurrent { return 0 }
        let epoch = Identifiers.fresh(atMilliseconds: clock.nowMilliseconds())
        return try becomeRestored(epoch: epoch, position: position, tombstones)
    }

    private func namesEpoch() throws(LedgerError) -> Bool {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                var namesIt = try ProofRows(context.connection).newestCheckpoint() != nil
                try context.events.forEachEvent(ofSession: 0) { (event) throws(StorageError) in
                    namesIt = namesIt || event.encoded.type == EventType.ledgerRestored.code
                    return !namesIt
                }
                return namesIt
            }
        }
    }

    private struct Known {
        let row: EventReader.SessionRow
        let isErased: Bool
    }

    /// Tombstones whose session this ledger holds, and the numbers of keys of those that it does not hold.
    private func sort(_ tombstones: [Tombstones.Entry]) throws(LedgerError) -> (known: [Known], unknown: [Int64]) {
        let keys = try keys
        let limit = try unlocked { () throws(VaultError) in try keys.lastMinted() } + Self.largestGap
        var seen: Set<SessionID> = []
        var known: [Known] = []
        var unknown: [Int64] = []
        for entry in try own(tombstones) where seen.insert(entry.session).inserted {
            let row = try read { (context) throws(LedgerError) in
                try translated { () throws(StorageError) in try context.events.session(entry.session) }
            }
            if let row {
                guard row.keyNumber == entry.keyNumber else { throw .foreignTombstones }
                known.append(Known(row: row, isErased: try isErased(row.number)))
            } else {
                guard entry.keyNumber <= limit else { throw .foreignTombstones }
                unknown.append(entry.keyNumber)
            }
        }
        return (known, unknown)
    }

    /// Those that may be this ledger's. One file may serve several; a file that is all others' was named by mistake.
    private func own(_ tombstones: [Tombstones.Entry]) throws(LedgerError) -> [Tombstones.Entry] {
        let own = tombstones.filter { $0.ledger == nil || $0.ledger == ledgerID }
        if own.isEmpty, !tombstones.isEmpty { throw .foreignTombstones }
        return own
    }

    /// More sessions than this are not begun between a backup and the ledger's end.
    private static let largestGap: Int64 = 1 << 20

    private func isErased(_ number: Int64) throws(LedgerError) -> Bool {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                var isErased = false
                try context.events.forEachEvent(ofSession: number) { (event) throws(StorageError) in
                    isErased = event.encoded.type == EventType.sessionErased.code
                    return !isErased
                }
                return isErased
            }
        }
    }

    /// Keys that no session here has are never given out: the ledger that the backup was made of may have used them since, and some of
    /// them are those of erased sessions.
    private func retireKeys(_ erased: [Int64]) throws(LedgerError) {
        try writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
            let lastUsed = context.writer.nextKeyNumber - 1
            try unlocked { () throws(VaultError) in
                try context.vault.ensureMinted(through: erased.max() ?? 0)
                try context.vault.retire(after: lastUsed, atMilliseconds: context.nowMilliseconds)
            }
            for number in erased where number <= lastUsed {
                // A number that went to a session here after an earlier restore is another key than the one that was erased.
                if try context.hasSession(withKey: number) { continue }
                try unlocked { () throws(VaultError) in
                    _ = try context.vault.destroy(number, atMilliseconds: context.nowMilliseconds)
                }
            }
            return .success(())
        }
    }
}

extension WriteContext {
    fileprivate func hasSession(withKey number: Int64) throws(LedgerError) -> Bool {
        try translated { () throws(StorageError) in
            try stored { () throws(SQLiteError) in
                let statement = try Statement(connection, SchemaFiles.sessionByKey)
                statement.bind(number, at: 1)
                return try statement.step()
            }
        }
    }
}

extension LedgerError {
    fileprivate static let foreignTombstones = LedgerError(
        code: .init(rawValue: "tombstones_foreign"),
        message: "The tombstone file belongs to another ledger: it names that one, or keys that are other sessions' here.",
        remedy: "Name the tombstone file of this ledger; for one that never erased anybody make an empty file.")
}
