import Foundation
import Sandbox
import Testing

/// One after the other, since they measure the process's memory.
@Suite(.serialized) struct `Large bodies stream through` {
    @Test func `a capture of 200 MB grows memory by less than 64 MiB`() throws {
        let size = 200_000_000
        // head -c 200000000 /dev/zero | sha256sum
        let digest = "d162f6594b643795442d4c7bba3a1711962b9e63717625d9f1f9696df315c86b"
        let sample = SampleCapture(media: [])
        let metadata = sample.metadata.replacingOccurrences(of: "\"bytes\":0", with: "\"bytes\":\(size)")
            .replacingOccurrences(of: sample.digest, with: digest)
        let head = sample.body(metadata: metadata, media: [], end: "")
        let end = Array("\r\n--\(sample.boundary)--\r\n".utf8)
        try withFile(head, holeOf: size, end) { file in
            let sandbox = try Sandbox()
            defer { sandbox.stop() }
            let before = try residentBytes("VmRSS")
            let answer = try Curl(sample.headers + ["-X", "POST", "-T", file, sandbox.verifierURL])
            #expect(answer.status == 200, "\(answer.body)")
            #expect(sandbox.record().requests.first?.bytes == size)
            #expect(try residentBytes("VmHWM") - before < 64 << 20)
        }
    }

    @Test func `S77 a video of 72 MB grows memory by less than 64 MiB`() throws {
        let sample = SampleVideo()
        try withFile(
            Array(#"{"video":""#.utf8), letters: 96_000_000,
            Array(#"","rotate":0,"cardType":"NEW-ID","transactionId":"t"}"#.utf8)
        ) {
            file in
            let sandbox = try Sandbox()
            defer { sandbox.stop() }
            let before = try residentBytes("VmRSS")
            let answer = try Curl([
                "-H", "Content-Type: application/json", "-H", "Idempotency-Key: \(sample.key)", "-X", "POST", "-T", file,
                sandbox.hologramURL,
            ])
            #expect(answer.status == 200, "\(answer.body)")
            #expect(sandbox.record().requests.first?.bytes == 72_000_000)
            #expect(try residentBytes("VmHWM") - before < 64 << 20)
        }
    }

    private func withFile(
        _ head: [UInt8], holeOf size: Int = 0, letters: Int = 0, _ end: [UInt8], _ body: (String) throws -> Void
    ) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("large-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(head).write(to: url)
        let file = try FileHandle(forWritingTo: url)
        try file.seekToEnd()
        let chunk = Data(repeating: UInt8(ascii: "A"), count: 1_000_000)
        for _ in 0..<letters / chunk.count { try file.write(contentsOf: chunk) }
        try file.seek(toOffset: UInt64(head.count + size + letters))
        try file.write(contentsOf: Data(end))
        try file.close()
        try body(url.path)
    }

    /// What the kernel says of this process; the high-water mark begins anew with each question for the present size.
    private func residentBytes(_ name: String) throws -> Int {
        if name == "VmRSS" { try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"), options: []) }
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name) })
        return try #require(Int(line.filter(\.isNumber))) * 1024
    }
}
