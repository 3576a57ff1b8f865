import Cryptography
import SQLite
import SchemaFiles

/// keys/keys.sqlite with its statements. One thread at a time.
struct KeyDatabase: ~Copyable {
    static let schemaVersion = 1

    let connection: Connection
    private let find: Statement
    private let insert: Statement
    private let last: Statement
    private let destroy: Statement
    private let dataVersion: Statement
    var wrapping: AESGCM
    private var seenDataVersion: Int64 = -1
    private var seenFileVersion: (UInt64, UInt64)?

    /// - Throws: `vault_missing`, `vault_too_new`, `vault_damaged`.
    static func open(path: String, masterKey: MasterKey, isReadOnly: Bool) throws(VaultError) -> KeyDatabase {
        let version: Int
        do throws(SQLiteError) {
            let connection = try Connection(path: path, mode: isReadOnly ? .read : .write)
            if isReadOnly { try rollBack(for: connection, path) } else { try connection.execute(SchemaFiles.keysConfigure) }
            version = try self.version(of: connection)
            if version == schemaVersion { return try KeyDatabase(connection, masterKey) }
        } catch {
            throw error.cannotOpen ? VaultError(.vaultMissing) : VaultError(error)
        }
        throw version > schemaVersion ? VaultError(.vaultTooNew) : VaultError(.vaultMissing, cause: "it is empty")
    }

    /// Puts back what a writer left half done that was killed, for a reader, which may not: a connection that may write does it by
    /// looking.
    private static func rollBack(for reader: Connection, _ path: String) throws(SQLiteError) {
        do throws(SQLiteError) { _ = try version(of: reader) } catch {
            guard error.needsRollback else { throw error }
            _ = try version(of: Connection(path: path, mode: .write))
        }
    }

    private init(_ connection: Connection, _ masterKey: MasterKey) throws(SQLiteError) {
        let find = try Statement(connection, SchemaFiles.keysFind)
        let insert = try Statement(connection, SchemaFiles.keysInsert)
        let last = try Statement(connection, SchemaFiles.keysLast)
        let destroy = try Statement(connection, SchemaFiles.keysDestroy)
        let dataVersion = try Statement(connection, SchemaFiles.keysDataVersion)
        self.find = find
        self.insert = insert
        self.last = last
        self.destroy = destroy
        self.dataVersion = dataVersion
        self.connection = connection
        wrapping = AESGCM(key: masterKey.wrapping)
    }

    /// Makes the tables and the ledger's own keys in an empty database, in one transaction.
    ///
    /// - Throws: `vault_exists`.
    static func create(path: String, masterKey: MasterKey, ledgerKeys: [String]) throws(VaultError) {
        do {
            let connection = try Connection(path: path, mode: .write)
            try connection.execute(SchemaFiles.keysConfigure)
            let transaction = try Transaction(connection)
            guard try version(of: connection) == 0 else { throw VaultError(.vaultExists) }
            try connection.execute(SchemaFiles.keysSchema)
            let insert = try Statement(connection, SchemaFiles.keysInsertLedgerKey)
            var wrapping = AESGCM(key: masterKey.wrapping)
            for name in ledgerKeys {
                insert.bind(name, at: 1)
                insert.bind(WrappedKey.make(&wrapping, aad: WrappedKey.aad(name: name)).wrapped, at: 2)
                try insert.run()
            }
            try transaction.commit()
        } catch {
            throw VaultError(wrapping: error)
        }
    }

    private static func version(of connection: Connection) throws(SQLiteError) -> Int {
        let statement = try Statement(connection, SchemaFiles.keysVersion)
        return try statement.step() ? statement.int(0) : 0
    }

    /// - Throws: `wrong_master_key` when it does not open, `vault_damaged` when it is not there.
    mutating func ledgerKey(_ name: String) throws(VaultError) -> SecretKey {
        guard let wrapped = try wrappedLedgerKey(name) else {
            throw VaultError(.vaultDamaged, cause: "the ledger's key is missing")
        }
        guard let key = WrappedKey.open(wrapped, &wrapping, aad: WrappedKey.aad(name: name)) else {
            throw VaultError(.wrongMasterKey)
        }
        return key
    }

