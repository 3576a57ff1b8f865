package import Cryptography

extension Vault {
    /// Begins to seal an object.
    ///
    /// - Throws: `key_destroyed`, `object_exists`, `storage_full`, `storage_failed`.
    package func write(_ kind: SealedKind, _ id: ObjectID, key: SessionKey) throws(VaultError) -> SealedWriter {
        try SealedWriter(objects, kind, id, key: key)
    }

    /// Seals a small object in one go, durably. The result is locked until it is let go of.
    package func write(
        _ kind: SealedKind, _ id: ObjectID, key: SessionKey, _ plain: [UInt8]
    ) throws(VaultError) -> SealedObject {
        let writer = try write(kind, id, key: key)
        try writer.append(plain)
        return try writer.finish()
    }

    /// - Throws: `object_missing`, `key_destroyed`, `truncated`, `unknown_format`, `storage_failed`.
    package func read(_ kind: SealedKind, _ id: ObjectID, key: SessionKey) throws(VaultError) -> SealedReader {
        try SealedReader(try objects.openFile(kind, id), kind, id, key: key)
    }

    /// Destroys an object's file; the entry is gone durably, the bytes on the disk are not overwritten.
    ///
    /// - Returns: true when it was there.
    @discardableResult
    package func remove(_ kind: SealedKind, _ id: ObjectID) throws(VaultError) -> Bool { try objects.remove(kind, id) }

    package func exists(_ kind: SealedKind, _ id: ObjectID) throws(VaultError) -> Bool {
        do {
            _ = try objects.openFile(kind, id)
            return true
        } catch {
            if error.code == .objectMissing { return false }
            throw error
        }
    }

    /// Size and SHA-256 of a sealed file, for verifying it without its key, in constant memory.
    ///
    /// - Throws: `object_missing`, `storage_failed`.
    package func sealedDigest(
        _ kind: SealedKind, _ id: ObjectID
    ) throws(VaultError) -> (byteCount: Int64, digest: Digest) {
        try objects.sealedDigest(kind, id)
    }
}
