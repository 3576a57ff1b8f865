import Cryptography
import SQLite
import SchemaFiles

extension KeyDatabase {
    private static let page = 1_024

    /// Wraps every key under another master key, in one durable transaction: afterwards the new one opens all of them and the old one
    /// none; when it throws, or the program is killed, it is the other way round.
    ///
    /// - Returns: how many keys there are.
    /// - Throws: `wrong_master_key` when one of them does not open, `storage_full`, `vault_busy`.
    mutating func rewrap(with master: MasterKey) throws(VaultError) -> Int {
        var new = AESGCM(key: master.wrapping)
        var count = 0
        do {
            let transaction = try Transaction(connection)
            let text = try guardText()
            try connection.execute(SchemaFiles.keysLiftGuard)
            for (name, wrapped) in try ledgerKeys() {
                let statement = try Statement(connection, SchemaFiles.keysRewrapLedgerKey)
                statement.bind(name, at: 1)
                statement.bind(try rewrapped(wrapped, to: &new, aad: WrappedKey.aad(name: name)), at: 2)
                try statement.run()
                count += 1
            }
            let update = try Statement(connection, SchemaFiles.keysRewrap)
            var last: Int64 = 0
            while true {
                let page = try usableKeys(after: last)
                guard let newest = page.last else { break }
                for (number, wrapped) in page {
                    update.bind(number, at: 1)
                    update.bind(try rewrapped(wrapped, to: &new, aad: WrappedKey.aad(keyNumber: number)), at: 2)
                    try update.run()
                }
                count += page.count
                last = newest.number
            }
            try connection.execute(text)
            try transaction.commit()
        } catch {
            throw VaultError(wrapping: error)
        }
        wrapping = new
        return count
    }

    private mutating func rewrapped(_ wrapped: [UInt8], to new: inout AESGCM, aad: [UInt8]) throws(VaultError) -> [UInt8] {
        guard let result = WrappedKey.rewrap(wrapped, from: &wrapping, to: &new, aad: aad) else {
            throw VaultError(.wrongMasterKey)
        }
        return result
    }

    /// The trigger that keeps a wrapped key from being exchanged, which only a rotation may.
    private func guardText() throws -> String {
        let row = try Statement(connection, SchemaFiles.keysGuardText)
        guard try row.step() else { throw VaultError(.vaultDamaged, cause: "a trigger is missing") }
        return row.text(0)
    }

    func ledgerKeys() throws(SQLiteError) -> [(name: String, wrapped: [UInt8])] {
        let row = try Statement(connection, SchemaFiles.keysListLedgerKeys)
        var keys: [(name: String, wrapped: [UInt8])] = []
        while try row.step() { keys.append((row.text(0), row.blob(1))) }
        return keys
    }

    func usableKeys(after number: Int64) throws(SQLiteError) -> [(number: Int64, wrapped: [UInt8])] {
        let row = try Statement(connection, SchemaFiles.keysUsableAfter)
        row.bind(number, at: 1)
        row.bind(Self.page, at: 2)
        var keys: [(number: Int64, wrapped: [UInt8])] = []
        while try row.step() { keys.append((row.int64(0), row.blob(1))) }
        return keys
    }
}
