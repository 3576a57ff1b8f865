import SessionDomain
import Synchronization
import SystemCalls
import Testing

@testable import CommandLineTool

/// A user at a machine of their own: a home folder, a ledger, and what the tool printed.
final class Desk {
    let home: String
    var ledger: String { home + "/my.ledger" }
    var environment: [String: String]

    struct Answer {
        let exit: ExitCode
        let output: [UInt8]
        let errors: [String]

        var text: String { String(decoding: output, as: UTF8.self) }
        /// Exactly one object, on one line.
        var json: JSONValue {
            get throws {
                #expect(output.count { $0 == 0x0A } == 1 && output.last == 0x0A)
                return try JSONValue.parse(Array(output.dropLast()))
            }
        }
        var errorCode: String? { try? json["error"]?["code"]?.asString }
    }

    init() throws {
        home = try FileSystem.makeTemporaryFolder()
        environment = ["HOME": home, "CAPTURE_LEDGER": home + "/my.ledger"]
    }

    deinit { Desk.remove(home) }

    /// A folder with everything in it.
    private static func remove(_ path: String) {
        if let folder = try? FileDescriptor(opening: path, .folder), let names = try? folder.names() {
            for name in names {
                if let status = try? folder.status(of: name), status.kind == .folder { remove(path + "/" + name) }
                _ = try? folder.remove(name)
            }
        }
        _ = try? FileSystem.removeFolder(path)
    }

    @discardableResult
    func run(_ words: String...) async -> Answer { await run(words) }

    func run(_ words: [String]) async -> Answer {
        let output = Collected<UInt8>()
        let errors = Collected<String>()
        let exit = await Tool(environment: environment).run(words) { isJSON, _ in
            Console(isJSON: isJSON, output: { output.add($0) }, errors: { errors.add([$0]) })
        }
        return Answer(exit: exit, output: output.all, errors: errors.all)
    }

    /// With `--json`; it must end with 0.
    @discardableResult
    func done(_ words: String...) async throws -> JSONValue {
        let answer = await run(["--json"] + words)
        try #require(answer.exit == .done, "\(words): \(answer.text)")
        return try answer.json
    }

    func write(_ text: String, to name: String) throws -> String {
        let path = home + "/" + name
        _ = try? FileSystem.remove(path)
        try FileDescriptor(opening: path, .createNew).write(Array(text.utf8))
        return path
    }

    func overwrite(_ path: String, with text: String) throws {
        _ = try FileSystem.remove(path)
        try FileDescriptor(opening: path, .createNew).write(Array(text.utf8))
    }

    /// A session for these pieces.
    @discardableResult
    func session(_ pieces: String, _ more: String...) async throws -> String {
        let answer = await run(["--json", "session", "start", "--pieces", pieces] + more)
        return try #require(try answer.json["session"]?["id"]?.asString)
    }

    static func fixture(_ name: String) -> String {
        var path = #filePath
        for _ in 0..<3 { path = FileSystem.parent(of: path) }
        return path + "/Fixtures/" + name
    }
}

private final class Collected<Element: Sendable>: Sendable {
    private let box = Mutex<[Element]>([])
    var all: [Element] { box.withLock { $0 } }
    func add(_ more: [Element]) { box.withLock { $0 += more } }
}
