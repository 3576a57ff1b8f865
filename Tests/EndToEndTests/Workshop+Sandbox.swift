import SessionDomain
import SystemCalls
import Testing

/// A sandbox of its own, stopped when it goes out of scope.
struct RunningSandbox: ~Copyable {
    private let process: ChildProcess
    let controlURL: String
    /// The two addresses, as the command's environment.
    let environment: [String]
    /// Every request that reached it, for the oracle.
    let record: String

    private init(_ process: consuming ChildProcess, controlURL: String, environment: [String], record: String) {
        self.process = process
        self.controlURL = controlURL
        self.environment = environment
        self.record = record
    }

    static func start(_ workshop: Workshop, scenario: String? = nil) throws -> RunningSandbox {
        let record = "\(workshop.path)/record-\(SecureRandom.words().0).jsonl"
        var arguments = ["capture-ledger", "--json", "sandbox", "--port", "0", "--record", record]
        if let scenario {
            let file = workshop.path + "/scenario-\(SecureRandom.words().0).json"
            try FileDescriptor(opening: file, .createNew, mode: 0o600).write(Array(scenario.utf8))
            arguments += ["--scenario", file]
        }
        let process = try ChildProcess(path: Workshop.product, arguments: arguments, environment: workshop.variables)
        let line = try firstLine(of: process.output)
        guard let control = line["control_url"]?.asString, let verifier = line["verifier_url"]?.asString,
            let hologram = line["hologram_url"]?.asString
        else { throw NotServing(line: line.canonical) }
        return RunningSandbox(
            process, controlURL: control,
            environment: ["CAPTURE_LEDGER_VERIFIER_URL=\(verifier)", "CAPTURE_LEDGER_HOLOGRAM_URL=\(hologram)"], record: record)
    }

    private struct NotServing: Error {
        let line: String
    }

    private static func firstLine(of output: borrowing FileDescriptor) throws -> JSONValue {
        var line: [UInt8] = []
        var byte: [UInt8] = [0]
        let deadline = SystemClock.monotonicNanoseconds() + 20_000_000_000
        while try output.waitUntilReadable(deadline: deadline) {
            var span = byte.mutableSpan
            if try output.read(into: &span) == 0 || byte[0] == UInt8(ascii: "\n") { break }
            line.append(byte[0])
        }
        return try JSONValue.parse(line)
    }
}
