package import Cryptography
import Synchronization
package import SystemCalls

/// The keys and the sealed files of one ledger. It may be used from several threads, and several processes may have the same
/// ledger's vault open.
package final class Vault: Sendable {
    /// Keys of a batch, made durable together: one commit for 256 sessions.
    package static let mintBatch: Int64 = 256
    private static let keysInMemory = 4096
    static let lookupKey = "lookup"

    let objects: ObjectStore
    let state: Mutex<State>
    private let lookup: Mutex<HMAC>
    private let cipher = SmallCipher()

    struct State: ~Copyable {
        var database: KeyDatabase
        /// Another process wrapped the keys under another master key: what this one would wrap nobody could open.
        var isOutdated = false
        var cache = SessionKeyCache(capacity: Vault.keysInMemory)
        var refreshedAt: ContinuousClock.Instant?
    }

    /// Makes the keys' database and the folders of sealed files in a ledger's folder, and opens them. Repeating one that was
    /// interrupted finishes it.
    ///
    /// - Throws: `vault_exists` and what `open` throws.
    package static func create(
        folder: String, masterKey: MasterKey, access: FileAccess = .owner
    ) throws(VaultError) -> Vault {
        do {
            try FileSystem.makeFolder(folder, access: access)
            let ledger = try FileDescriptor(opening: folder, .folder, followLinks: true)
            let keys = try ledger.openFolder("keys", creatingWith: access)
            let file = try keys.open("keys.sqlite", .writeOrCreate, mode: access.fileMode)
            try access.apply(to: file, mode: access.fileMode)
            try keys.synchronize()
        } catch {
            throw VaultError(error)
        }
        try KeyDatabase.create(path: databasePath(folder), masterKey: masterKey, ledgerKeys: [lookupKey])
        return try open(folder: folder, masterKey: masterKey)
    }

    /// - Throws: `vault_missing`, `wrong_master_key` before anything is written, `vault_too_new`, `vault_damaged`.
    package static func open(
        folder: String, masterKey: MasterKey, isReadOnly: Bool = false
    ) throws(VaultError) -> Vault {
        try Vault(folder: folder, masterKey: masterKey, isReadOnly: isReadOnly)
    }

    private init(folder: String, masterKey: MasterKey, isReadOnly: Bool) throws(VaultError) {
        var database = try KeyDatabase.open(path: Self.databasePath(folder), masterKey: masterKey, isReadOnly: isReadOnly)
        let key = try database.ownKey(Self.lookupKey)
        objects = try ObjectStore(ledger: folder, isReadOnly: isReadOnly)
        lookup = Mutex(HMAC(key: key))
        state = Mutex(State(database: database))
    }

    private static func databasePath(_ folder: String) -> String { folder + "/keys/keys.sqlite" }
}

extension Vault {
    package enum KeyState: String, Sendable {
        /// No such key was minted.
        case none
        case active
        case destroyed
    }

    package func keyState(_ number: Int64) throws(VaultError) -> KeyState {
        let row = try state.withLock { state throws(VaultError) in try state.database.row(number) }
        return switch row {
        case .none: .none
        case .usable: .active
        case .destroyed: .destroyed
        }
    }

    /// Makes keys, 256 at a time and each batch durable, until there is one with this number. The caller holds the ledger's
    /// writer lock.
    package func ensureMinted(through number: Int64) throws(VaultError) {
        try state.withLock { state throws(VaultError) in
            state.cache.keep(try state.database.mint(through: number, batch: Self.mintBatch))
        }
    }

    /// Forgets the keys in memory when another process changed the keys' database. The writer calls it once a batch, after it has
    /// taken the writer lock, under which alone keys are destroyed.
    ///
    /// - Throws: `master_key_rotated`.
    package func refresh() throws(VaultError) {
        try state.withLock { state throws(VaultError) in try Self.refresh(&state) }
    }

    /// The key with this number, as things stand now.
    ///
    /// - Throws: `key_destroyed`, `key_unknown`, `wrong_master_key`.
    package func sessionKey(_ number: Int64) throws(VaultError) -> SessionKey {
        try state.withLock { state throws(VaultError) in
            try Self.refresh(&state)
            return try key(number, in: &state)
        }
    }

    /// As `sessionKey`, as things stood no longer ago than `age`: for many, one after the other.
    package func sessionKey(_ number: Int64, notOlderThan age: Duration) throws(VaultError) -> SessionKey {
        try state.withLock { state throws(VaultError) in
            if state.refreshedAt.map({ $0.advanced(by: age) < .now }) ?? true { try Self.refresh(&state) }
            return try key(number, in: &state)
        }
    }

    /// As `sessionKey`, for many at one moment.
    package func sessionKeys(_ numbers: [Int64]) throws(VaultError) -> [Result<SessionKey, VaultError>] {
        try state.withLock { state throws(VaultError) in
            try Self.refresh(&state)
            var keys: [Result<SessionKey, VaultError>] = []
            for number in numbers {
                do throws(VaultError) { keys.append(.success(try key(number, in: &state))) } catch {
                    keys.append(.failure(error))
                }
            }
            return keys
        }
    }

