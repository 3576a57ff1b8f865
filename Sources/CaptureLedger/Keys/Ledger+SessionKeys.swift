import EventStorage
import SessionDomain
import Vault

extension Ledger {
    /// The keys of sessions, also in their undo window, for what has to be kept of answers that were under way. A session that is not
    /// there has none.
    func sessionKeys(
        whileErasing sessions: Set<SessionID>
    ) throws(LedgerError) -> [SessionID: Result<SessionKey, LedgerError>] {
        let rows = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                var rows: [(session: SessionID, key: Int64)] = []
                for session in sessions {
                    if let number = try context.events.session(session)?.keyNumber { rows.append((session, number)) }
                }
                return rows
            }
        }
        let vault = try keys
        let found = try unlocked { () throws(VaultError) in try vault.sessionKeys(rows.map(\.key)) }
        return Dictionary(
            uniqueKeysWithValues: zip(rows, found).map { row, key in (row.session, key.mapError(LedgerError.init(ofKey:))) })
    }

    /// The session's key, for sealing outside the transaction.
    ///
    /// - Parameter age: how old the knowledge may be that the key was not destroyed.
    func sessionKey(_ session: SessionID, notOlderThan age: Duration = .zero) throws(LedgerError) -> SessionKey {
        let (number, isErasing) = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) -> (Int64?, Bool) in
                guard let row = try context.events.session(session) else { return (nil, false) }
                return (row.keyNumber, try !context.events.erasureRequests(session: row.number).isEmpty)
            }
        }
        guard let number else { throw .noSession() }
        if isErasing { throw .erasureRequested }
        let keys = try keys
        do { return try keys.sessionKey(number, notOlderThan: age) } catch { throw LedgerError(ofKey: error) }
    }
}

extension LedgerError {
    /// A key that was destroyed is a session that was erased.
    fileprivate init(ofKey error: VaultError) {
        self = error.code == .keyDestroyed ? LedgerError(Rejection.sessionErased) : LedgerError(error)
    }
}
