package import Cryptography
package import SystemCalls

/// Why an archive is none, or not as one of ours is.
package enum TarFault: Error, Sendable {
    case unreadable(SystemError)
    /// A folder, a pipe, a device.
    case notAFile
    /// Its first block is no header of ours.
    case notAnArchive
    /// What follows a file is no header of ours, and not the end.
    case foreignEntry
    case cutShort
    /// Something stands where only zeros do.
    case alteredBetween
    case goesOn
}

/// Reads an archive front to back, in constant memory, and believes nothing. What may be in it, and in which order, is for the caller to know.
package final class TarReader {
    private static let partSize = 1 << 18

    private let file: FileDescriptor
    private let size: Int64
    private var offset: Int64 = 0
    private var block = [UInt8](repeating: 0, count: TarHeader.blockSize)
    private var buffer: [UInt8] = []
    private var header: TarHeader?
    /// Of the present file's content, not yet read.
    private var left: Int64 = 0
    private var hash = SHA256()

    /// Takes an archive over from its beginning.
    package init(_ file: consuming FileDescriptor) throws(TarFault) {
        let status: FileStatus
        do throws(SystemError) { status = try file.status() } catch { throw .unreadable(error) }
        guard status.kind == .file else { throw .notAFile }
        size = status.size
        self.file = file
    }

    /// The next file; nil at the end, behind which there is nothing. What was not read of the one before is read and left out.
    package func next() throws(TarFault) -> TarHeader? {
        if header != nil { _ = try digest() }
        let isFirst = offset == 0
        let block = try read(TarHeader.blockSize)
        if !isFirst, block.allSatisfy({ $0 == 0 }) {
            guard try read(TarHeader.blockSize).allSatisfy({ $0 == 0 }), offset == size else { throw .goesOn }
            return nil
        }
        guard let next = TarHeader(block) else { throw isFirst ? .notAnArchive : .foreignEntry }
        guard next.size <= size - offset else { throw .cutShort }
        (header, left) = (next, next.size)
        hash = SHA256()
        buffer = [UInt8](repeating: 0, count: Int(min(max(next.size, 1), Int64(Self.partSize))))
        return next
    }

    /// The next part of the file's content; nil behind the last.
    package func part() throws(TarFault) -> ArraySlice<UInt8>? {
        guard left > 0 else { return nil }
        let count = Int(min(left, Int64(buffer.count)))
        try fill(&buffer, count)
        hash.update(buffer.span.extracting(0..<count))
        left -= Int64(count)
        return buffer[..<count]
    }

    /// Of the whole content, once what is left of it was read.
    package func digest() throws(TarFault) -> Digest {
        while try part() != nil {}
        guard try read(header?.padding ?? 0).allSatisfy({ $0 == 0 }) else { throw .alteredBetween }
        header = nil
        return hash.finish()
    }

    /// Within a block.
    private func read(_ count: Int) throws(TarFault) -> ArraySlice<UInt8> {
        if count > 0 { try fill(&block, count) }
        return block[..<count]
    }

    /// The next `count` bytes, in front of `bytes`; what follows them there means nothing.
    private func fill(_ bytes: inout [UInt8], _ count: Int) throws(TarFault) {
        let got: Int
        do throws(SystemError) {
            var span = bytes.mutableSpan
            got = try file.read(into: &span, at: offset)
        } catch { throw .unreadable(error) }
        guard got >= count else { throw offset == 0 ? .notAnArchive : .cutShort }
        offset += Int64(count)
    }
}
