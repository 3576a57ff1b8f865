import Audit
import Cryptography
import EventStorage
import SessionDomain
import Vault

/// What proves an export's events: a signed checkpoint over a tree that holds them, and the path of each to its root.
struct ExportProof {
    let made: MadeCheckpoint
    let keys: SigningKeyChain

    var key: NoteKey { made.key }

    var shown: ReportContent.Proof {
        .init(
            note: made.note, treeSize: made.treeSize, root: made.signed.checkpoint.root.hex, key: made.key.text)
    }
}

extension Ledger {
    /// Signs the log as it is: what was collected before is under it.
    func makeExportProof() throws(LedgerError) -> ExportProof {
        var options = CheckpointOptions()
        options.actor = "export"
        return ExportProof(made: try makeCheckpoint(options), keys: try signingKeys())
    }
}

extension Ledger {
    /// A note over the manifest by the key that signed the checkpoint.
    func signature(of manifest: EvidenceManifest, _ proof: ExportProof) throws(LedgerError) -> [UInt8] {
        let keys = try keys
        let seed = try unlocked { () throws(VaultError) in try keys.signingSeed(proof.made.generation) }
        let text = manifest.signedText
        return Array(SignedNote(text: text, signatures: [proof.key.sign(text, seed: seed)]).encoded.utf8)
    }
}

extension EvidenceExport {
    func writeProof() throws(LedgerError) {
        try add(.checkpoint, Array(proof.made.note.utf8))
        try add(.signingKeys, proof.keys.keys.flatMap { EvidenceVerifier.line($0).canonicalBytes + [0x0A] })
        let size = proof.made.treeSize
        try grow(.inclusion) { (spool) throws(LedgerError) in
            try ledger.prove(collected.positions.lazy.map { ProofRequest.inclusion(position: $0, size: size) }) {
                (proof) throws(LedgerError) in
                guard case .inclusion(let found) = proof else { return }
                let bare = InclusionProof(
                    position: found.position, treeSize: found.treeSize, leaf: found.leaf, path: found.path, root: found.root,
                    event: nil, checkpoint: nil)
                try spool.write(bare.json.canonicalBytes + [0x0A])
            }
        }
    }
}
