package import Cryptography
import SystemCalls

/// A sealed file that is durable and still locked: let go of it once the event that names it is durable.
package final class SealedObject: Sendable {
    package let kind: SealedKind
    package let id: ObjectID
    package let plainByteCount: Int64
    /// SHA-256 of the plaintext. It is personal: only `SessionKey.commitment(of:)` of it may be written down in the clear.
    package let plainDigest: Digest
    package let sealedByteCount: Int64
    /// SHA-256 of the file, which lets it be verified without a key.
    package let sealedDigest: Digest
    private let file: FileDescriptor

    init(
        kind: SealedKind, id: ObjectID, plainByteCount: Int64, plainDigest: Digest, sealedByteCount: Int64,
        sealedDigest: Digest, file: consuming FileDescriptor
    ) {
        self.kind = kind
        self.id = id
        self.plainByteCount = plainByteCount
        self.plainDigest = plainDigest
        self.sealedByteCount = sealedByteCount
        self.sealedDigest = sealedDigest
        self.file = file
    }

    /// Its bytes are durable when it returns; its name is another matter.
    func synchronize() throws(SystemError) { try file.synchronize() }
}
