import Audit
import Cryptography
import EventStorage
import SessionDomain
import Vault

/// What proves an export's events: a signed checkpoint over a tree that holds them, and the path of each to its root.
struct ExportProof {
    let made: MadeCheckpoint
    let keys: SigningKeyChain
    let inclusion: [InclusionProof]

    var key: NoteKey { made.key }

    var shown: ReportContent.Proof {
        .init(
            note: made.note, treeSize: made.treeSize, root: made.signed.checkpoint.root.hex, key: made.key.text)
    }
}

extension Ledger {
    func proofs(of collected: CollectedSession) throws(LedgerError) -> ExportProof {
        var options = CheckpointOptions()
        options.actor = "export"
        let made = try makeCheckpoint(options)
        var inclusion: [InclusionProof] = []
        let requests = collected.records.map { ProofRequest.inclusion(position: $0.record.position, size: made.treeSize) }
        try prove(requests) { (proof) throws(LedgerError) in
            guard case .inclusion(let found) = proof else { return }
            inclusion.append(
                InclusionProof(
                    position: found.position, treeSize: found.treeSize, leaf: found.leaf, path: found.path, root: found.root,
                    event: nil, checkpoint: nil))
        }
        return ExportProof(made: made, keys: try signingKeys(), inclusion: inclusion)
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
        try add(.inclusion, proof.inclusion.flatMap { $0.json.canonicalBytes + [0x0A] })
    }
}
