import Archives
import SystemCalls
import Testing

@testable import CaptureLedger

/// Files that somebody made to harm whoever checks them.
@Suite struct HostileArchiveTests {
    private func block(_ name: String, _ content: [UInt8] = []) -> [UInt8] {
        let header = TarHeader(name: name, size: Int64(content.count))
        return header.bytes + content + [UInt8](repeating: 0, count: header.padding)
    }

    private func altered(_ header: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var header = header
        change(&header)
        for index in 148..<156 { header[index] = 0x20 }
        let sum = String(header[..<512].reduce(0) { $0 + Int($1) }, radix: 8)
        let digits = Array((String(repeating: "0", count: 6 - sum.utf8.count) + sum).utf8) + [0, 0x20]
        for index in 0..<8 { header[148 + index] = digits[index] }
        return header
    }

    @Test func `an archive that is none, is cut, or holds what none of ours holds is refused where it is seen`() throws {
        let whole = try Scene.exported.get().bytes
        let end = [UInt8](repeating: 0, count: 1024)
        let session = block("session.json", Array("{}".utf8))
        let hostile: [(String, [UInt8])] = [
            ("empty", []), ("noise", [UInt8](repeating: 7, count: 5000)), ("zeros", end),
            ("a path upwards", block("../../etc/passwd") + end), ("an absolute path", block("/etc/passwd") + end),
            ("a path in a folder", block("media/../../x") + end), ("an unknown name", block("notes.txt") + end),
            ("a name of media that is none", block("media/01a22d34-3dbf-7f11-a4f0-b36e10e43bc9.exe") + end),
            ("an id in capitals", block("media/01A22D34-3DBF-7F11-A4F0-B36E10E43BC9.jpg") + end),
            ("twice the same", session + session + end), ("out of order", block("events.jsonl") + session + end),
            ("a link", altered(block("session.json")) { $0[156] = UInt8(ascii: "2") } + end),
            ("a folder", altered(block("session.json")) { $0[156] = UInt8(ascii: "5") } + end),
            ("a size beyond the file", TarHeader(name: "session.json", size: 1 << 40).bytes + end),
            (
                "a document that is too large",
                TarHeader(name: "session.json", size: 17 << 20).bytes + [UInt8](repeating: 32, count: 17 << 20) + end
            ),
            ("a negative size", altered(block("session.json")) { $0[124] = 0xFF } + end),
            ("something behind the end", whole + [0]), ("an entry behind the end", whole + session),
            (
                "padding that is not empty",
                {
                    var bytes = session
                    bytes[1023] = 1
                    return bytes + end
                }()
            ),
        ]
        for (name, bytes) in hostile {
            let verdict = try Archive.verify(bytes)
            #expect(verdict.codes.contains("archive_damaged"), "\(name): \(verdict.codes)")
        }
        for length in stride(from: 100, to: whole.count - 1, by: whole.count / 23) {
            #expect(try !Archive.verify(Array(whole[..<length])).isSound, "cut to \(length)")
        }
    }

    @Test func `what is no file at all is refused`() throws {
        let folder = try FileSystem.makeTemporaryFolder()
        defer { _ = try? FileSystem.removeFolder(folder) }
        #expect(throws: SystemError.self) { _ = try FileDescriptor(readingFile: folder) }
    }
}
