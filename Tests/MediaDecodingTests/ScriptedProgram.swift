import FoundationEssentials
import MediaDecoding
import SystemCalls

/// A program that stands in for the decoder: a script of the folder `Tests/Support/Decoding/Programs`, with words before the ones that
/// the client gives it. Its file goes with this object.
final class ScriptedProgram {
    static let scripts = Fixture.folder.deletingLastPathComponent().appending(path: "Tests/Support/Decoding/Programs").path

    let program: DecoderProgram
    private let folder: String

    init(_ script: String, _ words: String...) throws {
        folder = try FileSystem.makeTemporaryFolder()
        let path = "\(folder)/decoder"
        // The client gives its child no environment.
        let search = EnvironmentVariable.value(of: "PATH") ?? "/usr/bin"
        let text = """
            #!/bin/sh
            PATH='\(search)' exec python3 '\(Self.scripts)/\(script)' \(words.joined(separator: " ")) "$@"

            """
        try Data(text.utf8).write(to: URL(filePath: path))
        _ = try ChildProcess.run(
            path: "/bin/chmod", arguments: ["chmod", "+x", path], limitMilliseconds: 10_000, outputLimit: 0)
        program = DecoderProgram(path: path)
    }

    deinit {
        _ = try? ChildProcess.run(path: "/bin/rm", arguments: ["rm", "-rf", folder], limitMilliseconds: 10_000, outputLimit: 0)
    }
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
