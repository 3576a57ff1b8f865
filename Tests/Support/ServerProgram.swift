package import SessionDomain
import Synchronization
import SystemCalls

/// A server of the tests that is a Python program of its own: it says first where it listens, then takes a JSON command a line and
/// answers each with a line. It ends with this object, and its folder goes.
package final class ServerProgram: @unchecked Sendable {
    package struct Broken: Error {
        package let reason: String
        package init(reason: String) { self.reason = reason }
    }

    /// What it keeps: certificates, records.
    package let folder: String
    /// Where the program itself lies.
    package let path: String
    /// What it said first.
    package let ready: JSONValue
    private let child: ChildProcess
    private let lock = Mutex<Void>(())

    /// - Parameter name: of its folder in `Tests/Support`.
    package init(_ name: String) throws {
        path = Self.path(of: name)
        folder = try FileSystem.makeTemporaryFolder()
        child = try ChildProcess(path: "/usr/bin/env", arguments: ["env", "python3", path, folder], hasInput: true)
        ready = try Self.readLine(of: child)
    }

    deinit {
        child.kill()
        _ = try? ChildProcess.run(path: "/bin/rm", arguments: ["rm", "-rf", folder], limitMilliseconds: 10_000, outputLimit: 0)
    }

    package static func path(of name: String) -> String {
        #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/" + name
    }

    /// 0 for one that it does not have.
    package func port(_ name: String) -> Int { Int(ready["ports"]?[name]?.asInteger ?? 0) }

    package func ask(_ command: String) throws -> JSONValue {
        try lock.withLock { _ in
            try child.write(Array((command + "\n").utf8))
            let answer = try Self.readLine(of: child)
            guard answer["ok"] == .bool(true) else { throw Broken(reason: "\(command): \(answer.canonical)") }
            return answer
        }
    }

    private static func readLine(of child: borrowing ChildProcess) throws -> JSONValue {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while line.last != UInt8(ascii: "\n") {
            var span = buffer.mutableSpan
            let count = try child.output.read(into: &span)
            if count == 0 { throw Broken(reason: "the server ended") }
            line += buffer[..<count]
        }
        return try JSONValue.parse(line)
    }
}
