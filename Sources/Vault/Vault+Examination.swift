import Cryptography
import SQLite
import SchemaFiles
import Synchronization

/// What is wrong with a stored key.
package enum KeyFault: Sendable {
    /// It opens under no master key of this ledger's.
    case doesNotOpen
    /// Neither usable nor destroyed, or both.
    case stateUnclear
}

extension Vault {
    /// Tries every session key that was minted, in constant memory.
    ///
    /// - Parameter body: told of each that is not as it was minted, or destroyed.
    /// - Throws: `vault_damaged` when the file's own parts do not fit.
    package func examineKeys(_ body: (_ number: Int64, _ fault: KeyFault) -> Void) throws(VaultError) {
        try state.withLock { state throws(VaultError) in try state.database.checkStructure() }
        var last: Int64 = 0
        while true {
            let (faults, newest) = try state.withLock { state throws(VaultError) in
                try state.database.faults(after: last)
            }
            for fault in faults { body(fault.number, fault.fault) }
            guard let newest, newest > last else { return }
            last = newest
        }
    }
}

extension Vault {
    /// The tables and triggers of keys.sqlite that are missing, not as this version makes them, or none of its own. The triggers keep a
    /// key that was destroyed from coming back.
    package func alteredSchema() throws(VaultError) -> [String] {
        let found = try state.withLock { state throws(VaultError) in try KeyDatabase.schema(state.database.connection) }
        let expected = try KeyDatabase.expectedSchema.get()
        return Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }.sorted()
    }
}

extension KeyDatabase {
    private static let examined = 1024

    /// What a new file of this version has.
    fileprivate static let expectedSchema: Result<[String: String], VaultError> = {
        do throws(VaultError) { return .success(try newSchema()) } catch { return .failure(error) }
    }()

    private static func newSchema() throws(VaultError) -> [String: String] {
        do throws(SQLiteError) {
            let connection = try Connection(path: ":memory:", mode: .create)
            try connection.execute(SchemaFiles.keysSchema)
            return try rows(connection)
        } catch {
            throw VaultError(error)
        }
    }

    fileprivate static func schema(_ connection: Connection) throws(VaultError) -> [String: String] {
        do throws(SQLiteError) { return try rows(connection) } catch { throw VaultError(error) }
    }

    private static func rows(_ connection: Connection) throws(SQLiteError) -> [String: String] {
        let list = try Statement(connection, SchemaFiles.listSchema)
        var texts: [String: String] = [:]
        while try list.step() { texts["\(list.text(0)) \(list.text(1))"] = list.text(2) }
        return texts
    }

    /// The ledger's key of that name; tells a wrong master key from a right one whose file is damaged.
    ///
    /// - Throws: `wrong_master_key`, `vault_damaged`.
    mutating func ownKey(_ name: String) throws(VaultError) -> SecretKey {
        do throws(VaultError) { return try ledgerKey(name) } catch {
            guard error.code == .wrongMasterKey, try opensAnotherKey() else { throw error }
        }
        // once more: another process may have wrapped all of them under this master key meanwhile
        do throws(VaultError) { return try ledgerKey(name) } catch {
            guard error.code == .wrongMasterKey else { throw error }
            throw VaultError(.vaultDamaged, cause: "the ledger's own key does not open, and others do")
        }
    }

    private mutating func opensAnotherKey() throws(VaultError) -> Bool {
        do throws(SQLiteError) {
            for (name, wrapped) in try ledgerKeys()
            where WrappedKey.open(wrapped, &wrapping, aad: WrappedKey.aad(name: name)) != nil {
                return true
            }
            for (number, wrapped) in try usableKeys(after: 0)
            where WrappedKey.open(wrapped, &wrapping, aad: WrappedKey.aad(keyNumber: number)) != nil {
                return true
            }
            return false
        } catch {
            throw VaultError(error)
        }
    }

    fileprivate func checkStructure() throws(VaultError) {
        do {
            let check = try Statement(connection, SchemaFiles.integrityCheck)
            while try check.step() {
                if check.text(0) != "ok" { throw VaultError(.vaultDamaged, cause: "SQLite finds that its parts do not fit") }
            }
        } catch {
            throw VaultError(wrapping: error)
        }
    }

    /// The faults among the next keys, and the last of these; nil at the end.
    fileprivate mutating func faults(
        after number: Int64
    ) throws(VaultError) -> (faults: [(number: Int64, fault: KeyFault)], newest: Int64?) {
        var faults: [(number: Int64, fault: KeyFault)] = []
        var newest: Int64?
        do {
            let page = try Statement(connection, SchemaFiles.keysAfter)
            page.bind(number, at: 1)
            page.bind(Self.examined, at: 2)
            while try page.step() {
                let number = page.int64(0)
                newest = number
                // A connection that only reads does not know the constraints of a table (SQLite's sqlite3AddCheckConstraint), so that its
                // integrity check does not compare them.
                switch (page.int64(1), page.optionalBlob(2), page.optionalInt64(3)) {
                case (1, let wrapped?, nil):
                    if WrappedKey.open(wrapped, &wrapping, aad: WrappedKey.aad(keyNumber: number)) == nil {
                        faults.append((number, .doesNotOpen))
                    }
                case (2, nil, _?): break
                default: faults.append((number, .stateUnclear))
                }
            }
        } catch {
            throw VaultError(error)
        }
        return (faults, newest)
    }
}
