import Cryptography
import SystemCalls

/// Seals one object into a staging file that is locked all the while, in constant memory. Nothing is left of it unless `finish`
/// returns: an error, or letting go of the writer, removes the file, and after a crash `orphans` finds it unlocked.
/// One thread at a time.
package final class SealedWriter {
    package let kind: SealedKind
    package let id: ObjectID
    /// Bytes of plaintext so far.
    package private(set) var plainByteCount: Int64 = 0

    private let store: ObjectStore
    private let key: SessionKey
    private let sealer: StreamSealer
    private var file: FileDescriptor?
    private var plainHash = SHA256()
    private var sealedHash = SHA256()
    private var sealedByteCount: Int64 = 0

    /// - Throws: `key_destroyed`, `object_exists` when the object is being written elsewhere, `storage_full`.
    init(_ store: ObjectStore, _ kind: SealedKind, _ id: ObjectID, key: SessionKey) throws(VaultError) {
        try key.check()
        self.store = store
        self.kind = kind
        self.id = id
        self.key = key
        let salt = SecureRandom.bytes(StreamLayout.saltByteCount)
        sealer = StreamSealer(key: key.secret, salt: salt, info: kind.info(id))
        do {
            file = try store.makeStagingFile(kind, id)
        } catch {
            throw error.code == .wouldBlock ? VaultError(.objectExists) : VaultError(error)
        }
    }

    deinit { removeFile() }

    /// Takes bytes in pieces of any size.
    ///
    /// - Throws: `storage_full`, `storage_failed`, `object_too_large`; nothing is left of the object then.
    package func append(_ plain: Span<UInt8>) throws(VaultError) {
        precondition(file != nil, "the writer was finished or aborted")
        plainHash.update(plain)
        plainByteCount += Int64(plain.count)
        var done = 0
        do {
            while done < plain.count {
                if sealer.isFull { try drain() }
                done += try sealer.append(plain.extracting(droppingFirst: done))
            }
        } catch {
            throw abandoned(error)
        }
    }

    package func append(_ plain: [UInt8]) throws(VaultError) { try append(plain.span) }

    /// Makes the object durable under its name: file, folder and all.
    ///
    /// - Returns: what an event says of it. The file stays locked until the returned value is let go of: hold it until the event
    ///   that names the object is durable, so that nobody takes the file for an orphan.
    /// - Throws: `object_exists`, `key_destroyed`, `storage_full`, `storage_failed`; nothing is left of the object then.
    package func finish() throws(VaultError) -> SealedObject {
        precondition(file != nil, "the writer was finished or aborted")
        do {
            try key.check()
            if sealer.isFull { try drain() }
            try sealer.finish()
            try drain()
            try place()
        } catch {
            throw abandoned(error)
        }
        return SealedObject(
            kind: kind, id: id, plainByteCount: plainByteCount, plainDigest: plainHash.finish(),
            sealedByteCount: sealedByteCount, sealedDigest: sealedHash.finish(), file: file.take()!)
    }

    /// Removes what was written.
    package func abort() { removeFile() }

    private func drain() throws(VaultError) {
        do {
            try sealer.drain { sealed throws(SystemError) in
                sealedHash.update(sealed)
                sealedByteCount += Int64(sealed.count)
                try file!.write(sealed)
            }
        } catch {
            throw VaultError(error)
        }
    }

    private func place() throws(VaultError) {
        do {
            try file!.synchronize()
            try store.place(kind, id)
        } catch {
            throw error.code == .alreadyExists ? VaultError(.objectExists) : VaultError(error)
        }
    }

    private func abandoned(_ error: any Error) -> VaultError {
        removeFile()
        return VaultError(wrapping: error)
    }

    private func removeFile() {
        guard file != nil else { return }
        store.removeStagingFile(kind, id)
        file = nil
    }
}
