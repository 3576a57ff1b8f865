import Glibc
import SessionDomain
import SystemCalls
import Testing

/// A folder of its own for one test, with a home for the master key, in which the built command is run as a person would.
/// Everything is removed with it.
final class Workshop: Sendable {
    static let repository = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    /// Beside the program that runs the tests.
    static let product = unsafe String(cString: realpath("/proc/self/exe", nil)).parentFolder + "/capture-ledger"

    let path: String
    var ledger: String { path + "/my.ledger" }

    init() throws {
        path = "/tmp/capture-ledger-end-\(SecureRandom.words().0)"
        try FileSystem.makeFolder(path)
    }

    deinit { _ = try? Workshop.shell("chmod -R u+w '\(path)'; rm -rf '\(path)'") }

    /// Runs the command to its end, killed after a minute.
    @discardableResult
    func run(_ arguments: [String], environment: [String] = [], before: String = "") throws -> Finished {
        let errors = "\(path)/errors-\(SecureRandom.words().0)"
        // The shell is replaced by the program, so that a signal reaches it.
        let script = "\(before) exec \"$0\" \"$@\" 2>'\(errors)'"
        let done = try ChildProcess.runInEnvironment(
            path: "/bin/sh", arguments: ["sh", "-c", script, Self.product] + arguments, environment: variables + environment)
        return Finished(
            end: done.end, output: String(decoding: done.output, as: UTF8.self), errors: (try? text(errors)) ?? "")
    }

    /// Runs a verb on this workshop's ledger and gives its JSON; fails the test when it ends with another status.
    @discardableResult
    func ledger(_ verb: String..., expecting status: Int32 = 0, environment: [String] = []) throws -> JSONValue {
        let done = try run(["--ledger", ledger, "--json"] + verb, environment: environment)
        try #require(done.end == .exited(status), "\(verb): \(done.end) \(done.output) \(done.errors)")
        return try done.json
    }

    var variables: [String] {
        ["HOME=\(path)", "XDG_CONFIG_HOME=\(path)/config", "PATH=/usr/bin:/bin", "LANG=C.UTF-8"]
    }

    func text(_ file: String) throws -> String {
        String(decoding: try FileDescriptor(opening: file, .read).readToEnd(limit: 1 << 26), as: UTF8.self)
    }

    func fixture(_ name: String) -> String { "\(Self.repository)/Fixtures/\(name)" }

    @discardableResult
    static func shell(_ script: String) throws -> String {
        let done = try ChildProcess.run(
            path: "/bin/sh", arguments: ["sh", "-c", script], limitMilliseconds: 60_000, outputLimit: 1 << 26)
        return String(decoding: done.output, as: UTF8.self)
    }
}

/// What a run of the command left behind.
struct Finished {
    let end: ChildProcess.End
    let output: String
    let errors: String

    var json: JSONValue {
        get throws { try JSONValue.parse(output) }
    }

    /// The code of the error that the command reported with `--json`.
    var errorCode: String? { (try? json)?["error"]?["code"]?.asString }
}

extension String {
    var parentFolder: String { FileSystem.parent(of: self) }
}

extension ChildProcess {
    static func runInEnvironment(
        path: String, arguments: [String], environment: [String], limitMilliseconds limit: Int64 = 60_000
    ) throws -> (end: End, output: [UInt8]) {
        var child = try ChildProcess(path: path, arguments: arguments, environment: environment)
        let deadline = SystemClock.monotonicNanoseconds() + limit * 1_000_000
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while try child.output.waitUntilReadable(deadline: deadline) {
            var span = buffer.mutableSpan
            let count = try child.output.read(into: &span)
            if count == 0 { break }
            output.append(contentsOf: buffer[..<count])
        }
        let left = max(0, deadline - SystemClock.monotonicNanoseconds()) / 1_000_000
        let end = try #require(try child.wait(limitMilliseconds: left), "\(arguments) did not end in time")
        return (end, output)
    }
}
