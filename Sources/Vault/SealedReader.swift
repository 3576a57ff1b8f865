package import Cryptography
import SystemCalls

/// Opens a sealed file a chunk at a time, in any order, in constant memory. It goes on reading a file that was removed meanwhile.
/// One thread at a time.
package final class SealedReader {
    /// Exact size of the plaintext.
    package var byteCount: Int64 { opener.layout.plainByteCount }

    private let file: FileDescriptor
    private let opener: StreamOpener
    private let key: SessionKey
    private var sealed: [UInt8] = []
    private var plain: [UInt8] = []
    private var current: Int64 = -1

    /// - Throws: `key_destroyed`, `truncated`, `unknown_format`, `storage_failed`.
    init(
        _ file: consuming FileDescriptor, _ kind: SealedKind, _ id: ObjectID, key: SessionKey
    ) throws(VaultError) {
        try key.check()
        do {
            let status = try file.status()
            guard status.kind == .file else { throw VaultError(.unknownFormat) }
            var header = [UInt8](repeating: 0, count: StreamLayout.headerByteCount)
            var span = header.mutableSpan
            let count = try file.read(into: &span, at: 0)
            header.removeLast(header.count - count)
            opener = try StreamOpener(key: key.secret, header: header, info: kind.info(id), sealedByteCount: status.size)
        } catch {
            throw VaultError(wrapping: error)
        }
        self.key = key
        self.file = file
    }

    /// At least one byte and at most `limit` from `offset`; none at the end. The bytes are authentic, and in their place.
    ///
    /// - Throws: `authentication_failed`, `truncated`, `key_destroyed`, `storage_failed`.
    package func read(at offset: Int64, limit: Int) throws(VaultError) -> ArraySlice<UInt8> {
        guard offset >= 0, offset < byteCount, limit > 0 else { return [] }
        try load(offset / Int64(StreamLayout.chunkByteCount))
        let start = Int(offset % Int64(StreamLayout.chunkByteCount))
        return plain[start..<min(plain.count, start + limit)]
    }

    /// Appends bytes from `offset` on: at least one where there is room and the end was not reached. Whole chunks are opened where
    /// they end up, and room that no further whole chunk fits into stays free. The bytes are authentic, and in their place.
    ///
    /// - Throws: as `read(at:limit:)`; what was appended before is authentic.
    package func read(at offset: Int64, into output: inout OutputSpan<UInt8>) throws(VaultError) {
        let size = Int64(StreamLayout.chunkByteCount)
        var offset = max(0, offset)
        var isFirst = true
        while output.freeCapacity > 0, offset < byteCount {
            let (chunk, start) = (offset / size, Int(offset % size))
            let whole = opener.layout.plainByteCount(of: chunk)
            if start == 0, chunk != current, whole <= output.freeCapacity {
                try open(chunk, into: &output)
                offset += Int64(whole)
            } else if start == 0, !isFirst {
                return
            } else {
                try load(chunk)
                let end = min(plain.count, start + output.freeCapacity)
                output.append(plain.span.extracting(start..<end))
                offset += Int64(end - start)
            }
            isFirst = false
        }
    }

    /// All of an object that is known to be small.
    ///
    /// - Throws: `object_too_large` beyond `limit` bytes.
    package func readAll(limit: Int) throws(VaultError) -> [UInt8] {
        guard byteCount <= Int64(limit) else { throw VaultError(.objectTooLarge) }
        var result: [UInt8] = []
        result.reserveCapacity(Int(byteCount))
        for chunk in 0..<opener.layout.chunkCount {
            try load(chunk)
            result.append(contentsOf: plain)
        }
        return result
    }

    /// Opens every chunk and keeps none: whether the file is whole and authentic.
    ///
    /// - Returns: SHA-256 of the plaintext.
    package func verify() throws(VaultError) -> Digest {
        var hash = SHA256()
        for chunk in 0..<opener.layout.chunkCount {
            try load(chunk)
            hash.update(plain)
        }
        return hash.finish()
    }

    private func open(_ chunk: Int64, into output: inout OutputSpan<UInt8>) throws(VaultError) {
        try key.check()
        let range = opener.layout.sealedRange(of: chunk)
        do {
            var tag = InlineArray<16, UInt8>(repeating: 0)
            var span = tag.mutableSpan
            let count = try file.read(
                opener.layout.plainByteCount(of: chunk), appendingTo: &output, then: &span, at: range.lowerBound)
            guard count == range.count else { throw VaultError(.truncated) }
            try opener.open(chunk: chunk, atEndOf: &output, tag: tag.span)
        } catch {
            throw VaultError(wrapping: error)
        }
    }

    private func load(_ chunk: Int64) throws(VaultError) {
        if chunk == current { return }
        try key.check()
        let range = opener.layout.sealedRange(of: chunk)
        current = -1
        plain.removeAll(keepingCapacity: true)
        do {
            var sealed: [UInt8] = []
            swap(&sealed, &self.sealed)
            defer { swap(&sealed, &self.sealed) }
            // Only the last chunk has another size.
            if sealed.count != range.count { sealed = [UInt8](repeating: 0, count: range.count) }
            var span = sealed.mutableSpan
            let count = try file.read(into: &span, at: range.lowerBound)
            guard count == range.count else { throw VaultError(.truncated) }
            try opener.open(chunk: chunk, sealed.span, appendingTo: &plain)
        } catch {
            throw VaultError(wrapping: error)
        }
        current = chunk
    }
}
