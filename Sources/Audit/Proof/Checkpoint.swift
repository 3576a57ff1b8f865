package import Cryptography
package import SessionDomain

/// What a ledger's log was at one moment, in the form of c2sp.org/tlog-checkpoint: so many events, under this root.
package struct Checkpoint: Hashable, Sendable {
    /// Names the log: one ledger between two restores.
    package let origin: String
    package let treeSize: Int64
    package let root: Digest
    /// Lines after the root; ours say the epoch and the time.
    package let extensions: [String]

    package init(ledgerID: UUID128, epoch: UUID128, treeSize: Int64, root: Digest, signedAtMilliseconds: Int64) {
        origin = Self.origin(ledgerID: ledgerID, epoch: epoch)
        self.treeSize = treeSize
        self.root = root
        extensions = ["epoch \(epoch.text)", "time \(signedAtMilliseconds)"]
    }

    /// A restored ledger is another log from there on, since it may have lost what was signed before: it has another origin.
    package static func origin(ledgerID: UUID128, epoch: UUID128) -> String {
        "capture-ledger/\(ledgerID.text)/\(epoch.text)"
    }

    /// - Parameter text: of a note, without its signatures.
    /// - Throws: `note_malformed`.
    package init(parsing text: String) throws(AuditError) {
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.count >= 4, lines[lines.count - 1].isEmpty, lines.dropLast().allSatisfy({ !$0.isEmpty }),
            let size = Int64(String(decoding: lines[1], as: UTF8.self)), size >= 0,
            String(size).utf8.elementsEqual(lines[1]), let bytes = SignedNote.canonical(lines[2]), let root = Digest(bytes)
        else { throw AuditError(.noteMalformed, "The note is not a checkpoint.") }
        origin = String(decoding: lines[0], as: UTF8.self)
        treeSize = size
        self.root = root
        extensions = lines[3..<lines.count - 1].map { String(decoding: $0, as: UTF8.self) }
    }

    /// What is signed.
    package var text: String {
        ([origin, String(treeSize), Base64.encode(root.bytes)] + extensions).map { $0 + "\n" }.joined()
    }

    /// The ledger that the origin names, and its epoch; nil for another program's log.
    package var names: (ledgerID: UUID128, epoch: UUID128)? {
        let parts = origin.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "capture-ledger", let ledger = UUID128(parts[1]), let epoch = UUID128(parts[2])
        else { return nil }
        return (ledger, epoch)
    }

    package var signedAtMilliseconds: Int64? { value(of: "time").flatMap { Int64($0) } }
    package var epoch: UUID128? { value(of: "epoch").flatMap { UUID128($0) } }

    private func value(of name: String) -> Substring? {
        extensions.first { $0.hasPrefix(name + " ") }.map { $0.dropFirst(name.count + 1) }
    }
}

/// A checkpoint with its note.
package struct SignedCheckpoint: Hashable, Sendable {
    package let checkpoint: Checkpoint
    package let note: SignedNote

    /// - Throws: `note_malformed`.
    package init(parsing note: String) throws(AuditError) {
        self.note = try SignedNote(parsing: note)
        checkpoint = try Checkpoint(parsing: self.note.text)
    }

    package init(_ checkpoint: Checkpoint, key: NoteKey, seed: SecretKey) {
        self.checkpoint = checkpoint
        note = SignedNote(text: checkpoint.text, signatures: [key.sign(checkpoint.text, seed: seed)])
    }

    /// - Throws: `signature_wrong`.
    package func check(_ key: NoteKey) throws(AuditError) {
        guard key.verifies(note) else {
            throw AuditError(.signatureWrong, "The checkpoint is not signed by that key, or was altered after it was signed.")
        }
    }
}
