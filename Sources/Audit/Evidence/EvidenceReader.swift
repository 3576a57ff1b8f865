import Archives
package import Cryptography
package import SystemCalls

/// Reads an evidence archive front to back, in constant memory, and believes nothing: an entry of another form or name, one that comes
/// twice or out of order, a link, a byte too many is an error. It unpacks nothing.
package final class EvidenceReader {
    /// More entries than this are no archive of one session.
    static let entryLimit = 100_000

    package struct Entry: Sendable {
        package let name: EvidenceName
        package let size: Int64
    }

    private let file: FileDescriptor
    private let size: Int64
    private var offset: Int64 = 0
    private var seen: Set<EvidenceName> = []
    private var last: EvidenceName?
    private var unread: TarHeader?

    package init(_ file: consuming FileDescriptor) throws(EvidenceProblem) {
        let status: FileStatus
        do { status = try file.status() } catch { throw Self.broken("It cannot be read: \(error.message).") }
        guard status.kind == .file else { throw Self.broken("It is not a file.") }
        size = status.size
        self.file = file
    }

    /// The next entry; nil behind the last one. The content of the one before is skipped when it was not read.
    package func next() throws(EvidenceProblem) -> Entry? {
        if unread != nil { _ = try content { _ in } }
        let block = try read(TarHeader.blockSize)
        if let last, last.rank >= EvidenceName.manifest.rank, last == .signature || block.allSatisfy({ $0 == 0 }) {
            return try end(block)
        }
        guard let header = TarHeader(block) else {
            throw Self.broken(
                offset == Int64(TarHeader.blockSize)
                    ? "It is not an evidence archive."
                    : "What follows \(last?.text ?? "its beginning") is no file of an archive.")
        }
        guard let name = EvidenceName(header.name) else {
            throw Self.broken("It holds a file that no evidence archive has, after \(last?.text ?? "its beginning").")
        }
        guard seen.insert(name).inserted else { throw Self.broken("\(name.text) comes twice.") }
        guard seen.count <= Self.entryLimit else { throw Self.broken("It holds too many files.") }
        guard name.rank >= last?.rank ?? 0 else { throw Self.broken("\(name.text) is out of order.") }
        guard header.size <= size - offset else { throw Self.broken("It is cut short in \(name.text).") }
        last = name
        unread = header
        return Entry(name: name, size: header.size)
    }

    /// Hands over the entry's content in parts and answers its digest.
    package func content(_ body: (ArraySlice<UInt8>) throws(EvidenceProblem) -> Void) throws(EvidenceProblem) -> Digest {
        guard let header = unread else { return SHA256.digest(of: []) }
        unread = nil
        var hash = SHA256()
        var left = header.size
        var buffer = [UInt8](repeating: 0, count: Int(min(max(left, 1), 1 << 18)))
        while left > 0 {
            let count = Int(min(left, Int64(buffer.count)))
            try fill(&buffer, count)
            hash.update(buffer.span.extracting(0..<count))
            try body(buffer[..<count])
            left -= Int64(count)
        }
        guard try read(header.padding).allSatisfy({ $0 == 0 }) else {
            throw Self.broken("It was altered between its files, after \(header.name).")
        }
        return hash.finish()
    }

    /// The whole content of an entry that is known to be small.
    func all(_ entry: Entry, limit: Int) throws(EvidenceProblem) -> (bytes: [UInt8], digest: Digest) {
        guard entry.size <= Int64(limit) else { throw Self.broken("\(entry.name.text) is larger than it can be.") }
        var bytes: [UInt8] = []
        let digest = try content { part in bytes.append(contentsOf: part) }
        return (bytes, digest)
    }

    /// Hands over an entry's content line by line, without the line feeds.
    func lines(
        _ entry: Entry, limit: Int, _ body: (ArraySlice<UInt8>) throws(EvidenceProblem) -> Void
    ) throws(EvidenceProblem) -> Digest {
        var line: [UInt8] = []
        let digest = try content { (part) throws(EvidenceProblem) in
            var rest = part
            while let feed = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line.append(contentsOf: rest[..<feed])
                rest = rest[(feed + 1)...]
                try body(line[...])
                line.removeAll(keepingCapacity: true)
            }
            line.append(contentsOf: rest)
            guard line.count <= limit else { throw Self.broken("A line of \(entry.name.text) is longer than it can be.") }
        }
        guard line.isEmpty else { throw Self.broken("\(entry.name.text) ends in the middle of a line.") }
        return digest
    }

    private func end(_ block: [UInt8]) throws(EvidenceProblem) -> Entry? {
        guard block.allSatisfy({ $0 == 0 }), try read(TarHeader.blockSize).allSatisfy({ $0 == 0 }), offset == size else {
            throw Self.broken("Something follows its end.")
        }
        return nil
    }

    private func read(_ count: Int) throws(EvidenceProblem) -> [UInt8] {
        if count == 0 { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        try fill(&bytes, count)
        return bytes
    }

    private func fill(_ bytes: inout [UInt8], _ count: Int) throws(EvidenceProblem) {
        let got: Int
        do throws(SystemError) {
            var span = bytes.mutableSpan
            got = try file.read(into: &span, at: offset)
        } catch { throw Self.broken("It cannot be read: \(error.message).") }
        guard got >= count else {
            throw Self.broken(
                offset == 0 ? "It is not an evidence archive." : "It is cut short after \(last?.text ?? "its beginning").")
        }
        offset += Int64(count)
    }

    private static func broken(_ message: String) -> EvidenceProblem { EvidenceProblem(.archiveDamaged, message) }
}
