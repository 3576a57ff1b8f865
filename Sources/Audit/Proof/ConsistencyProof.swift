package import Cryptography
import EventStorage
package import SessionDomain

/// That a tree begins with an earlier one: nothing was taken out, altered or put in between.
package struct ConsistencyProof: Hashable, Sendable {
    package static let format = "capture-ledger consistency proof v1"

    package let fromSize: Int64
    package let fromRoot: Digest
    package let toSize: Int64
    package let toRoot: Digest
    package let path: [Digest]

    package init(fromSize: Int64, fromRoot: Digest, toSize: Int64, toRoot: Digest, path: [Digest]) {
        self.fromSize = fromSize
        self.fromRoot = fromRoot
        self.toSize = toSize
        self.toRoot = toRoot
        self.path = path
    }

    package var json: JSONValue {
        .members([
            .init("format", .string(Self.format)), .init("from_size", .integer(fromSize)),
            .init("from_root", .string(fromRoot.hex)), .init("to_size", .integer(toSize)),
            .init("to_root", .string(toRoot.hex)), .init("path", .array(path.map { .string($0.hex) })),
        ])
    }

    /// - Throws: `proof_malformed`.
    package init(_ json: JSONValue) throws(AuditError) {
        guard json["format"]?.asString == Self.format, let from = json["from_size"]?.asInteger,
            let to = json["to_size"]?.asInteger, let fromRoot = InclusionProof.digest(json["from_root"]),
            let toRoot = InclusionProof.digest(json["to_root"]), let path = InclusionProof.path(json["path"])
        else { throw AuditError(.proofMalformed, "This is not a proof of consistency.") }
        self.init(fromSize: from, fromRoot: fromRoot, toSize: to, toRoot: toRoot, path: path)
    }

    /// - Throws: `proof_wrong`.
    package func check() throws(AuditError) {
        var hash = SHA256()
        guard MerkleTree.isConsistent(fromSize, fromRoot, toSize, toRoot, path: path, using: &hash) else {
            throw AuditError(.proofWrong, "The later tree does not begin with the earlier one.")
        }
    }
}
