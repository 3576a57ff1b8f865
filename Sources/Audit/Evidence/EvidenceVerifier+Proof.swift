import Cryptography
package import EventStorage
package import SessionDomain

extension EvidenceVerifier {
    func readProof(_ line: ArraySlice<UInt8>) {
        guard let json = try? JSONValue.parse(Array(line)), let proof = try? InclusionProof(json) else {
            verdict.add(.proofWrong, in: .inclusion, "A line is no proof of inclusion.")
            return
        }
        if proven.isEmpty {
            // the checkpoint stands before its proofs
            proven = [Bool?](repeating: nil, count: leaves.count)
            provenTo = checkpointNote.flatMap { try? SignedCheckpoint(parsing: $0) }?.checkpoint
        }
        guard let provenTo, let place = place(of: proof.position) else { return }
        proven[place] = Self.holds(proof, leaves[place].leaf, provenTo)
    }

    /// Events are in the order of their positions.
    private func place(of position: Int64) -> Int? {
        var (low, high) = (0, leaves.count)
        while low < high {
            let middle = (low + high) / 2
            if leaves[middle].position < position { low = middle + 1 } else { high = middle }
        }
        return low < leaves.count && leaves[low].position == position ? low : nil
    }

    private static func holds(_ proof: InclusionProof, _ leaf: Digest, _ checkpoint: Checkpoint) -> Bool {
        guard proof.leaf == leaf, proof.root == checkpoint.root, proof.treeSize == checkpoint.treeSize else { return false }
        return (try? proof.check()) != nil
    }

    /// The checkpoint is signed, and every event is under its root.
    func checkProof(trusting key: NoteKey?) {
        guard let checkpointNote else {
            verdict.add(
                .proofMissing, in: .checkpoint,
                "There is no signed checkpoint: nothing says that the ledger holds these events.")
            return
        }
        let signed: SignedCheckpoint
        do throws(AuditError) { signed = try SignedCheckpoint(parsing: checkpointNote) } catch {
            verdict.add(.checkpointUnreadable, in: .checkpoint, error.message)
            return
        }
        verdict.treeSize = signed.checkpoint.treeSize
        verdict.root = signed.checkpoint.root.hex
        verdict.signedAtMilliseconds = signed.checkpoint.signedAtMilliseconds
        if signed.checkpoint.names?.ledgerID != verdict.ledger {
            verdict.add(.checkpointUnreadable, in: .checkpoint, "The checkpoint is of another ledger.")
        }
        checkSignature(of: signed, trusting: key)
        checkPaths()
    }

    private func checkSignature(of signed: SignedCheckpoint, trusting trusted: NoteKey?) {
        let chain = SigningKeyChain(ledgerID: verdict.ledger ?? UUID128(high: 0, low: 0), keys: keyLines.compactMap(Self.key))
        if keyLines.count != chain.keys.count || !chain.unendorsed.isEmpty {
            verdict.add(.signatureWrong, in: .signingKeys, "A signing key is not signed by the one before it.")
        }
        guard let generation = chain.signer(of: signed), let signer = chain.key(generation) else {
            verdict.add(
                .signatureWrong, in: .checkpoint, "The checkpoint is signed by none of the keys that are named beside it.")
            return
        }
        let key = NoteKey(name: signed.checkpoint.origin, publicKey: signer.publicKey)
        verdict.key = key.text
        checkManifest(signedBy: key)
        guard let trusted else { return }
        // Whoever trusts an older key trusts those that it signed.
        let isTrusted = chain.keys.contains { $0.generation <= generation && $0.publicKey == trusted.publicKey }
        if isTrusted, chain.unendorsed.isEmpty {
            verdict.isKeyTrusted = true
        } else {
            verdict.add(.keyUnexpected, in: .checkpoint, "The checkpoint is signed, and not by the key that was given.")
        }
    }

    /// The key of the checkpoint stands for the whole file, the report in it included.
    private func checkManifest(signedBy key: NoteKey) {
        guard let manifest, let signature else { return }
        guard let note = try? SignedNote(parsing: signature), note.text == manifest.signedText, key.verifies(note) else {
            verdict.add(.signatureWrong, in: .signature, "The manifest is not signed by the key of the checkpoint.")
            return
        }
        verdict.isManifestSigned = true
    }

    private func checkPaths() {
        for (place, leaf) in leaves.enumerated() {
            switch place < proven.count ? proven[place] : nil {
            case true: verdict.provenEvents += 1
            case false:
                verdict.add(
                    .proofWrong, in: .inclusion, at: leaf.position, "The event is not under the root of the checkpoint.")
            case nil:
                verdict.add(.proofMissing, in: .inclusion, at: leaf.position, "The event has no proof of inclusion.")
            }
        }
    }

    /// A line of `proof/signing-keys.jsonl`.
    static func key(_ json: JSONValue) -> StoredSigningKey? {
        guard let generation = json["generation"]?.asInteger, let created = json["created_at_ms"]?.asInteger,
            let key = json["public_key"]?.asString.flatMap({ Hex.bytes($0) }), key.count == 32
        else { return nil }
        let endorsement = json["endorsement"]?.asString.flatMap { Hex.bytes($0) }
        return StoredSigningKey(
            generation: generation, publicKey: key, createdAtMilliseconds: created, endorsement: endorsement)
    }

    package static func line(_ key: StoredSigningKey) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("generation", .integer(key.generation)), .init("public_key", .string(Hex.text(key.publicKey))),
            .init("created_at_ms", .integer(key.createdAtMilliseconds)),
        ]
        if let endorsement = key.endorsement { members.append(.init("endorsement", .string(Hex.text(endorsement)))) }
        return .members(members)
    }
}
