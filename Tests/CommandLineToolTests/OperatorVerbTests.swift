import CaptureLedger
import DeliveryMachine
import SessionDomain
import SystemCalls
import Testing

@testable import CommandLineTool

/// What an operator looks at and does, in one process.
struct OperatorVerbTests {
    @Test(
        arguments: [
            ("90", 90_000), ("1.5", 1_500), ("0", 0), ("90m", 5_400_000), ("2h", 7_200_000), ("1h30m", 5_400_000),
            ("250ms", 250),
            ("1d", 86_400_000), ("0.5h", 1_800_000),
        ] as [(String, Int64)])
    func `times are seconds, or have their units`(text: String, milliseconds: Int64) {
        #expect(DurationText.milliseconds(text) == milliseconds)
    }

    @Test(arguments: [
        "", "m", "-1", "1m1h", "1h1h", "5x", "1 h", "nan", "inf", "1e9", "99999999999999999999", "0x10", ".5", "1..5", "٣",
    ])
    func `what is no time is refused`(text: String) {
        #expect(DurationText.milliseconds(text) == nil)
    }

    @Test func `the table is printed as it decides, with its edition`() async throws {
        let desk = try Desk()
        let table = try await desk.done("sync", "explain", "--table")
        #expect(table["version"]?.asInt == ClassificationTable.version)
        let rows = table["rows"]?.asArray ?? []
        #expect(rows.count == ClassificationTable.rows.count && rows.count > 40)
        for row in rows { for key in ["when", "certainty", "action", "class", "text"] { #expect(row[key] != nil, "\(key)") } }
        let spoken = await desk.run("sync", "explain", "--table")
        #expect(spoken.text.hasPrefix("Edition \(ClassificationTable.version)."))
        #expect(spoken.text.split(separator: "\n").count == rows.count + 1)
    }

    @Test func `a pattern passes over what is no ledger, and over no ledger that cannot be looked into`() throws {
        let desk = try Desk()
        // whoever may not read a folder is told another error than that nothing is there; so is who follows a loop
        _ = try ChildProcess.run(
            path: "/bin/sh",
            arguments: ["sh", "-c", "cd \"$0\" && mkdir a b && ln -s ledger.sqlite b/ledger.sqlite && : > c", desk.home],
            limitMilliseconds: 5_000, outputLimit: 0)
        #expect(try LedgerSearch.ledgers(matching: desk.home + "/*") == [desk.home + "/b"])
    }

    @Test func `lists are filtered and go on where they ended; a requeue needs a target`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let both = try await desk.session("passport_front,selfie")
        try await desk.done("capture", both, "passport_front", Desk.fixture("passport-front.jpg"))
        try await desk.done("capture", both, "selfie", Desk.fixture("selfie.jpg"))
        let one = try await desk.session("selfie")
        try await desk.done("capture", one, "selfie", Desk.fixture("selfie.jpg"))
        func count(_ words: String...) async throws -> Int? {
            let answer = await desk.run(["--json", "sync", "list"] + words)
            return try answer.json["deliveries"]?.asArray?.count
        }
        #expect(try await count() == 3)
        #expect(try await count("--piece", "selfie") == 2)
        #expect(try await count("--session", one) == 1)
        #expect(try await count("--session", both, "--piece", "selfie") == 1)
        #expect(try await count("--destination", "verifier") == 3)
        #expect(try await count("--destination", "hologram") == 0)
        #expect(try await count("--status", "waiting", "--since", "1h") == 3)
        #expect(try await count("--since", "99999999999999") == 0)
        #expect(try await count("--cause", "failed_permanently") == 0)
        #expect(try await count("--cause", "superseded") == 0)
        for verb in ["list", "requeue"] {
            let misspelled = await desk.run("sync", verb, "--cause", "failed_permanenty")
            #expect(misspelled.exit == .usage && misspelled.errors.joined().contains("Did you mean failed_permanently?"))
        }
        let page = try await desk.done("sync", "list", "--limit", "2")
        let next = try #require(page["next"]?.asString)
        #expect(page["deliveries"]?.asArray?.count == 2)
        let rest = try await desk.done("sync", "list", "--limit", "2", "--after", next)
        #expect(rest["deliveries"]?.asArray?.count == 1 && rest["next"] == .null)

        for words in [["sync", "requeue"], ["sync", "requeue", "--dry-run"], ["sync", "explain"], ["sync", "pause"]] {
            #expect(await desk.run(["--json"] + words).exit == .usage, "\(words)")
        }
        #expect(try await desk.done("sync", "requeue", "--all", "--dry-run")["count"] == .integer(0))
        let id = try #require(rest["deliveries"]?.asArray?.first?["id"]?.asString)
        let due = await desk.run("sync", "requeue", id)
        #expect(due.exit == .done && due.text.contains("It was not parked; its next attempt is due now."))
        let explained = try await desk.done("sync", "explain", id)
        #expect(explained["who"] == "operator" && explained["why"]?.asString?.contains("no such destination") == true)
    }

    @Test func `a session's deliveries are paused and go on, each once`() async throws {
        let desk = try Desk()
        desk.environment["CAPTURE_LEDGER_VERIFIER_URL"] = "http://127.0.0.1:9/"
        try await desk.done("init")
        let id = try await desk.session("selfie")
        try await desk.done("capture", id, "selfie", Desk.fixture("selfie.jpg"))
        let paused = try await desk.done("sync", "pause", "--session", id)
        #expect(paused["paused"] == true && paused["receipt"]?["positions"]?.asArray?.count == 1)
        #expect(try await desk.done("sync", "pause", "--session", id)["receipt"]?["positions"]?.asArray?.isEmpty == true)
        let dry = await desk.run("--json", "sync", "--dry-run")
        #expect(try dry.json["held"]?.asArray?.first?["held_by"] == "session_paused")
        #expect(try await desk.done("status")["next_action"]?.asString?.contains("sync list says what holds it up") == true)
        let listed = await desk.run("sync", "list")
        #expect(listed.text.contains("It waits: a person paused its session") && !listed.text.contains("Due now"))
        let piece = try await desk.done("explain", id)["pieces"]?.asArray?.first
        #expect(piece?["who"] == "operator" && piece?["why"]?.asString?.contains("a person paused its session") == true)
        let delivery = try #require(try await desk.done("sync", "list")["deliveries"]?.asArray?.first?["id"]?.asString)
        let why = try await desk.done("sync", "explain", delivery)
        #expect(why["who"] == "operator" && why["next"]?.asString?.contains("sync resume --session") == true)
        try await desk.done("sync", "resume", "--session", id)
        let due = await desk.run("--json", "sync", "--dry-run")
        #expect(try due.json["would_send"]?.asArray?.count == 1)
    }

    @Test func `errors name their section of the runbook, but not those of the command line`() async throws {
        let desk = try Desk()
        let missing = await desk.run("status")
        #expect(missing.errors.joined().contains("More: docs/runbook.md#no_such_ledger"))
        let usage = await desk.run("--json", "status", "--nonsense")
        #expect(try usage.json["error"]?["runbook"] == nil)
    }

    @Test func `places and versions that cannot be are one sentence`() async throws {
        let desk = try Desk()
        let impossible = await desk.run("--json", "init", "/proc/none/here")
        #expect(impossible.exit == .cannotCreate && impossible.errorCode == "cannot_create")
        try await desk.done("init")
        let id = try await desk.session("selfie")
        let late = await desk.run("--json", "session", "show", id, "--at-version", "7")
        #expect(late.exit == .notFound && late.errorCode == "no_such_version")
        #expect(try late.json["error"]?["message"] == "The session is at version 1; version 7 is not there yet.")
        let garbage = desk.ledger + ".garbage"
        try await desk.done("init", garbage)
        try desk.overwrite(garbage + "/ledger.sqlite", with: String(repeating: "garbage ", count: 4_000))
        let doctor = await desk.run("--json", "--ledger", garbage, "doctor")
        #expect(doctor.exit == .refused)
        #expect(try doctor.json["error"]?["remedy"]?.asString?.contains("`doctor`") == false)
    }

    @Test func `settings that name what is not there are told, all of it at once`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        try desk.overwrite(
            desk.ledger + "/capture-ledger.json5",
            with: """
                { master_key: 'k', tombstones: 't', sync: { metrics_file: '/proc/none/x.prom' }, destinations: { verifier: {
                  url: 'https://v.example/', kind: 'verifier', auth: { bearer_file: '/nowhere/token' },
                  transfer: { ca_file: '/nowhere/ca.pem' } } } }
                """)
        let answer = await desk.run("--json", "config", "check")
        #expect(answer.exit == .configuration)
        #expect(try answer.json["ok"] == false && answer.json["error"]?["code"]?.asString != nil)
        let places = try answer.json["findings"]?.asArray?.compactMap { $0["path"]?.asString } ?? []
        for place in ["destinations.verifier.auth.bearer_file", "destinations.verifier.transfer.ca_file", "sync.metrics_file"] {
            #expect(places.contains(place), "\(place)")
        }
    }
}
