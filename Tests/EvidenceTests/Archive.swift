import Archives
import Audit
import Cryptography
import SessionDomain
import SystemCalls
import Testing

@testable import CaptureLedger

/// An archive that a test takes apart and puts together again, as somebody would who alters it and knows its format.
struct Archive {
    var entries: [(name: String, bytes: [UInt8])]

    init(_ path: String) throws {
        let bytes = try readFile(path)
        entries = []
        var offset = 0
        while let header = TarHeader(Array(bytes[offset..<offset + 512])) {
            let start = offset + 512
            entries.append((header.name, Array(bytes[start..<start + Int(header.size)])))
            offset = start + Int(header.size) + header.padding
        }
    }

    subscript(name: String) -> [UInt8] {
        get { entries.first { $0.name == name }?.bytes ?? [] }
        set {
            guard let index = entries.firstIndex(where: { $0.name == name }) else { return }
            entries[index].bytes = newValue
        }
    }

    /// The first entry whose name begins so.
    func name(_ prefix: String) throws -> String { try #require(entries.first { $0.name.hasPrefix(prefix) }?.name) }

    mutating func remove(_ name: String) { entries.removeAll { $0.name == name } }

    /// Replaces text in an entry; it must be there.
    mutating func replace(_ old: String, by new: String, in name: String) throws {
        let text = String(decoding: self[name], as: UTF8.self)
        try #require(text.contains(old), "\(name) has no \(old)")
        self[name] = Array(text.replacing(old, with: new, maxReplacements: 1).utf8)
    }

    /// Alters one line of a file of JSON lines.
    mutating func alter(
        _ name: String, line number: Int, _ change: (inout [JSONValue.Member]) throws -> Void
    ) throws {
        var lines = self[name].split(separator: 0x0A).map(Array.init)
        var members = try #require(try JSONValue.parse(lines[number]).asMembers)
        try change(&members)
        lines[number] = JSONValue.members(members).canonicalBytes
        self[name] = lines.flatMap { $0 + [0x0A] }
    }

    /// Makes listing, manifest and the text of its note fit again. What is signed cannot be made to.
    mutating func forgeDigests() throws {
        let outer = ["SHA256SUMS", "manifest.json", "manifest.note"]
        let listed = entries.filter { !outer.contains($0.name) }
        self["SHA256SUMS"] = listed.flatMap { Array("\(SHA256.digest(of: $0.bytes).hex)  \($0.name)\n".utf8) }
        var members = try #require(try JSONValue.parse(self["manifest.json"]).asMembers).filter { $0.key != "digest" }
        members = members.filter { $0.key != "listing_sha256" && $0.key != "entries" }
        members.append(.init("listing_sha256", .string(SHA256.digest(of: self["SHA256SUMS"]).hex)))
        members.append(.init("entries", .integer(Int64(listed.count))))
        let digest = SHA256.digest(of: JSONValue.members(members).canonicalBytes).hex
        self["manifest.json"] = JSONValue.members(members + [.init("digest", .string(digest))]).canonicalBytes
        guard let note = try? SignedNote(parsing: String(decoding: self["manifest.note"], as: UTF8.self)) else { return }
        let text = "\(EvidenceManifest.format)\n\(digest)\n"
        self["manifest.note"] = Array(SignedNote(text: text, signatures: note.signatures).encoded.utf8)
    }

    var bytes: [UInt8] {
        entries.flatMap { entry -> [UInt8] in
            let header = TarHeader(name: entry.name, size: Int64(entry.bytes.count))
            return header.bytes + entry.bytes + [UInt8](repeating: 0, count: header.padding)
        } + [UInt8](repeating: 0, count: 1024)
    }

    func verify() throws -> EvidenceVerdict { try Archive.verify(bytes) }

    static func verify(_ bytes: [UInt8], trusting key: NoteKey? = nil) throws -> EvidenceVerdict {
        let path = try FileSystem.makeTemporaryFolder() + "/file"
        defer {
            _ = try? FileSystem.remove(path)
            _ = try? FileSystem.removeFolder(FileSystem.parent(of: path))
        }
        try FileDescriptor(opening: path, .createNew).write(bytes)
        return EvidenceVerifier.verify(try FileDescriptor(opening: path, .read), trusting: key)
    }
}

extension EvidenceVerdict {
    var codes: Set<String> { Set(problems.map(\.code.rawValue)) }
}

/// `Tests/verify_evidence.py`, which shares no code with the product.
enum Oracle {
    static func judge(_ bytes: [UInt8]) throws -> JSONValue {
        let path = try FileSystem.makeTemporaryFolder() + "/file"
        defer {
            _ = try? FileSystem.remove(path)
            _ = try? FileSystem.removeFolder(FileSystem.parent(of: path))
        }
        try FileDescriptor(opening: path, .createNew).write(bytes)
        let program = #filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" } + "/verify_evidence.py"
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        let (_, output) = try ChildProcess.run(
            path: "/usr/bin/env", arguments: ["env", "PYTHONPATH=\(root)/.runtime/python", "python3", program, path],
            limitMilliseconds: 60_000, outputLimit: 1 << 20)
        return try JSONValue.parse(output)
    }
}
