import FoundationEssentials
import MediaChecks
import MediaDecoding
import SessionDomain
import SystemCalls
import TestSupport
import Testing

@Suite(.serialized) struct DamagedFileTests {
    private static let count = 300

    /// Most resident memory since ``forgetPeak()``, in bytes. See proc(5), `VmHWM`.
    private func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return (Int(line.filter(\.isNumber)) ?? 0) << 10
    }

    private func forgetPeak() throws {
        try FileDescriptor(opening: "/proc/self/clear_refs", .write).write(Array("5".utf8))
    }

    @Test func `three hundred damaged files are refused by name or decoded, and nothing else happens`() throws {
        let seed = SeededRandom.seed(for: "damaged files")
        let folder = try FileSystem.makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let made = try ChildProcess.run(
            path: "/usr/bin/env",
            arguments: [
                "env", "python3", "\(ScriptedProgram.scripts)/damage.py", Fixture.folder.path, folder, "\(Self.count)",
                "\(seed)",
            ], limitMilliseconds: 60_000, outputLimit: 1000)
        #expect(made.end == .exited(0))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names.count == Self.count)

        var outcomes: [String: Int] = [:]
        let before = try Belongings.now()
        try forgetPeak()
        let atFirst = try peak()
        for name in names {
            let began = SystemClock.monotonicNanoseconds()
            let outcome = try self.outcome("\(folder)/\(name)")
            let took = (SystemClock.monotonicNanoseconds() - began) / 1_000_000
            #expect(took < 30_000, "\(name) took \(took) ms")
            #expect(!outcome.hasPrefix("unavailable"), "\(name): \(outcome)")
            outcomes[outcome, default: 0] += 1
        }
        let grown = try peak() - atFirst
        print("damaged files: \(outcomes.sorted { $0.key < $1.key }), \(grown >> 20) MiB more at most")
        #expect(grown < 64 << 20)
        #expect(outcomes["decoded", default: 0] >= 10, "nothing gets as far as the decoder")
        #expect(outcomes.count >= 6)
        let after = try Belongings.now()
        #expect(after.children.count <= before.children.count + 1 && after.descriptors <= before.descriptors + 8)
    }

    private func outcome(_ path: String) throws -> String {
        let source = FileSource(try FileDescriptor(opening: path, .read))
        let media: SniffedMedia
        let isVideo: Bool
        do throws(MediaRefusal) {
            do throws(MediaRefusal) {
                media = try MediaSniffer.sniff(source, for: .passportFront, declaredType: nil)
                isVideo = false
            } catch {
                guard error.code == "not_allowed_for_piece" else { throw error }
                media = try MediaSniffer.sniff(source, for: .hologram, declaredType: nil)
                isVideo = true
            }
        } catch { return "sniffer: \(error.code)" }
        do throws(DecodingRefusal) {
            if isVideo {
                let video = try decoder.video(source, media)
                var time: Int64 = 0
                while time < 600, let frame = try video.frame(atMilliseconds: time, .letterbox(side: 64)) {
                    time = frame.timeMilliseconds + 200
                }
                return "decoded"
            }
            let picture = try decoder.picture(source, media)
            _ = try picture.pixels(nil, .letterbox(side: 320))
            _ = try picture.jpeg(NormalizedRect(x: 0.1, y: 0.1, width: 0.8, height: 0.8), longestSide: 1000)
            return "decoded"
        } catch { return "\(error.cause)" }
    }
}

/// A file as the library reads it: a part at a time.
final class FileSource: ByteSource {
    let size: Int64
    private let file: FileDescriptor

    init(_ file: consuming FileDescriptor) {
        size = (try? file.status().size) ?? 0
        self.file = file
    }

    func read(at offset: Int64, into buffer: inout [UInt8]) throws(MediaReadFailure) -> Int {
        do throws(SystemError) {
            var span = buffer.mutableSpan
            return try file.read(into: &span, at: offset)
        } catch { throw MediaReadFailure(systemCode: error.errno) }
    }
}
