package import Audit
import EventStorage
import Vault

extension Ledger {
    /// Recomputes everything the ledger promises about its stored bytes; writes nothing.
    package func verify(_ options: AuditOptions = AuditOptions()) throws(LedgerError) -> VerificationReport {
        let vault = vault
        var options = options
        if options.cosigner == nil { options.cosigner = settings.witnessKey }
        let asked = options
        let sealed = try unlocked { () throws(VaultError) in
            try SealedFiles(ledger: files.folder, elsewhereThrough: elsewhereThrough())
        }
        var report = try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                try LedgerVerifier(context.connection, files: sealed, vault: vault, options: asked).verify()
            }
        }
        if let vaultProblem, options.checksContent, !Self.isNoFault(vaultProblem) {
            report.add(LedgerProblem(.keyUnreadable, "The keys do not open: \(vaultProblem.message)"))
        }
        return report
    }

    /// Who may read a ledger need not have its keys, and how their file is guarded is a matter for the doctor.
    private static func isNoFault(_ problem: LedgerError) -> Bool {
        ["master_key_missing", "master_key_shut", "master_key_exposed", "permission_denied"].contains(problem.code.rawValue)
    }
}
