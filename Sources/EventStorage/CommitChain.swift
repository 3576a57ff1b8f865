package import Cryptography
package import SessionDomain

/// The chain over commits and the leaves of the tree; `docs/storage-format.md` gives the bytes.
package enum CommitChain {
    package static func beginning(ledgerID: UUID128) -> Digest {
        SHA256.digest(of: Array("capture-ledger chain v1".utf8) + ledgerID.bytes)
    }

    /// An event's leaf hash (RFC 6962 §2.1).
    static func leaf(of row: Span<UInt8>, using hash: inout SHA256) -> Digest { hash.digest(prefix: 0, row) }

    package static func next(
        after chain: Digest, first: Int64, last: Int64, committedAtMilliseconds: Int64, leaves: [UInt8],
        using hash: inout SHA256
    ) -> Digest {
        hash.update(byte: 2)
        hash.update(chain)
        hash.update(UInt64(bitPattern: first))
        hash.update(UInt64(bitPattern: last))
        hash.update(UInt64(bitPattern: committedAtMilliseconds))
        hash.update(leaves)
        return hash.finish()
    }
}
