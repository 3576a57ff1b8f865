import Glibc
import SessionDomain
import SystemCalls
import Testing

/// `sync --cron`: what wakes a person, and what does not.
@Suite struct CronTests {
    private func cron(_ workshop: Workshop, _ more: String..., environment: [String]) throws -> Finished {
        try workshop.run(["--ledger", workshop.ledger, "sync", "--cron"] + more, environment: environment)
    }

    private static let nowhere = ["CAPTURE_LEDGER_VERIFIER_URL=http://127.0.0.1:9/"]

    @Test func `cron is silent while things merely wait, and while another run works`() throws {
        let workshop = try Workshop()
        try workshop.fill(2)
        let offline = try cron(workshop, "--deadline", "5", environment: Self.nowhere)
        #expect(offline.end == .exited(0) && offline.output.isEmpty && offline.errors.isEmpty, "\(offline)")

        let sandbox = try RunningSandbox.start(
            workshop, scenario: #"{"schema":1,"rules":[{"destination":"verifier","delay_ms":1500}]}"#)
        var first = try RunningCommand(
            workshop, ["--ledger", workshop.ledger, "sync", "--cron"], environment: sandbox.environment)
        try first.waitUntilItWorks()
        let second = try cron(workshop, environment: sandbox.environment)
        #expect(second.end == .exited(0) && second.output.isEmpty && second.errors.isEmpty, "\(second)")
        let plain = try workshop.sync(environment: sandbox.environment)
        #expect(plain.end == .exited(75) && plain.errorCode == "another_run_works")
        let (finished, _) = try first.end()
        #expect(finished.end == .exited(0) && finished.output.isEmpty && finished.errors.isEmpty, "\(finished)")
        #expect(try workshop.sync(environment: sandbox.environment).end == .exited(0))
    }

    @Test func `past page-after cron says which ledger, since when, why and what to do`() throws {
        let workshop = try Workshop()
        try workshop.fill()
        let paged = try cron(workshop, "--deadline", "5", "--page-after", "0", environment: Self.nowhere)
        #expect(paged.end == .exited(75), "\(paged)")
        for part in [workshop.ledger, "it cannot be reached", "Since 20", "What to do:", "docs/runbook.md#not_connected"] {
            #expect(paged.output.contains(part), "\(part)")
        }
        // something got through a moment ago: that is progress, however old the rest is
        let sandbox = try RunningSandbox.start(
            workshop, scenario: #"{"schema":1,"rules":[{"destination":"verifier","nth":[2,3,4],"per":"request","status":503}]}"#
        )
        #expect(try workshop.sync(environment: sandbox.environment).end == .exited(0))
        let session = try workshop.startSession("selfie")
        try workshop.ledger("capture", session, "selfie", workshop.fixture("selfie.jpg"))
        let quiet = try cron(workshop, "--deadline", "5", "--page-after", "30m", environment: sandbox.environment)
        #expect(quiet.end == .exited(0) && quiet.output.isEmpty, "\(quiet)")
    }

    @Test func `a pause that only a person lifts is told at once, with 69 when there is nowhere else to send`() throws {
        let workshop = try Workshop()
        try workshop.fill()
        let sandbox = try RunningSandbox.start(
            workshop, scenario: #"{"schema":1,"rules":[{"destination":"verifier","status":410}]}"#)
        let environment = sandbox.environment.filter { !$0.contains("HOLOGRAM") }
        let paged = try cron(workshop, "--deadline", "5", environment: environment)
        #expect(paged.end == .exited(69), "\(paged)")
        #expect(paged.output.contains("gone for good (410)") && paged.output.contains("sync resume verifier"), "\(paged)")
        let json = try workshop.sync("--cron", environment: environment)
        #expect(try json.json["needs"]?.asArray?.first?["code"]?.asString == "endpoint_gone")
        #expect(try json.json["paused"]?.asArray == [.string("verifier")])
    }

    @Test func `a session whose deliveries a person paused is not forgotten for ever`() throws {
        let workshop = try Workshop()
        try workshop.ledger("init")
        let session = try workshop.startSession("selfie")
        try workshop.ledger("sync", "pause", "--session", session)
        // nothing of it waits
        let idle = try cron(workshop, "--page-after", "0", environment: Self.nowhere)
        #expect(idle.end == .exited(0) && idle.output.isEmpty, "\(idle)")
        try workshop.ledger("capture", session, "selfie", workshop.fixture("selfie.jpg"))
        let quiet = try cron(workshop, environment: Self.nowhere)
        #expect(quiet.end == .exited(0) && quiet.output.isEmpty, "\(quiet)")
        let paged = try cron(workshop, "--page-after", "0", environment: Self.nowhere)
        #expect(paged.end == .exited(75), "\(paged)")
        #expect(paged.output.contains("sync resume --session \(session)") && paged.output.contains("#by_operator"))
    }

    @Test func `each ledger is worked on even when one is broken, and the worst decides`() throws {
        let workshop = try Workshop()
        let sandbox = try RunningSandbox.start(workshop)
        var delivered: [String] = []
        for name in ["a", "b", "c"] {
            let folder = "\(workshop.path)/kiosk-\(name)/my.ledger"
            try workshop.run(["--ledger", folder, "init"])
            let started = try workshop.run(["--ledger", folder, "--json", "session", "start", "--pieces", "selfie"])
            let session = try #require(try started.json["session"]?["id"]?.asString)
            try workshop.run(["--ledger", folder, "capture", session, "selfie", workshop.fixture("selfie.jpg")])
            if name == "b" { try Workshop.shell("echo garbage > '\(folder)/ledger.sqlite'") } else { delivered.append(folder) }
        }
        let pattern = workshop.path + "/kiosk-*/my.ledger"
        let all = try workshop.run(
            ["--json", "sync", "--cron", "--all-ledgers", pattern, "--deadline", "20"], environment: sandbox.environment)
        #expect(all.end == .exited(65), "\(all)")
        let json = try all.json
        #expect(json["verified"]?.asInt == 2)
        let results = json["ledgers"]?.asArray ?? []
        #expect(results.count == 3)
        #expect(results.map { $0["result"]?["error"]?["code"]?.asString } == [nil, "storage_corrupt", nil])
        for folder in delivered {
            let status = try workshop.run(["--ledger", folder, "--json", "status"])
            #expect(try status.json["backlog"]?["waiting"]?.asInt == 0)
            let replay = try workshop.run(["--ledger", folder, "replay", "--type", "piece_verified", "--format", "jsonl"])
            let verified = try JSONValue.parse(replay.output)["recorded_at_ms"]
            #expect(try verified != nil && status.json["last_success_at_ms"] == verified)
        }
        let nothing = try workshop.run(["--json", "sync", "--cron", "--all-ledgers", workshop.path + "/no-*"])
        #expect(nothing.end == .exited(66) && nothing.errorCode == "no_such_ledger")

        // beside one that needs a person, another run's work is no reason to call one
        let busy = try FileLock(tryingAt: delivered[0] + "/lock.sync", access: FileAccess.matching(folder: delivered[0]))
        let told = try workshop.run(["sync", "--cron", "--all-ledgers", pattern], environment: sandbox.environment)
        #expect(told.end == .exited(65), "\(told)")
        #expect(told.output.contains("kiosk-b/my.ledger needs a person."))
        #expect(told.output.split(separator: "\n").count { $0.hasSuffix("needs a person.") } == 1, "\(told.output)")
        #expect(told.output.contains("kiosk-a/my.ledger\nAnother run delivers from this ledger already."), "\(told.output)")
        _ = busy
    }

    @Test func `ledgers that a run did not come to before it was ended are told as left`() throws {
        let workshop = try Workshop()
        try workshop.fill()
        var run = try RunningCommand(
            workshop, ["--json", "sync", "--all-ledgers", workshop.ledger, "--splay", "1h"], environment: Self.nowhere)
        try until("it waits") {
            try Workshop.shell("grep -c '^SigCgt:.*[4-7c-f]...$' /proc/\(run.processID)/status || true").hasPrefix("1")
        }
        run.signal(SIGTERM)
        let (ended, _) = try run.end(limitMilliseconds: 5_000)
        #expect(ended.end == .exited(75), "\(ended)")
        let results = try ended.json["ledgers"]?.asArray ?? []
        #expect(results.map { $0["result"]?["error"]?["code"]?.asString } == ["run_ended"])
    }

    @Test func `a dry run says what would be sent and what holds the rest, and writes nothing`() throws {
        let workshop = try Workshop()
        try workshop.fill(2)
        try workshop.ledger("sync", "pause", "verifier", environment: Self.nowhere)
        let session = try workshop.startSession("hologram", "--card-type", "NEW_TC_ID")
        try workshop.ledger("hologram", "start", session)
        try workshop.ledger("observe", session, "card_detected")
        try workshop.ledger("capture", session, "hologram", workshop.fixture("hologram.mp4"))
        let both = Self.nowhere + ["CAPTURE_LEDGER_HOLOGRAM_URL=http://127.0.0.1:9/"]
        // a reader makes SQLite's two companions of the database
        let look = "cd '\(workshop.ledger)' && find . -type f ! -name '*-shm' ! -name '*-wal' | sort | xargs sha256sum"
        let before = try Workshop.shell(look)
        let paused = try workshop.sync("--dry-run", environment: both)
        #expect(paused.end == .exited(75), "\(paused)")
        #expect(try paused.json["would_send"]?.asArray?.isEmpty == true)
        let held = try paused.json["held"]?.asArray?.compactMap { $0["held_by"]?.asString }
        #expect(held == ["by_operator", "by_operator", "transaction"])
        #expect(try Workshop.shell(look) == before)
        try workshop.ledger("sync", "resume", "verifier", environment: Self.nowhere)
        let due = try workshop.sync("--dry-run", "--limit", "1", environment: both)
        #expect(try due.json["would_send"]?.asArray?.count == 1)
        #expect(try due.json["held"]?.asArray?.first?["held_by"]?.asString == "limit")
        #expect(try workshop.count("SELECT count(*) FROM delivery_work") == 0)
    }

    @Test func `a limit is not spent on a destination that has nothing`() throws {
        let workshop = try Workshop()
        try workshop.fill(3)
        // both destinations are configured, and the first by name has nothing to do
        let sandbox = try RunningSandbox.start(workshop)
        for left in [2, 1, 0] {
            let run = try workshop.sync("--limit", "1", environment: sandbox.environment)
            #expect(try run.json["delivered"]?.asInt == 1 && run.json["left"]?.asInt == left, "\(run)")
        }
    }
}
