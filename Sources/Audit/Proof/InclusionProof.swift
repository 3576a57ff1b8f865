package import Cryptography
import EventStorage
package import SessionDomain

/// That one event is under the root of a tree.
package struct InclusionProof: Hashable, Sendable {
    package static let format = "capture-ledger inclusion proof v1"

    /// Of the event; its leaf is the one before, counted from 0.
    package let position: Int64
    package let treeSize: Int64
    package let leaf: Digest
    /// Siblings from the leaf up.
    package let path: [Digest]
    package let root: Digest
    /// The canonical bytes of the event, whose hash the leaf is.
    package let event: [UInt8]?
    /// The signed checkpoint of that tree, when one of exactly this size was signed.
    package let checkpoint: String?

    package init(
        position: Int64, treeSize: Int64, leaf: Digest, path: [Digest], root: Digest, event: [UInt8]?, checkpoint: String?
    ) {
        self.position = position
        self.treeSize = treeSize
        self.leaf = leaf
        self.path = path
        self.root = root
        self.event = event
        self.checkpoint = checkpoint
    }

    package var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("format", .string(Self.format)), .init("position", .integer(position)),
            .init("tree_size", .integer(treeSize)), .init("leaf", .string(leaf.hex)), .init("root", .string(root.hex)),
            .init("path", .array(path.map { .string($0.hex) })),
        ]
        if let event { members.append(.init("event", .string(Hex.text(event)))) }
        if let checkpoint { members.append(.init("checkpoint", .string(checkpoint))) }
        return .members(members)
    }

    /// - Throws: `proof_malformed`.
    package init(_ json: JSONValue) throws(AuditError) {
        guard json["format"]?.asString == Self.format, let position = json["position"]?.asInteger,
            let size = json["tree_size"]?.asInteger, let leaf = Self.digest(json["leaf"]), let root = Self.digest(json["root"]),
            let path = Self.path(json["path"])
        else { throw AuditError(.proofMalformed, "This is not a proof of inclusion.") }
        let text = json["event"]?.asString
        let event = text.flatMap { Hex.bytes($0) }
        guard (text == nil) == (event == nil) else {
            throw AuditError(.proofMalformed, "The event in the proof cannot be read.")
        }
        self.init(
            position: position, treeSize: size, leaf: leaf, path: path, root: root, event: event,
            checkpoint: json["checkpoint"]?.asString)
    }

    static func digest(_ json: JSONValue?) -> Digest? { json?.asString.flatMap { Hex.bytes($0) }.flatMap { Digest($0) } }

    static func path(_ json: JSONValue?) -> [Digest]? {
        guard let texts = json?.asArray, texts.count <= 64 else { return nil }
        let path = texts.compactMap { digest($0) }
        return path.count == texts.count ? path : nil
    }

    /// The path leads from the event to the root.
    ///
    /// - Throws: `proof_wrong`.
    package func check() throws(AuditError) {
        var hash = SHA256()
        if let event {
            guard hash.digest(prefix: 0, event.span) == leaf else {
                throw AuditError(.proofWrong, "The event in the proof is not the leaf that it proves.")
            }
            guard Self.position(of: event) == position else {
                throw AuditError(.proofWrong, "The event in the proof stands at another position.")
            }
        }
        guard
            MerkleTree.root(of: leaf, at: position - 1, size: treeSize, path: path, using: &hash) == root
        else { throw AuditError(.proofWrong, "The path of the proof does not lead from its leaf to its root.") }
    }

    /// As `check`, and the root is the one of the checkpoint, which that key signed. Needs no ledger.
    ///
    /// - Parameter note: the checkpoint; nil: the one in the proof.
    /// - Throws: `proof_malformed`, `note_malformed`, `signature_wrong`, `proof_wrong`.
    package func check(against note: String? = nil, key: NoteKey) throws(AuditError) {
        guard let note = note ?? checkpoint else {
            throw AuditError(.proofMalformed, "The proof has no checkpoint with it.")
        }
        let signed = try SignedCheckpoint(parsing: note)
        try signed.check(key)
        guard signed.checkpoint.treeSize == treeSize, signed.checkpoint.root == root else {
            throw AuditError(.proofWrong, "The proof is of another tree than the checkpoint.")
        }
        try check()
    }

    /// The first column of an event's bytes.
    private static func position(of event: [UInt8]) -> Int64? {
        guard event.count >= 9, event[0] == 1 else { return nil }
        return Int64(bitPattern: event[1..<9].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
