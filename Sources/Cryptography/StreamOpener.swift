/// Opens the chunks of a sealed stream in any order. A chunk opens only in its own place of its own stream, and the last only as
/// the last: reordered, exchanged, lengthened or shortened streams do not open.
package final class StreamOpener {
    package let layout: StreamLayout
    private let header: [UInt8]
    private var cipher: AESGCM

    /// - Parameters:
    ///   - key: the session's key.
    ///   - header: the first 24 bytes of the file.
    ///   - sealedByteCount: the size of the file.
    /// - Throws: `truncated`, `unknown_format`, `too_large`.
    package init(
        key: SecretKey, header: [UInt8], info: [UInt8], sealedByteCount: Int64
    ) throws(CryptographyError) {
        layout = try StreamLayout(sealedByteCount: sealedByteCount)
        guard header.count == StreamLayout.headerByteCount else { throw .truncated }
        guard header.starts(with: StreamLayout.magic) else { throw .unknownFormat }
        self.header = header
        let salt = Array(header.suffix(StreamLayout.saltByteCount))
        cipher = AESGCM(key: HKDF.key(from: key, salt: salt, info: info))
    }

    /// Appends the plaintext of a chunk to `output`; nothing when it does not open.
    ///
    /// - Parameter sealed: the bytes at `layout.sealedRange(of: chunk)`.
    package func open(
        chunk: Int64, _ sealed: Span<UInt8>, appendingTo output: inout [UInt8]
    ) throws(CryptographyError) {
        guard (0..<layout.chunkCount).contains(chunk), sealed.count == layout.plainByteCount(of: chunk) + AESGCM.tagByteCount
        else { throw .truncated }
        let nonce = Nonce(chunk: UInt32(truncatingIfNeeded: chunk), isLast: layout.isLast(chunk))
        let header = header
        try cipher.open(sealed, nonce: nonce, aad: header.span, appendingTo: &output)
    }

    /// Opens a chunk whose sealed bytes, without their tag, end `output`. They are taken away when it does not open.
    package func open(
        chunk: Int64, atEndOf output: inout OutputSpan<UInt8>, tag: Span<UInt8>
    ) throws(CryptographyError) {
        guard (0..<layout.chunkCount).contains(chunk) else { throw .truncated }
        let nonce = Nonce(chunk: UInt32(truncatingIfNeeded: chunk), isLast: layout.isLast(chunk))
        let header = header
        try cipher.open(last: layout.plainByteCount(of: chunk), of: &output, tag: tag, nonce: nonce, aad: header.span)
    }
}
