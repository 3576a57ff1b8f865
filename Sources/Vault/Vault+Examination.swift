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

extension KeyDatabase {
    private static let examined = 1024

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
                switch (page.int64(1), page.optionalBlob(2)) {
                case (1, let wrapped?):
                    if WrappedKey.open(wrapped, &wrapping, aad: WrappedKey.aad(keyNumber: number)) == nil {
                        faults.append((number, .doesNotOpen))
                    }
                case (2, nil): break
                default: faults.append((number, .stateUnclear))
                }
            }
        } catch {
            throw VaultError(error)
        }
        return (faults, newest)
    }
}
