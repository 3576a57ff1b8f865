import Cryptography
import SystemCalls

extension ObjectStore {
    /// Size and SHA-256 of a sealed file, in constant memory.
    func sealedDigest(_ kind: SealedKind, _ id: ObjectID) throws(VaultError) -> (byteCount: Int64, digest: Digest) {
        let file = try openFile(kind, id)
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 262_144)
        var offset: Int64 = 0
        do {
            while true {
                var span = buffer.mutableSpan
                let count = try file.read(into: &span, at: offset)
                if count == 0 { return (offset, hash.finish()) }
                hash.update(buffer.span.extracting(0..<count))
                offset += Int64(count)
            }
        } catch {
            throw VaultError(error)
        }
    }
}
