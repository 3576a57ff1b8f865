package import Audit
import EventStorage
import Vault

extension Ledger {
    /// Recomputes everything the ledger promises about its stored bytes; writes nothing.
    package func verify() throws(LedgerError) -> VerificationReport {
        let vault = vault
        let sealed = try unlocked { () throws(VaultError) in try SealedFiles(ledger: files.folder) }
        return try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                try LedgerVerifier(context.connection, files: sealed, vault: vault).verify()
            }
        }
    }
}
