import Audit
import Cryptography
import EventStorage
import HTMLPages
package import SessionDomain
import SystemCalls
import Vault

extension Ledger {
    /// Writes everything that is held about a session, with its proofs, into one file that can be checked without the ledger. That it was
    /// made is on record before the file gets its name. Memory does not grow with the media, and with the events by a few bytes
    /// each; the file is read again and checked. Until it has its name it has none where the file system allows that: what is not sealed any more
    /// must not be left lying when this process is killed.
    ///
    /// An erased session gives what is left of it.
    ///
    /// - Throws: `no_such_session`, `file_exists`, `no_such_folder`, `master_key_missing`, the refusals of a session whose erasure is
    ///   requested, what keeps a checkpoint from being signed, and what the disk refuses. No file is left then.
    package func exportEvidence(
        of session: SessionID, to path: String, options: EvidenceExportOptions = EvidenceExportOptions()
    ) throws(LedgerError) -> EvidenceExportReport {
        let target = try BackupFiles(path)
        let collected = try collect(session, options)
        let proof = try makeExportProof()
        try recordAccess(
            options.isRedacted ? "evidence_exported_redacted" : "evidence_exported", session,
            options.actor.map { [.init("actor", .string($0))] } ?? [])
        let export = try EvidenceExport(self, collected, proof, options, into: target)
        try export.writeRecords()
        try export.writeRequests()
        try export.writeMedia()
        try export.writeProof()
        try export.writeReport()
        let size = try export.finish()
        let verdict = EvidenceVerifier.verify(try target.reopened(), trusting: proof.key)
        if verdict.problems.contains(where: { $0.code == .archiveDamaged }) {
            throw LedgerError(
                code: .init(rawValue: "export_damaged"), message: "The export does not read back as it was written.",
                remedy: "Look at the disk and the system's log, then export again.", isRetryable: true)
        }
        try target.place()
        return EvidenceExportReport(
            path: path, session: session, bytes: size, leftOut: export.leftOut, verdict: verdict)
    }
}
