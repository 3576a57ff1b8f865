package import Cryptography
package import SystemCalls

/// Writes an archive front to back, in constant memory.
package final class TarWriter {
    private static let partSize = 1 << 18

    private let file: FileDescriptor
    private var bytes: Int64 = 0
    private var hash = SHA256()

    package init(_ file: consuming FileDescriptor) { self.file = file }

    /// Adds a file of `size` bytes that `next` hands over in parts.
    ///
    /// - Parameters:
    ///   - name: at most 99 bytes.
    ///   - next: answers at least one byte as long as there are any.
    /// - Returns: the digest of what was added.
    /// - Throws: `input_output` when there was less or more than was said.
    @discardableResult
    package func add(
        _ name: String, size: Int64, _ next: (_ offset: Int64) throws(SystemError) -> ArraySlice<UInt8>
    ) throws(SystemError) -> Digest {
        let header = try begin(name, size)
        var offset: Int64 = 0
        while offset < size { offset += try append(try next(offset), of: header, at: offset) }
        return try end(header)
    }

    @discardableResult
    package func add(_ name: String, _ content: [UInt8]) throws(SystemError) -> Digest {
        try add(name, size: Int64(content.count)) { offset in content[Int(offset)...] }
    }

    /// Adds everything that a file holds.
    @discardableResult
    package func add(_ name: String, _ source: borrowing FileDescriptor) throws(SystemError) -> Digest {
        let header = try begin(name, try source.status().size)
        var buffer = [UInt8](repeating: 0, count: Int(min(max(header.size, 1), Int64(Self.partSize))))
        var offset: Int64 = 0
        while offset < header.size {
            var span = buffer.mutableSpan
            let count = min(try source.read(into: &span, at: offset), Int(clamping: header.size - offset))
            offset += try append(buffer[..<count], of: header, at: offset)
        }
        return try end(header)
    }

    private func begin(_ name: String, _ size: Int64) throws(SystemError) -> TarHeader {
        let header = TarHeader(name: name, size: size)
        try write(header.bytes)
        hash = SHA256()
        return header
    }

    private func append(_ part: ArraySlice<UInt8>, of header: TarHeader, at offset: Int64) throws(SystemError) -> Int64 {
        guard !part.isEmpty, Int64(part.count) <= header.size - offset else {
            throw SystemError(.inputOutput, call: "read", path: header.name)
        }
        hash.update(part.span)
        try file.write(part.span)
        bytes += Int64(part.count)
        return Int64(part.count)
    }

    private func end(_ header: TarHeader) throws(SystemError) -> Digest {
        try write([UInt8](repeating: 0, count: header.padding))
        return hash.finish()
    }

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

    /// A line of a listing that `sha256sum -c` reads.
    package static func listed(_ name: String, _ digest: Digest) -> [UInt8] { Array("\(digest.hex)  \(name)\n".utf8) }
}
