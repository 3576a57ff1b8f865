import Cryptography

extension Vault {
    /// Wraps every key under another master key, durably or not at all. The caller holds the ledger's writer lock.
    ///
    /// - Returns: how many keys there are.
    /// - Throws: `master_key_rotated` when another process did it meanwhile, `wrong_master_key`, `storage_full`.
    package func rewrap(with master: MasterKey) throws(VaultError) -> Int {
        try refresh()
        return try state.withLock { state throws(VaultError) in try state.database.rewrap(with: master) }
    }

    /// Whether this master key opens the keys as they are wrapped now.
    package func opens(with master: MasterKey) throws(VaultError) -> Bool {
        try state.withLock { state throws(VaultError) in
            guard let wrapped = try state.database.wrappedLedgerKey(Self.lookupKey) else { return false }
            var cipher = AESGCM(key: master.wrapping)
            return WrappedKey.open(wrapped, &cipher, aad: WrappedKey.aad(name: Self.lookupKey)) != nil
        }
    }

    /// 32 hexadecimal digits that name how the keys are wrapped now: others after each rotation, and nothing of a key.
    package func wrappingName() throws(VaultError) -> String {
        let wrapped = try state.withLock { state throws(VaultError) in try state.database.wrappedLedgerKey(Self.lookupKey) }
        return String(SHA256.digest(of: wrapped ?? []).hex.prefix(32))
    }
}