    /// Makes the ledger's key of that name unless there is one; durable when it returns.
    mutating func ensureLedgerKey(_ name: String) throws(VaultError) {
        if try wrappedLedgerKey(name) != nil { return }
        do throws(SQLiteError) {
            let transaction = try Transaction(connection)
            let insert = try Statement(connection, SchemaFiles.keysInsertLedgerKey)
            insert.bind(name, at: 1)
            insert.bind(WrappedKey.make(&wrapping, aad: WrappedKey.aad(name: name)).wrapped, at: 2)
            try insert.run()
            try transaction.commit()
        } catch {
            throw VaultError(error)
        }
    }

    func wrappedLedgerKey(_ name: String) throws(VaultError) -> [UInt8]? {
        do {
            let statement = try Statement(connection, SchemaFiles.keysFindLedgerKey)
            statement.bind(name, at: 1)
            return try statement.step() ? statement.blob(0) : nil
        } catch {
            throw VaultError(error)
        }
    }

    /// Whether another connection changed the database since the last call. It is asked for every transaction, so a look at the file's
    /// version comes first: nothing is committed without changing it.
    mutating func wasChangedElsewhere() throws(VaultError) -> Bool {
        let fileVersion = connection.fileVersion()
        if let fileVersion, let seenFileVersion, fileVersion == seenFileVersion { return false }
        do throws(SQLiteError) {
            guard try dataVersion.step() else { throw SQLiteError(code: 1, extendedCode: 1, message: "no data version") }
            let version = dataVersion.int64(0)
            dataVersion.reset()
            defer { (seenDataVersion, seenFileVersion) = (version, fileVersion) }
            return version != seenDataVersion
        } catch {
            throw VaultError(error)
        }
    }

    enum Row {
        case none
        case usable([UInt8])
        case destroyed
    }

    func row(_ number: Int64) throws(VaultError) -> Row {
        do {
            find.bind(number, at: 1)
            defer { find.reset() }
            guard try find.step() else { return .none }
            return find.int(0) == 1 ? .usable(find.blob(1)) : .destroyed
        } catch {
            throw VaultError(error)
        }
    }

    /// - Throws: `wrong_master_key`: the ledger's own key opened before, so this one was altered or comes from another ledger.
    mutating func unwrap(_ wrapped: [UInt8], number: Int64) throws(VaultError) -> SecretKey {
        guard let key = WrappedKey.open(wrapped, &wrapping, aad: WrappedKey.aad(keyNumber: number)) else {
            throw VaultError(.wrongMasterKey, cause: "session key \(number)")
        }
        return key
    }

    func lastNumber() throws(VaultError) -> Int64 {
        do {
            defer { last.reset() }
            return try last.step() ? last.int64(0) : 0
        } catch {
            throw VaultError(error)
        }
    }

    /// Makes whole batches until there is a key with this number; each is durable on its own.
    ///
    /// - Returns: what was made.
    mutating func mint(through number: Int64, batch: Int64) throws(VaultError) -> [(number: Int64, secret: SecretKey)] {
        var next = try lastNumber() + 1
        var made: [(number: Int64, secret: SecretKey)] = []
        do throws(SQLiteError) {
            while next <= number {
                let transaction = try Transaction(connection)
                for _ in 0..<batch {
                    let (secret, wrapped) = WrappedKey.make(&wrapping, aad: WrappedKey.aad(keyNumber: next))
                    insert.bind(next, at: 1)
                    insert.bind(wrapped, at: 2)
                    try insert.run()
                    made.append((next, secret))
                    next += 1
                }
                try transaction.commit()
            }
        } catch {
            throw VaultError(error)
        }
        return made
    }

    /// True when this call destroyed it.
    func destroy(_ number: Int64, atMilliseconds time: Int64) throws(VaultError) -> Bool {
        do {
            destroy.bind(number, at: 1)
            destroy.bind(time, at: 2)
            try destroy.run()
            return connection.changes > 0
        } catch {
            throw VaultError(error)
        }
    }

    /// Destroys every key above this one, in one transaction.
    func retire(after number: Int64, atMilliseconds time: Int64) throws(VaultError) {
        do {
            let statement = try Statement(connection, SchemaFiles.keysRetire)
            statement.bind(number, at: 1)
            statement.bind(time, at: 2)
            try statement.run()
        } catch {
            throw VaultError(error)
        }
    }
}
