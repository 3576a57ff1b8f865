import Archives
package import Cryptography
package import SystemCalls

/// Writes an evidence archive front to back, in constant memory.
package final class EvidenceWriter {
    private let file: FileDescriptor
    private var lines: [UInt8] = []
    package private(set) var entries = 0
    package private(set) var bytes: Int64 = 0

    package init(_ file: consuming FileDescriptor) { self.file = file }

    /// Adds an entry of `size` bytes that `next` hands over in parts.
    ///
    /// - Parameter next: answers at least one byte as long as there are any.
    /// - Returns: the digest of what was added.
    /// - Throws: `input_output` when there was less or more than was said.
    @discardableResult
    package func add(
        _ name: EvidenceName, size: Int64, _ next: (_ offset: Int64) throws(SystemError) -> ArraySlice<UInt8>
    ) throws(SystemError) -> Digest {
        let header = TarHeader(name: name.text, size: size)
        try write(header.bytes)
        var hash = SHA256()
        var offset: Int64 = 0
        while offset < size {
            let part = try next(offset)
            guard !part.isEmpty, Int64(part.count) <= size - offset else {
                throw SystemError(.inputOutput, call: "read", path: name.text)
            }
            hash.update(part.span)
            try file.write(part.span)
            offset += Int64(part.count)
        }
        bytes += offset
        try write([UInt8](repeating: 0, count: header.padding))
        let digest = hash.finish()
        list(name, digest)
        return digest
    }

    @discardableResult
    package func add(_ name: EvidenceName, _ content: [UInt8]) throws(SystemError) -> Digest {
        try add(name, size: Int64(content.count)) { offset in content[Int(offset)...] }
    }

    /// Adds everything that a file holds.
    package func add(_ name: EvidenceName, _ source: borrowing FileDescriptor) throws(SystemError) {
        let header = TarHeader(name: name.text, size: try source.status().size)
        try write(header.bytes)
        var hash = SHA256()
        var offset: Int64 = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while offset < header.size {
            let wanted = Int(min(Int64(buffer.count), header.size - offset))
            var span = buffer.mutableSpan
            let count = min(try source.read(into: &span, at: offset), wanted)
            if count == 0 { throw SystemError(.inputOutput, call: "read", path: name.text) }
            let part = buffer.span.extracting(0..<count)
            hash.update(part)
            try file.write(part)
            offset += Int64(count)
        }
        bytes += offset
        try write([UInt8](repeating: 0, count: header.padding))
        list(name, hash.finish())
    }

    private func list(_ name: EvidenceName, _ digest: Digest) {
        if name.rank >= EvidenceName.listing.rank { return }
        lines += Self.line(name.text, digest)
        entries += 1
    }

    static func line(_ name: String, _ digest: Digest) -> [UInt8] { Array("\(digest.hex)  \(name)\n".utf8) }

    /// Adds the listing of everything before it and answers its digest.
    package func addListing() throws(SystemError) -> Digest { try add(.listing, lines) }

    /// Ends the archive; it is on the disk when it returns. The file's size.
    package func finish() throws(SystemError) -> Int64 {
        try write([UInt8](repeating: 0, count: 2 * TarHeader.blockSize))
        try file.synchronize()
        return bytes
    }

    private func write(_ content: [UInt8]) throws(SystemError) {
        try file.write(content)
        bytes += Int64(content.count)
    }
}
