import CaptureLedger
import SessionDomain
import SystemCalls
import Testing

@testable import CommandLineTool

/// What a shift leader reads, and what the others who ask about people and rules get.
struct StatusTests {
    @Test func `status says what needs a person, who, and with which command`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let fresh = await desk.run("status")
        #expect(fresh.text.contains("Nothing needs a person."))
        #expect(try await desk.done("status")["next_action"] == "Nothing is to be done.")
        let id = try await desk.session("selfie,passport_front")
        try await desk.done("capture", id, "selfie", Desk.fixture("selfie.jpg"))
        let status = try await desk.done("status")
        let need = try #require(status["needs"]?.asArray?.first)
        #expect(need["kind"] == "no_destination" && need["who"] == "operator" && need["count"] == .integer(1))
        #expect(need["commands"]?.asArray?.first == "capture-ledger config check")
        #expect(status["sessions"]?["capturing"] == .integer(1))
        for key in [
            "backlog", "oldest_confirmed_at_ms", "last_success_at_ms", "next_due_at_ms", "paused", "needs_recapture",
            "last_position", "epoch",
        ] { #expect(status[key] != nil, "\(key)") }
        let spoken = await desk.run("--ledger", desk.ledger, "status")
        #expect(spoken.text.contains("    capture-ledger --ledger \(desk.ledger) config check"))
        #expect(!spoken.text.contains("Nothing needs"))
    }