    /// As `sessionKey`, as things stood at the last `refresh`: for the writer, which holds the lock.
    package func sessionKeyInBatch(_ number: Int64) throws(VaultError) -> SessionKey {
        try state.withLock { state throws(VaultError) in try key(number, in: &state) }
    }

    /// Destroys a key for good, durably, whatever was sealed with it; repeating it changes nothing. Its bytes are in no file
    /// afterwards. The caller holds the ledger's writer lock.
    ///
    /// - Returns: true when this call did it.
    /// - Throws: `key_unknown` when no such key was minted.
    @discardableResult
    package func destroy(_ number: Int64, atMilliseconds time: Int64) throws(VaultError) -> Bool {
        try state.withLock { state throws(VaultError) in
            state.cache.remove(number)?.markDestroyed()
            if try state.database.destroy(number, atMilliseconds: time) { return true }
            if case .none = try state.database.row(number) { throw VaultError(.keyUnknown) }
            return false
        }
    }

    /// The private half of the key that signs checkpoints in this generation: a seed of Ed25519.
    ///
    /// - Throws: `vault_damaged` when it is not there, `wrong_master_key`.
    package func signingSeed(_ generation: Int64) throws(VaultError) -> SecretKey {
        try state.withLock { state throws(VaultError) in try state.database.ledgerKey(Self.signingKey(generation)) }
    }

    /// As `signingSeed`, and makes one, durably, where there is none. The caller holds the ledger's writer lock.
    package func ensureSigningSeed(_ generation: Int64) throws(VaultError) -> SecretKey {
        try state.withLock { state throws(VaultError) in
            try state.database.ensureLedgerKey(Self.signingKey(generation))
            return try state.database.ledgerKey(Self.signingKey(generation))
        }
    }

    private static func signingKey(_ generation: Int64) -> String { "signing-\(generation)" }

    /// The last key that was minted; 0 without one.
    package func lastMinted() throws(VaultError) -> Int64 {
        try state.withLock { state throws(VaultError) in try state.database.lastNumber() }
    }

    /// Destroys every key above this one: minted, and never given to a session of this ledger. A restored ledger does it, since
    /// the ledger that it was copied from may have given them out meanwhile. The caller holds the ledger's writer lock.
    package func retire(after number: Int64, atMilliseconds time: Int64) throws(VaultError) {
        try state.withLock { state throws(VaultError) in
            state.cache.removeAll()
            try state.database.retire(after: number, atMilliseconds: time)
        }
    }

    private static func refresh(_ state: inout State) throws(VaultError) {
        state.refreshedAt = .now
        if try state.database.wasChangedElsewhere() {
            state.cache.removeAll()
            do throws(VaultError) { _ = try state.database.ledgerKey(lookupKey) } catch {
                guard error.code == .wrongMasterKey else { throw error }
                state.isOutdated = true
            }
        }
        if state.isOutdated { throw VaultError(.masterKeyRotated) }
    }

    private func key(_ number: Int64, in state: inout State) throws(VaultError) -> SessionKey {
        if let key = state.cache[number] { return key }
        if let secret = state.cache.takeFresh(number) {
            let key = SessionKey(number: number, secret: secret, cipher: cipher)
            state.cache.insert(key)
            return key
        }
        switch try state.database.row(number) {
        case .none: throw VaultError(.keyUnknown)
        case .destroyed: throw VaultError(.keyDestroyed)
        case .usable(let wrapped):
            let secret = try state.database.unwrap(wrapped, number: number)
            let key = SessionKey(number: number, secret: secret, cipher: cipher)
            state.cache.insert(key)
            return key
        }
    }
}

extension Vault {
    /// Kinds of what a session can be found by; docs/storage-format.md.
    package enum LookupKind: UInt8, Sendable, CaseIterable {
        case clientKey = 1
        case subject = 2
        case transaction = 3
        /// The value is the SHA-256 of the plaintext.
        case media = 4
        case startCommand = 5
        case group = 6
    }

    /// 16 bytes that stand for something personal in `private_lookup`.
    package func lookupDigest(_ kind: LookupKind, _ value: [UInt8]) -> [UInt8] { keyedDigest(kind.rawValue, value) }

    /// 16 bytes that tell whether a repeated command has the same body.
    package func bodyDigest(_ canonicalBody: [UInt8]) -> [UInt8] { keyedDigest(0x80, canonicalBody) }

    private func keyedDigest(_ kind: UInt8, _ value: [UInt8]) -> [UInt8] { code(kind, value).prefix(16) }

    /// 32 bytes of the ledger's own key over a value; the kind keeps uses apart.
    func ledgerCode(_ kind: UInt8, _ value: [UInt8]) -> [UInt8] { code(kind, value).bytes }

    private func code(_ kind: UInt8, _ value: [UInt8]) -> Digest { lookup.withLock { code in code.code(head: kind, value) } }
}
