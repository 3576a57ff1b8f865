import SessionDomain
import Synchronization
import SystemCalls
import Testing

/// The program in `Tests/Support/TransportServer`: an endpoint, a token endpoint and a proxy that behave, over TLS that is right
/// or wrong in one way.
final class TransportServer: @unchecked Sendable {
    struct Broken: Error { let reason: String }

    private let child: ChildProcess
    private let lock = Mutex<Void>(())
    private let ports: [String: Int]
    /// Certificates by the name of their port, with their keys in the same files.
    let folder: String
    /// Of the port `tls`, as the settings want it.
    let pin: String
    var authority: String { folder + "/authority.pem" }

    init() throws {
        folder = try FileSystem.makeTemporaryFolder()
        let repository = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        child = try ChildProcess(
            path: "/usr/bin/env", arguments: ["env", "python3", repository + "/Tests/Support/TransportServer", folder],
            hasInput: true)
        let ready = try Self.readLine(of: child)
        ports = Dictionary(uniqueKeysWithValues: (ready["ports"]?.asMembers ?? []).map { ($0.key, $0.value.asInt ?? 0) })
        pin = ready["pin"]?.asString ?? ""
    }

    func port(_ name: String) -> Int { ports[name] ?? 0 }

    func url(_ path: String = "/submit", port: String = "tls", host: String? = nil) -> String {
        let isSecure = port.hasPrefix("tls")
        return "\(isSecure ? "https" : "http")://\(host ?? (isSecure ? "localhost" : "127.0.0.1")):\(self.port(port))\(path)"
    }

    /// Changes what is accepted and how it answers; the names are those of `STATE` in the program.
    func set(_ state: String) throws { _ = try ask(#"{"do":"set","state":{\#(state)}}"#) }

    /// As it was at its start.
    func reset() throws { _ = try ask(#"{"do":"reset"}"#) }

    func requests(_ path: String? = nil) throws -> [JSONValue] {
        (try ask(#"{"do":"requests"}"#)["requests"]?.asArray ?? []).filter { path == nil || $0["path"]?.asString == path }
    }

    func connects() throws -> [JSONValue] { try ask(#"{"do":"requests"}"#)["connects"]?.asArray ?? [] }

    private func ask(_ command: String) throws -> JSONValue {
        try lock.withLock { _ in
            try child.write(Array((command + "\n").utf8))
            return try Self.readLine(of: child)
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
