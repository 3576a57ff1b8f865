import Cryptography

/// The public half of a key that cosigns checkpoints with Ed25519 (c2sp.org/tlog-cosignature), under the cosigner's name: a witness's.
package struct CosignerKey: Hashable, Sendable {
    /// The type of timestamped Ed25519 cosignatures.
    private static let type: UInt8 = 4
    private static let timeByteCount = 8

    package let name: String
    package let publicKey: [UInt8]

    /// The text `NAME+HASH+KEY`, around which white space does not matter.
    ///
    /// - Throws: `key_malformed`.
    package init(parsing text: String) throws(AuditError) {
        (name, publicKey) = try NoteKey.parse(text, type: Self.type, what: "a witness, which cosigns with Ed25519")
    }

    private var keyID: [UInt8] { NoteKey.keyID(name, type: Self.type, publicKey) }

    /// What lines of signatures say of a checkpoint.
    package enum Judgement: Hashable, Sendable {
        /// None of them is of this key.
        case absent
        case wrong
        /// The newest time, in seconds since 1970, at which the cosigner says that it knew of no larger tree.
        case right(seconds: Int64)
    }

    /// - Parameters:
    ///   - lines: as the witness gave them. Those of other keys, and what is no line of a signature, do not matter.
    ///   - text: of the checkpoint, without its signatures.
    package func judge(_ lines: String, of text: String) -> Judgement {
        let keyID = keyID
        let own = lines.utf8.split(separator: 0x0A).compactMap { SignedNote.signature($0) }.filter {
            $0.name == name && $0.keyID == keyID
        }
        var newest: Int64?
        for signature in own {
            guard let seconds = seconds(signature.bytes, text) else { return .wrong }
            newest = max(newest ?? 0, seconds)
        }
        return newest.map { .right(seconds: $0) } ?? .absent
    }

    /// When it was signed; nil when it was not, or over another text.
    private func seconds(_ timestamped: [UInt8], _ text: String) -> Int64? {
        guard timestamped.count == Self.timeByteCount + Ed25519.signatureByteCount else { return nil }
        let time = timestamped[..<Self.timeByteCount].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let seconds = Int64(exactly: time) else { return nil }
        let message = Array("cosignature/v1\ntime \(seconds)\n\(text)".utf8)
        let signature = Array(timestamped[Self.timeByteCount...])
        return Ed25519.verify(signature, of: message, publicKey: publicKey) ? seconds : nil
    }
}
