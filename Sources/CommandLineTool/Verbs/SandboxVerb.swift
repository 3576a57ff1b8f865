import Sandbox
import SessionDomain
import SystemCalls

extension Verb {
    static let sandbox = Verb(
        path: ["sandbox"], summary: "Serve scripted verifier and hologram endpoints on loopback, until interrupted.",
        details:
            "The first line of output names the addresses. Without a scenario everything is verified; see docs/sandbox.md.",
        options: [
            .value("port", "N", "the port (a free one)"),
            .value("scenario", "FILE", "what to answer, as JSON; - reads standard input"),
            .value("record", "FILE", "append all that arrives to it, as JSON lines"),
        ],
        examples: [
            "capture-ledger sandbox --port 8090", "capture-ledger sandbox --scenario flaky.json --record requests.jsonl",
        ],
        exits: [.refused, .notFound, .cannotCreate, .inputOutput],
        run: { invocation, console in
            let port = try invocation.integer("port", in: 0...65_535) ?? 0
            let scenario = try invocation.text("scenario").map {
                try SandboxScenario(json: try InputFile.bytes($0, limit: 16 << 20))
            }
            TerminationSignals.watch()
            let sandbox = try Sandbox(
                port: UInt16(port), scenario: scenario ?? SandboxScenario(), recordFile: invocation.text("record"))
            try console.bytes(sandbox.addresses.bytes + [0x0A])
            if !console.isJSON {
                console.note("Serving until interrupted. Requests so far: GET \(sandbox.controlURL)/requests")
            }
            while TerminationSignals.count == 0 { try await Task.sleep(for: .milliseconds(50)) }
            sandbox.stop()
            return .done
        })
}
