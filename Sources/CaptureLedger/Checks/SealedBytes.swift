import MediaChecks
import Vault

/// A sealed original as decoders read it: opened a chunk at a time, never as a plain file. One thread at a time.
final class SealedBytes: ByteSource {
    let size: Int64
    /// Why it stopped opening: a fault of the store's and not of the capture.
    private(set) var fault: VaultError?
    private let reader: SealedReader

    init(_ reader: SealedReader) {
        self.reader = reader
        size = reader.byteCount
    }

    func read(at offset: Int64, into buffer: inout [UInt8]) throws(MediaReadFailure) -> Int {
        do throws(VaultError) {
            let bytes = try reader.read(at: offset, limit: buffer.count)
            buffer.replaceSubrange(0..<bytes.count, with: bytes)
            return bytes.count
        } catch {
            fault = error
            throw MediaReadFailure()
        }
    }
}
