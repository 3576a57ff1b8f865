import SessionDomain
import SystemCalls
import Testing

/// `Tests/oracle.py`, which judges a ledger without the product's code.
enum Oracle {
    /// Fails the test with everything that the oracle has to say against the ledger; gives what it counted otherwise.
    @discardableResult
    static func ask(_ workshop: Workshop, _ arguments: String..., ledger: String? = nil) throws -> JSONValue {
        let folder = ledger ?? workshop.ledger
        let done = try ChildProcess.runInEnvironment(
            path: "/usr/bin/env",
            arguments: ["env", "python3", "\(Workshop.repository)/Tests/oracle.py", folder, "--json"] + arguments,
            environment: try python() + ["HOME=\(workshop.path)"])
        let verdict = try JSONValue.parse(done.output)
        #expect(done.end == .exited(0), "\(verdict["problems"]?.canonical ?? "no verdict")")
        return verdict
    }

    /// The path under which this machine's python3 is found.
    private static func python() throws -> [String] {
        ["PATH=\(try Workshop.shell("printf %s \"$PATH\""))"]
    }
}
