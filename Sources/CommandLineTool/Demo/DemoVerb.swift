import CaptureLedger
import SessionDomain
import SystemCalls

extension Verb {
    static let demo = Verb(
        path: ["demo"], summary: "Play one session from offline capture to completion, on real pictures.",
        details: """
            A fresh ledger, endpoints that are down, then the sandbox; one picture fails its checks, one piece is rejected and captured \
            again. Where the decoder, the runtime or the models are missing, it plays without checks and says so.
            """,
        positionals: [Positional("DIR", "where to make the ledger; else --ledger, else a new temporary folder", .optional)],
        options: [
            .value("fixtures", "DIR", "the folder of pictures; else $CAPTURE_LEDGER_FIXTURES, or Fixtures near the program"),
            .flag("list-steps", "print the names of the steps, in order"),
            .value("step", "NAME", "do one step alone, in the ledger named by --ledger; it can be repeated"),
        ],
        examples: ["capture-ledger demo", "capture-ledger demo --json", "capture-ledger demo --step start --ledger d.ledger"],
        exits: [.refused, .cannotCreate, .inputOutput],
        run: { invocation, console in
            if invocation.has("list-steps") {
                let names = DemoStep.all.map(\.name)
                try console.result(["steps": .array(names.map { .string($0) })], names.joined(separator: "\n"))
                return .done
            }
            let fixtures = try Fixtures.folder(invocation)
            if let name = invocation.text("step") {
                return try await once(try DemoStep.named(name), fixtures, invocation, console)
            }
            let path = try invocation.word(0) ?? invocation.text("ledger") ?? FileSystem.makeTemporaryFolder() + "/demo.ledger"
            let stage = DemoStage(ledgerPath: path, fixtures: fixtures, environment: invocation.environment)
            defer { stage.stop() }
            if try FileStatus.of(path) != nil {
                throw Complaint(
                    "ledger_exists", "\(path) is there already.", remedy: "Name a folder that does not exist yet.",
                    exit: .cannotCreate)
            }
            try stage.prepare()
            if let obstacle = stage.obstacle { console.note("Nothing is checked here. \(obstacle)") }
            for (index, step) in DemoStep.all.enumerated() {
                console.note("\(index + 1)/\(DemoStep.all.count) \(step.title): \(try step.run(stage))")
            }
            let report = try DemoReport(stage)
            try console.result(report.json, report.words)
            return report.session.flow.status == .completed ? .done : .fault
        })

    private static func once(
        _ step: DemoStep, _ fixtures: String, _ invocation: Invocation, _ console: Console
    ) async throws -> ExitCode {
        let stage = DemoStage(ledgerPath: invocation.ledgerPath, fixtures: fixtures, environment: invocation.environment)
        defer { stage.stop() }
        try stage.prepare()
        let said = try step.run(stage)
        try console.result(["step": .string(step.name), "result": .string(said)], "\(step.title): \(said)")
        return .done
    }
}

/// Where the pictures of the demonstration are, by an explicit search.
enum Fixtures {
    static func folder(_ invocation: Invocation) throws -> String {
        if let named = invocation.text("fixtures") ?? invocation.environment["CAPTURE_LEDGER_FIXTURES"] {
            return try holding(named)
        }
        var candidates: [String] = []
        for start in [try? FileSystem.ownProgram(), #filePath].compactMap({ $0 }) {
            var parts = start.split(separator: "/", omittingEmptySubsequences: false)
            while parts.count > 1 {
                parts.removeLast()
                candidates.append(parts.joined(separator: "/") + "/Fixtures")
            }
        }
        for candidate in candidates where (try? FileStatus.of(candidate + "/passport-front.jpg")) ?? nil != nil {
            return candidate
        }
        throw missing
    }

    private static func holding(_ folder: String) throws -> String {
        guard (try? FileStatus.of(folder + "/passport-front.jpg")) ?? nil != nil else { throw missing }
        return folder
    }

    private static var missing: Complaint {
        Complaint(
            "no_fixtures", "The pictures of the demonstration were not found.",
            remedy: "Name the project's Fixtures folder with --fixtures.", exit: .notFound)
    }
}
