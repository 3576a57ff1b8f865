package import Cryptography

/// The sealed files of a ledger for somebody without its keys: whether they are there and unaltered.
package final class SealedFiles: Sendable {
    private let objects: ObjectStore
    /// Those of events up to this position may lie elsewhere: the ledger was imported without them.
    package let elsewhereThrough: Int64

    /// - Throws: `vault_missing`.
    package init(ledger folder: String, elsewhereThrough: Int64 = 0) throws(VaultError) {
        objects = try ObjectStore(ledger: folder, isReadOnly: true)
        self.elsewhereThrough = elsewhereThrough
    }

    /// Size and SHA-256 of a sealed file, in constant memory.
    ///
    /// - Throws: `object_missing`, `storage_failed`.
    package func sealedDigest(
        _ kind: SealedKind, _ id: ObjectID
    ) throws(VaultError) -> (byteCount: Int64, digest: Digest) {
        try objects.sealedDigest(kind, id)
    }
}
