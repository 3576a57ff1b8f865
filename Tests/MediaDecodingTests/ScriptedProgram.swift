import FoundationEssentials
import MediaDecoding
import SystemCalls
import Testing

/// A program that stands in for the decoder: a script of the folder `Tests/Support/Decoding/Programs`, with words before the ones that
/// the client gives it. Its file goes with this object.
final class ScriptedProgram {
    static let scripts = Fixture.folder.deletingLastPathComponent().appending(path: "Tests/Support/Decoding/Programs").path

    let program: DecoderProgram
    private let folder: String

    init(_ script: String, _ words: String...) throws {
        folder = try FileSystem.makeTemporaryFolder()
        let path = "\(folder)/decoder"
        let text = """
            #!/bin/sh
            exec '\(Self.python)' '\(Self.scripts)/\(script)' \(words.map { "'\($0)'" }.joined(separator: " ")) "$@"

            """
        let isMade = FileManager.default.createFile(
            atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o755])
        #expect(isMade)
        program = DecoderProgram(path: path)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The interpreter itself: what stands for it on the path may be a script that needs an environment, and the client gives its
    /// child none.
    private static let python: String = {
        let found = try? ChildProcess.run(
            path: "/usr/bin/env", arguments: ["env", "python3", "-c", "import sys; print(sys.executable, end='')"],
            limitMilliseconds: 60_000, outputLimit: 4096)
        return found.map { String(decoding: $0.output, as: UTF8.self) } ?? "/usr/bin/python3"
    }()
}

/// What this process has open and whom it has started, as the kernel says.
struct Belongings: Equatable {
    let descriptors: Int
    /// Children that run and those that nobody waited for.
    let children: Set<Int32>

    static func now() throws -> Belongings {
        let manager = FileManager.default
        let own = Int32(ProcessInfo.processInfo.processIdentifier)
        var children: Set<Int32> = []
        for name in try manager.contentsOfDirectory(atPath: "/proc") {
            guard let number = Int32(name), let stat = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                let end = stat.lastIndex(of: ")")
            else { continue }
            let words = stat[stat.index(after: end)...].split(separator: " ")
            if words.count > 1, Int32(words[1]) == own { children.insert(number) }
        }
        return Belongings(descriptors: try manager.contentsOfDirectory(atPath: "/proc/self/fd").count, children: children)
    }
}
