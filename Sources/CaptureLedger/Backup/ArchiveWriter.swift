import Archives
import Cryptography
import SystemCalls

/// Writes a backup's archive front to back, in constant memory.
final class ArchiveWriter {
    private let file: FileDescriptor
    private let listing: FileDescriptor
    private var listingHash = SHA256()
    private(set) var entries = 0
    private(set) var bytes: Int64 = 0

    /// - Parameter listing: a file that gets a line for each entry.
    init(_ file: consuming FileDescriptor, listing: consuming FileDescriptor) {
        self.file = file
        self.listing = listing
    }

    /// Adds a file's content and answers its digest.
    @discardableResult
    func add(_ name: ArchiveName, _ source: borrowing FileDescriptor) throws(SystemError) -> (digest: Digest, bytes: Int64) {
        let header = TarHeader(name: name.text, size: try source.status().size)
        try write(header.bytes)
        var hash = SHA256()
        var offset: Int64 = 0
        var buffer = [UInt8](repeating: 0, count: Int(min(max(header.size, 1), 1 << 18)))
        while offset < header.size {
            let wanted = min(Int64(buffer.count), header.size - offset)
            var span = buffer.mutableSpan
            let count = min(try source.read(into: &span, at: offset), Int(wanted))
            if count == 0 { throw SystemError(.inputOutput, call: "read", path: name.text) }
            let part = buffer.span.extracting(0..<count)
            hash.update(part)
            try file.write(part)
            offset += Int64(count)
        }
        bytes += offset
        try write([UInt8](repeating: 0, count: header.padding))
        let digest = hash.finish()
        if name != .listing && name != .manifest { try list(name, digest) }
        return (digest, header.size)
    }

    func add(_ name: ArchiveName, _ content: [UInt8]) throws(SystemError) {
        let header = TarHeader(name: name.text, size: Int64(content.count))
        try write(header.bytes)
        try write(content)
        try write([UInt8](repeating: 0, count: header.padding))
        if name != .listing && name != .manifest { try list(name, SHA256.digest(of: content)) }
    }

    private func list(_ name: ArchiveName, _ digest: Digest) throws(SystemError) {
        let line = Self.line(name, digest)
        listingHash.update(line)
        try listing.write(line)
        entries += 1
    }

    static func line(_ name: ArchiveName, _ digest: Digest) -> [UInt8] { Array("\(digest.hex)  \(name.text)\n".utf8) }

    /// Adds the listing of everything before it and answers its digest.
    func addListing() throws(SystemError) -> Digest {
        try add(.listing, listing)
        return listingHash.finish()
    }

    /// Ends the archive; it is on the disk when it returns. The file's size.
    func finish() throws(SystemError) -> Int64 {
        try write([UInt8](repeating: 0, count: 2 * TarHeader.blockSize))
        try file.synchronize()
        return bytes
    }

    private func write(_ content: [UInt8]) throws(SystemError) {
        try file.write(content)
        bytes += Int64(content.count)
    }
}
