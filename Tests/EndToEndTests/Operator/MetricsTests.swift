import SessionDomain
import SystemCalls
import Testing

/// The figures for Prometheus, read by a parser that shares nothing with their writer.
@Suite struct MetricsTests {
    private struct Sample {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    private func samples(_ file: String) throws -> [Sample] {
        let text = try Workshop.shell("python3 '\(Workshop.repository)/Tests/exposition.py' '\(file)'")
        let parsed = try JSONValue.parse(text)
        return try #require(parsed["samples"]?.asArray, "\(text)").map { sample in
            Sample(
                name: sample["name"]?.asString ?? "",
                labels: Dictionary(
                    (sample["labels"]?.asMembers ?? []).map { ($0.key, $0.value.asString ?? "") }, uniquingKeysWith: { $1 }),
                value: sample["value"]?.asDouble ?? .nan)
        }
    }

    private func sum(_ samples: [Sample], _ name: String, _ labels: [String: String] = [:]) -> Double? {
        let fitting = samples.filter { sample in
            sample.name == "capture_ledger_\(name)" && labels.allSatisfy { sample.labels[$0.key] == $0.value }
        }
        return fitting.isEmpty ? nil : fitting.reduce(0) { $0 + $1.value }
    }

    @Test func `a ledger's figures bear one name, however a run names it`() throws {
        let workshop = try Workshop()
        try workshop.fill()
        try workshop.setSync("metrics_file: 'figures.prom'")
        let name = workshop.ledger.split(separator: "/").last ?? ""
        for path in [String(name), "./\(name)/", workshop.ledger] {
            _ = try workshop.run(["--ledger", path, "sync", "--deadline", "1"], before: "cd '\(workshop.path)';")
            let names = Set(try samples(workshop.ledger + "/figures.prom").map { $0.labels["ledger"] })
            #expect(names == [workshop.ledger], "\(path)")
        }
    }

    @Test func `the figures are well-formed, true, and put in place by rename`() throws {
        let workshop = try Workshop()
        // every character that the format gives a meaning to
        let ledger = workshop.path + "/odd\"name\\n\nfolder"
        func run(_ words: String..., environment: [String] = []) throws -> Finished {
            try workshop.run(["--ledger", ledger, "--json"] + words, environment: environment)
        }
        func capture(_ piece: String, _ fixture: String) throws -> String {
            let started = try run("session", "start", "--pieces", piece)
            let session = try #require(try started.json["session"]?["id"]?.asString)
            _ = try run("capture", session, piece, workshop.fixture(fixture))
            return session
        }
        _ = try run("init")
        let file = workshop.path + "/node/capture.prom"
        try FileSystem.makeFolder(workshop.path + "/node")
        try Workshop.shell(
            "cd '\(workshop.path)'/odd*folder && sed -i \"s|^  sync: {|  sync: { metrics_file: '\(file)',|\" capture-ledger.json5"
        )
        let first = try capture("selfie", "selfie.jpg")
        _ = try capture("passport_front", "passport-front.jpg")
        _ = try capture("passport_back", "passport-back.jpg")
        let sandbox = try RunningSandbox.start(
            workshop,
            scenario: """
                {"schema":1,"rules":[{"piece":"selfie","nth":1,"rejected":{"reason":"eyes closed"}},
                {"piece":"passport_back","status":400}]}
                """)
        let offline = try run("sync", "--deadline", "5", environment: ["CAPTURE_LEDGER_VERIFIER_URL=http://127.0.0.1:9/"])
        #expect(offline.end == .exited(75))
        let before = try samples(file)
        #expect(sum(before, "waiting_deliveries") == 3 && sum(before, "deliveries_total") == nil)
        #expect(sum(before, "attempts_total", ["certainty": "not_sent", "class": "not_connected"]) ?? 0 >= 3)
        #expect(sum(before, "run_exit_code") == 75 && sum(before, "run_healthy") == 1)
        #expect(sum(before, "oldest_waiting_seconds") ?? 0 > 0)
        #expect(before.allSatisfy { $0.labels["ledger"] == ledger })

        let inode = try Workshop.shell("stat -c %i '\(file)'")
        try until("everything is settled") { try run("sync", environment: sandbox.environment).end == .exited(0) }
        #expect(try Workshop.shell("stat -c %i '\(file)'") != inode)
        #expect(try Workshop.shell("stat -c %a '\(file)'; ls -A '\(workshop.path)/node'") == "644\ncapture.prom\n")
        let after = try samples(file)
        #expect(sum(after, "waiting_deliveries", ["destination": "verifier"]) == 0)
        #expect(sum(after, "deliveries_total", ["outcome": "verified"]) == 1)
        #expect(sum(after, "deliveries_total", ["outcome": "rejected"]) == 1)
        #expect(sum(after, "deliveries_total", ["outcome": "parked"]) == 1)
        #expect(sum(after, "parked_deliveries", ["cause": "refused_by_endpoint"]) == 1)
        #expect(sum(after, "destination_paused", ["destination": "verifier"]) == 0)
        #expect(sum(after, "breaker_open", ["destination": "verifier"]) == 0)
        #expect(sum(after, "run_exit_code") == 0)
        #expect(sum(after, "last_success_timestamp_seconds") ?? 0 > 1_700_000_000)
        #expect(sum(after, "free_bytes") ?? 0 > 0 && sum(after, "position") ?? 0 > 9)
        let attempts = try #require(sum(after, "attempts_total"))

        // counters are the delivery log's: neither erasure nor a rebuild takes anything from them
        _ = try run("erase", first, "--now")
        _ = try run("rebuild")
        _ = try run("sync", environment: sandbox.environment)
        let later = try samples(file)
        #expect(sum(later, "attempts_total") == attempts)
        #expect(sum(later, "deliveries_total", ["outcome": "rejected"]) == 1)
    }

    @Test func `figures that cannot be written make no run fail`() throws {
        let workshop = try Workshop()
        try workshop.fill()
        try workshop.setSync("metrics_file: '/proc/none/capture.prom'")
        let sandbox = try RunningSandbox.start(workshop)
        let run = try workshop.sync(environment: sandbox.environment)
        #expect(run.end == .exited(0))
        #expect(run.errors.contains("could not be put in place"))
    }
}
