/// Where the chunks of a sealed stream lie; docs/storage-format.md, "Sealed objects".
package struct StreamLayout: Sendable, Equatable {
    package static let headerByteCount = 24
    package static let saltByteCount = 16
    package static let chunkByteCount = 65_536
    package static let sealedChunkByteCount = chunkByteCount + AESGCM.tagByteCount
    static let magic = Array("CLSTRM1\n".utf8)

    /// Bytes of the plaintext.
    package let plainByteCount: Int64
    /// At least one: an empty plaintext is one empty last chunk.
    package let chunkCount: Int64

    /// Of a file of `sealedByteCount` bytes.
    ///
    /// - Throws: `truncated` when no stream has that size, `too_large` beyond 2³² chunks.
    package init(sealedByteCount: Int64) throws(CryptographyError) {
        let body = sealedByteCount - Int64(Self.headerByteCount)
        guard body >= Int64(AESGCM.tagByteCount) else { throw .truncated }
        let size = Int64(Self.sealedChunkByteCount)
        let count = (body + size - 1) / size
        let last = body - (count - 1) * size
        guard last > Int64(AESGCM.tagByteCount) || (count == 1 && last == Int64(AESGCM.tagByteCount)) else { throw .truncated }
        guard count <= 1 << 32 else { throw .tooLarge }
        chunkCount = count
        plainByteCount = body - count * Int64(AESGCM.tagByteCount)
    }

    package static func sealedByteCount(plainByteCount: Int64) -> Int64 {
        let chunks = max(1, (plainByteCount + Int64(chunkByteCount) - 1) / Int64(chunkByteCount))
        return Int64(headerByteCount) + plainByteCount + chunks * Int64(AESGCM.tagByteCount)
    }

    package func isLast(_ chunk: Int64) -> Bool { chunk == chunkCount - 1 }

    /// The sealed bytes of a chunk in the file.
    package func sealedRange(of chunk: Int64) -> Range<Int64> {
        let start = Int64(Self.headerByteCount) + chunk * Int64(Self.sealedChunkByteCount)
        return start..<start + Int64(plainByteCount(of: chunk) + AESGCM.tagByteCount)
    }

    package func plainByteCount(of chunk: Int64) -> Int {
        isLast(chunk) ? Int(plainByteCount - chunk * Int64(Self.chunkByteCount)) : Self.chunkByteCount
    }
}