    @Test func `a clock that stands behind the log is said by status as by doctor`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        #expect(try await desk.done("status")["clock_behind_ms"] == .null)
        var options = LedgerOptions()
        options.clock = LedgerClock { SystemClock.realtimeMilliseconds() + 7_200_000 }
        let ahead = try Ledger.open(folder: desk.ledger, options: options)
        _ = try ahead.start(StartRequest(configuration: CaptureConfiguration(pieces: [.selfie], flowTitle: "t")))
        ahead.closeAndWait()
        let status = try await desk.done("status")
        let behind = try #require(status["clock_behind_ms"]?.asInteger)
        #expect((7_000_000...7_200_000).contains(behind))
        let need = try #require(status["needs"]?.asArray?.first)
        #expect(need["kind"] == "clock_behind" && need["runbook"] == "docs/runbook.md#clock_behind")
        let spoken = await desk.run("status").text.split(separator: "\n").filter { $0.contains("clock") }
        #expect(spoken.count == 1 && spoken[0].contains("The clock stands before the newest event"), "\(spoken)")
        let found = try await desk.run("--json", "doctor").json["findings"]?.asArray?.map { $0["code"] }
        #expect(found?.contains("clock_behind") == true)
    }

    @Test func `status --since counts what happened, and takes a time in each way it is written`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let id = try await desk.session("selfie")
        let broken = try desk.write("not a picture", to: "a.jpg")
        _ = await desk.run("capture", id, "selfie", broken)
        try await desk.done("capture", id, "selfie", Desk.fixture("selfie.jpg"))
        try await desk.done("session", "exit", id)
        desk.environment["CAPTURE_LEDGER_VERIFIER_URL"] = "http://127.0.0.1:9/"
        try await desk.done("sync", "pause", "verifier")
        for since in ["8h", "2020-01-01T00:00:00Z", "1577836800000"] {
            let handover = try await desk.done("status", "--since", since)["handover"]
            #expect(handover?["sessions"]?["started"] == .integer(1) && handover?["sessions"]?["exited"] == .integer(1))
            #expect(handover?["refused"]?["unsupported_format"] == .integer(1) && handover?["captured"] == .integer(1))
            let pause = handover?["pauses"]?.asArray?.first
            #expect(pause?["destination"] == "verifier" && pause?["resumed"] == false && pause?["reason"] == "by_operator")
        }
        let words = await desk.run("status", "--since", "1h").text
        for part in ["started 1, exited 1", "not taken in", "unsupported format 1", "verifier paused at", "a person paused it"]
        {
            #expect(words.contains(part), "\(part): \(words)")
        }
        let later = try await desk.done("status", "--since", "99999999999999")
        #expect(later["since"] == .members([]) && later["handover"]?["captured"] == .integer(0))
        #expect(await desk.run("status", "--since", "99999999999999").text.contains("nothing happened"))
        #expect(await desk.run("status", "--since", "yesterday").exit == .usage)
    }

    @Test func `explain names the commands of the ledger that was asked, quoted where it must be`() async throws {
        let desk = try Desk()
        let odd = desk.home + "/a ledger's"
        try await desk.done("init", odd)
        let started = try await desk.run("--json", "--ledger", odd, "session", "start", "--pieces", "selfie").json
        let id = try #require(started["session"]?["id"]?.asString)
        let told = try await desk.run("--json", "--ledger", odd, "explain", id).json
        #expect(told["who"] == "user" && told["kind"] == "session" && told["since_ms"]?.asInteger != nil)
        let quoted = "'\(desk.home)/a ledger'\\''s'"
        #expect(told["commands"]?.asArray == [.string("capture-ledger --ledger \(quoted) capture \(id) selfie FILE")])
        let words = await desk.run("--ledger", odd, "explain", id).text
        for part in ["Why: selfie: It has not been captured yet.", "Since: ", "Who must act: the person who is captured."] {
            #expect(words.contains(part), "\(part)")
        }
    }

    @Test func `S25 reminders are listed when they are due, and no longer once the person went on`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let due = try await desk.session("selfie,passport_front")
        let later = try await desk.session("selfie")
        let over = try await desk.session("selfie")
        for (id, time) in [(due, "1790000000000"), (later, "99999999999999"), (over, "1790000000000")] {
            try await desk.done("observe", id, "reminder_requested", "piece=selfie", "remind_at_ms=\(time)")
        }
        try await desk.done("session", "cancel", over)
        let listed = try await desk.done("session", "list", "--reminders-due")
        #expect(listed["sessions"]?.asArray?.map { $0["id"] } == [.string(due)] && listed["due"] == .integer(1))
        let reminder = listed["sessions"]?.asArray?.first?["reminder"]
        #expect(reminder?["piece"] == "selfie" && reminder?["remind_at_ms"] == .integer(1_790_000_000_000))
        #expect(await desk.run("session", "list", "--reminders-due", "--status", "active").exit == .usage)
        try await desk.done("capture", due, "selfie", Desk.fixture("selfie.jpg"))
        #expect(try await desk.done("session", "list", "--reminders-due")["sessions"] == .array([]))
        #expect(await desk.run("session", "list", "--reminders-due").text.hasPrefix("Nobody is to be reminded now."))
    }

    @Test func `a session is found by each thing that is personal, and by none after it was erased`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let id = try await desk.session(
            "hologram,selfie", "--card-type", "NEW_TC_ID", "--subject", "customer-1", "--client-key", "booking-1", "--group",
            "family-1", "--transaction-id", "t-1")
        try await desk.done("observe", id, "card_detected")
        try await desk.done("hologram", "start", id)
        try await desk.done("capture", id, "hologram", Desk.fixture("hologram.mp4"))
        let searches = [
            ("--subject", "customer-1"), ("--client-key", "booking-1"), ("--group", "family-1"), ("--transaction-id", "t-1"),
            ("--media", Desk.fixture("hologram.mp4")),
        ]
        for (option, value) in searches {
            let found = try await desk.done("session", "find", option, value)["sessions"]?.asArray
            #expect(found?.map { $0["id"] } == [.string(id)], "\(option)")
            let other = await desk.run(
                "session", "find", option, option == "--media" ? Desk.fixture("selfie.jpg") : value + "x")
            #expect(other.exit == .done && other.text.hasPrefix("No session of this ledger"), "\(option)")
            #expect(!other.text.contains(value + "x"))
        }
        try await desk.done("erase", id, "--now")
        for (option, value) in searches {
            #expect(try await desk.done("session", "find", option, value)["sessions"] == .array([]), "\(option)")
        }
    }

    @Test func `an undo by subject withdraws what was asked for, and leaves the person's other sessions alone`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let asked = try #require(
            try await desk.done("session", "start", "--pieces", "selfie", "--subject", "p")["session"]?["id"]?.asString)
        try await desk.done("session", "start", "--pieces", "selfie", "--subject", "p")
        try await desk.done("erase", asked)
        let undone = try await desk.done("erase", "--undo", "--subject", "p")
        #expect(undone["erasures"]?.asArray?.count == 1 && undone["withdrawn"]?["session_id"] == .string(asked))
        let again = await desk.run("--json", "erase", "--undo", "--subject", "p")
        #expect(again.exit == .refused && again.errorCode == "erasure_not_requested")
    }

    @Test func `a policy that is not there is 66, one that is wrong is 78, and rescore needs one`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        for words in [
            ["policy", "check", "/nowhere.json5"], ["rescore", "--policy", "/nowhere.json5"],
            ["check", Desk.fixture("selfie.jpg"), "--piece", "selfie", "--policy", "/nowhere.json5"],
        ] {
            let answer = await desk.run(["--json"] + words)
            #expect(answer.exit == .notFound && answer.errorCode == "no_such_file", "\(words): \(answer.text)")
        }
        let wrong = try desk.write("{ version: 'x', pasport: {} }", to: "wrong.json5")
        for words in [["policy", "check", wrong], ["rescore", "--policy", wrong]] {
            let answer = await desk.run(["--json"] + words)
            #expect(answer.exit == .configuration && answer.errorCode == "policy_key_unknown", "\(words)")
        }
        #expect(await desk.run("rescore").exit == .usage)
        let fine = try desk.write("{ version: 'mine-1' }", to: "mine.json5")
        let report = try await desk.done("rescore", "--policy", fine)
        #expect(report["judgements"] == .integer(0) && report["policy_version"]?.asString?.hasPrefix("mine-1+") == true)
        #expect(await desk.run("rescore", "--policy", fine).text.hasPrefix("Nothing was judged"))
        let none = await desk.run("--json", "policy", "show", "--version", "mine-1")
        #expect(none.exit == .notFound && none.errorCode == "no_such_policy")
        #expect(try await desk.done("policy", "show", "--registered")["policies"] == .array([]))
    }

    @Test func `config check reads what the settings name for the checks, also where no runner is named`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let path = desk.ledger + "/capture-ledger.json5"
        try desk.overwrite(path, with: "{ master_key: 'k', tombstones: 't', checks: { policy: '/nowhere.json5' } }")
        let answer = await desk.run("--json", "config", "check")
        #expect(answer.exit == .configuration)
        let codes = try answer.json["findings"]?.asArray?.map { $0["code"] }
        #expect(codes?.contains("policy_unreadable") == true, "\(answer.text)")
    }
}
