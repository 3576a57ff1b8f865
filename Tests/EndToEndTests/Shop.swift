import SessionDomain
import SystemCalls
import Testing

/// A workshop with a ledger whose verifier is a sandbox of its own, and whose retries do not wait.
final class Shop {
    let workshop: Workshop
    let sandbox: RunningSandbox

    /// - Parameter rules: of the scenario, as JSON.
    init(rules: String?, attemptLimit: Int = 25) throws {
        workshop = try Workshop()
        try workshop.ledger("init")
        sandbox = try RunningSandbox.start(workshop, scenario: rules.map { #"{"schema":1,"rules":[\#($0)]}"# })
        let settings = workshop.ledger + "/capture-ledger.json5"
        let retry = "retry: { base_ms: 1, cap_ms: 1, attempt_limit: \(attemptLimit) }"
        try Workshop.shell(
            "sed -i 's|^  destinations: {|  destinations: { verifier: { url: \"http://127.0.0.1:9/\", \(retry) },|' '\(settings)'"
        )
        #expect(try workshop.text(settings).contains(retry))
    }

    func use(rules: String) throws {
        let scenario = workshop.path + "/scenario.json"
        try FileDescriptor(opening: scenario, .createNew).write(Array(#"{"schema":1,"rules":[\#(rules)]}"#.utf8))
        try Workshop.shell("curl -sf -X POST --data-binary '@\(scenario)' '\(sandbox.controlURL)/scenario'")
    }

    @discardableResult
    func capture(_ session: String, _ piece: String, _ fixture: String, _ more: String...) throws -> String {
        let done = try workshop.run(
            ["--ledger", workshop.ledger, "--json", "capture", session, piece, workshop.fixture(fixture)] + more)
        return try #require(try done.json["capture"]?["id"]?.asString, "\(done.output) \(done.errors)")
    }

    /// One run, whatever it leaves.
    func sync(_ more: String...) throws -> JSONValue {
        let done = try workshop.run(["--ledger", workshop.ledger, "--json", "sync"] + more, environment: sandbox.environment)
        try #require(done.end == .exited(0) || done.end == .exited(75), "\(done.end) \(done.output) \(done.errors)")
        return try done.json
    }

    /// Runs, as cron would start them, until nothing is left; the last one's report.
    func syncUntilDone() throws -> JSONValue {
        var report = try sync()
        for _ in 0..<40 where report["left"]?.asInt != 0 { report = try sync() }
        return report
    }

    func status(of piece: String, in session: String) throws -> String? {
        let pieces = try workshop.ledger("session", "show", session)["session"]?["pieces"]?.asArray ?? []
        return pieces.first { $0["piece"]?.asString == piece }?["status"]?.asString
    }

    func deliveries(_ session: String) throws -> [JSONValue] {
        try workshop.ledger("sync", "list", "--session", session)["deliveries"]?.asArray ?? []
    }

    /// What the sandbox saw.
    func record() throws -> JSONValue {
        try JSONValue.parse(try Workshop.shell("curl -sf '\(sandbox.controlURL)/requests'"))
    }

    func requests() throws -> [JSONValue] { try record()["requests"]?.asArray ?? [] }
}
