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

    private let archive: TarReader
    private var seen: Set<EvidenceName> = []
    private var last: EvidenceName?

    package init(_ file: consuming FileDescriptor) throws(EvidenceProblem) {
        do throws(TarFault) { archive = try TarReader(file) } catch { throw Self.broken(error, after: nil) }
    }

    /// The next entry; nil behind the last one. The content of the one before is left out when it was not read.
    package func next() throws(EvidenceProblem) -> Entry? {
        guard let header = try read({ () throws(TarFault) in try archive.next() }) else {
            guard last?.rank ?? 0 >= EvidenceName.manifest.rank else { throw Self.broken(.cutShort, after: last) }
            return nil
        }
        guard last != .signature else { throw Self.broken(.goesOn, after: last) }
        guard let name = EvidenceName(header.name) else {
            throw Self.broken("It holds a file that no evidence archive has, after \(last?.text ?? "its beginning").")
        }
        guard seen.insert(name).inserted else { throw Self.broken("\(name.text) comes twice.") }
        guard seen.count <= Self.entryLimit else { throw Self.broken("It holds too many files.") }
        guard name.rank >= last?.rank ?? 0 else { throw Self.broken("\(name.text) is out of order.") }
        last = name
        return Entry(name: name, size: header.size)
    }

    /// Hands over the entry's content in parts and answers its digest.
    package func content(_ body: (ArraySlice<UInt8>) throws(EvidenceProblem) -> Void) throws(EvidenceProblem) -> Digest {
        while let part = try read({ () throws(TarFault) in try archive.part() }) { try body(part) }
        return try read { () throws(TarFault) in try archive.digest() }
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

    private func read<Value>(_ step: () throws(TarFault) -> Value) throws(EvidenceProblem) -> Value {
        do throws(TarFault) { return try step() } catch { throw Self.broken(error, after: last) }
    }

    private static func broken(_ fault: TarFault, after last: EvidenceName?) -> EvidenceProblem {
        let place = last?.text ?? "its beginning"
        return switch fault {
        case .unreadable(let error): broken("It cannot be read: \(error.message).")
        case .notAFile: broken("It is not a file.")
        case .notAnArchive: broken("It is not an evidence archive.")
        case .foreignEntry: broken("What follows \(place) is no file of an archive.")
        case .cutShort: broken("It is cut short after \(place).")
        case .alteredBetween: broken("It was altered between its files, after \(place).")
        case .goesOn: broken("Something follows its end.")
        }
    }

    private static func broken(_ message: String) -> EvidenceProblem { EvidenceProblem(.archiveDamaged, message) }
}
