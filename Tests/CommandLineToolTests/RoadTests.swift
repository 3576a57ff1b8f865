import Glibc
import SessionDomain
import SystemCalls
import Testing

@testable import CommandLineTool

/// The verbs over a real ledger: shapes of the JSON, exit codes, and that nothing is done when something is wrong.
struct RoadTests {
    /// The keys of an object, sorted.
    private func keys(_ value: JSONValue?) -> [String] { (value?.asMembers ?? []).map(\.key) }

    @Test func `init makes a ledger once, with its key outside`() async throws {
        let desk = try Desk()
        let made = try await desk.done("init")
        #expect(keys(made["ledger"]) == ["epoch", "id", "master_key", "path"])
        #expect(made["ledger"]?["path"]?.asString == desk.ledger)
        let key = try #require(made["ledger"]?["master_key"]?.asString)
        #expect(key.hasPrefix(desk.home + "/.config/"))
        #expect(try FileStatus.of(key)?.mode == 0o600)
        let again = await desk.run("init", "--json")
        #expect(again.exit == .cannotCreate && again.errorCode == "ledger_exists")
        #expect(try await desk.done("config", "check")["ok"] == true)
    }

    @Test func `every verb that wrote closes the ledger behind it, so that its log is empty`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        try await desk.done("session", "start", "--pieces", "selfie")
        #expect(try FileStatus.of(desk.ledger + "/ledger.sqlite-wal")?.size ?? 0 == 0)
        #expect(try FileStatus.of(desk.ledger + "/ledger.sqlite")?.size ?? 0 > 0)
    }

    @Test func `a session and its receipt have the shape of the contract`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let started = try await desk.done(
            "session", "start", "--pieces", "passport_front,selfie", "--client-key", "k", "--command-id", "c-1", "--context",
            "kiosk")
        #expect(
            keys(started["session"]) == [
                "changed_at_ms", "context", "current_piece", "ended_at_ms", "id", "phase", "pieces", "progress",
                "started_at_ms",
                "status", "version",
            ])
        #expect(keys(started["session"]?["pieces"]?.asArray?[0]) == ["attempts", "capture_id", "piece", "status"])
        #expect(started["receipt"] == ["command_id": "c-1", "positions": .array([.integer(1)]), "repeated": false])
        let again = try await desk.done(
            "session", "start", "--pieces", "passport_front,selfie", "--client-key", "k", "--context", "kiosk")
        #expect(again["session"]?["id"] == started["session"]?["id"])
        let other = await desk.run("--json", "session", "start", "--pieces", "selfie", "--client-key", "k")
        #expect(other.exit == .refused && other.errorCode == "client_key_conflict")
        #expect(try await desk.done("session", "find", "--client-key", "k")["sessions"]?.asArray?.count == 1)
        #expect(try await desk.done("session", "find", "--client-key", "x")["sessions"] == .array([]))
        #expect(try await desk.done("session", "list", "--status", "completed")["sessions"] == .array([]))
    }

    @Test func `capture answers with the media's facts, and repeating it appends nothing`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let id = try await desk.session("passport_front,selfie")
        let words = ["capture", id, "passport_front", Desk.fixture("passport-front.jpg"), "--command-id", "scan-1", "--json"]
        let first = try await desk.run(words).json
        #expect(keys(first) == ["capture", "failure", "findings", "outcome", "receipt"])
        #expect(first["outcome"] == "accepted" && first["failure"] == .null)
        let media = first["capture"]?["media"]
        #expect(media?["type"] == "image/jpeg" && media?["width"] == .integer(1600) && media?["height"] == .integer(1200))
        let second = try await desk.run(words).json
        #expect(second["capture"] == first["capture"])
        #expect(second["receipt"]?["positions"] == first["receipt"]?["positions"] && second["receipt"]?["repeated"] == true)
        let other = await desk.run(
            "capture", id, "passport_front", Desk.fixture("passport-back.jpg"), "--command-id", "scan-1", "--json")
        #expect(other.exit == .refused && other.errorCode == "command_id_conflict")
        let found = try await desk.done("session", "find", "--media", Desk.fixture("passport-front.jpg"))
        #expect(found["sessions"]?.asArray?.first?["id"] == .string(id))
    }

    @Test func `media that cannot be taken in is one refusal with 65, recorded, and counts no attempt`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let id = try await desk.session("passport_front,selfie")
        let file = try desk.write("not a picture", to: "a.jpg")
        let refused = await desk.run("--json", "capture", id, "passport_front", file)
        #expect(refused.exit == .refused)
        #expect(try refused.json["outcome"] == "refused" && refused.json["failure"] == "unsupported_format")
        let spoken = await desk.run("capture", id, "passport_front", try desk.write("", to: "empty.jpg"))
        #expect(spoken.exit == .refused && spoken.errors.count == 1)
        #expect(try await desk.done("session", "show", id)["session"]?["pieces"]?.asArray?[0]["attempts"] == .integer(0))
        let missing = await desk.run("--json", "capture", id, "passport_front", desk.home + "/nothing.jpg")
        #expect(missing.exit == .notFound && missing.errorCode == "no_such_file")
        #expect(try await desk.done("timeline", id)["events"]?.asArray?.count == 3)
    }

    @Test func `a refused or stale command is 65 and appends nothing`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let id = try await desk.session("passport_front,selfie")
        for (words, code) in [
            (["confirm", id, "selfie"], "nothing_captured"),
            (["capture", id, "hologram", Desk.fixture("hologram.mp4")], "unknown_piece"),
            (["session", "suspend", id, "--expected-version", "7"], "stale_version"),
        ] {
            let answer = await desk.run(["--json"] + words)
            #expect(answer.exit == .refused && answer.errorCode == code, "\(words): \(answer.text)")
            #expect(keys(try answer.json["error"]) == ["code", "message", "remedy", "runbook"])
            let message = try #require(try answer.json["error"]?["message"]?.asString)
            #expect(answer.errors.count == 1 && answer.errors[0].contains(message))
        }
        #expect(try await desk.done("timeline", id)["events"]?.asArray?.count == 1)
    }

    @Test func `a ledger or session that is not there is 66, and nothing is made`() async throws {
        let desk = try Desk()
        let before = await desk.run("--json", "status")
        #expect(before.exit == .notFound && before.errorCode == "no_such_ledger")
        #expect(try FileStatus.of(desk.ledger) == nil)
        try await desk.done("init")
        let id = "01a22b4d-f7ac-706c-b566-0f596ce78f55"
        for words in [
            ["session", "show", id], ["timeline", id], ["confirm", id, "selfie"], ["explain", id],
            ["media", "open", id, "--out", "x"],
        ] {
            let answer = await desk.run(["--json"] + words)
            #expect(answer.exit == .notFound, "\(words): \(answer.text)")
        }
        let delivery = await desk.run("--json", "sync", "requeue", id)
        #expect(delivery.exit == .notFound && delivery.errorCode == "no_such_delivery")
        let destination = await desk.run("--json", "sync", "pause", "verifyer")
        #expect(destination.exit == .notFound && destination.errorCode == "no_such_destination")
    }

    @Test func `the name of a file moves nobody's terminal, and one that cannot be is not a fault of this program`()
        async throws
    {
        let desk = try Desk()
        try await desk.done("init")
        let words = await desk.run("init", desk.home + "/red\u{1B}[31m\u{9B}2J")
        let complaint = await desk.run("audit", "verify-export", "\u{1B}]0;title\u{7}")
        for text in [words.text] + words.errors + complaint.errors {
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) })
        }
        #expect(complaint.errors.joined().contains("title"))
        let long = String(repeating: "n", count: 300)
        for words in [
            ["restore", long, "r"], ["import", long, "i"], ["analytics", "export", "--to", long], ["export", long],
            ["support-bundle", "--out", long],
        ] {
            let answer = await desk.run(["--json"] + words)
            #expect(answer.exit == .notFound && answer.errorCode == "not_found", "\(words[0]): \(answer.text)")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a pipe or a folder where media should be is refused at once`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let session = try await desk.session("selfie")
        let pipe = desk.home + "/pipe"
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        for path in [pipe, desk.home] {
            for words in [["capture", session, "selfie", path], ["session", "find", "--media", path]] {
                let answer = await desk.run(["--json"] + words)
                #expect(answer.exit == .notFound && answer.errorCode == "file_unreadable", "\(words): \(answer.text)")
            }
        }
        let shown = try await desk.done("session", "show", session)
        #expect(shown["session"]?["version"]?.asInteger == 1)
    }

    @Test(arguments: ["session cancel", "erase --now"])
    func `nobody has to act for a session that is over`(ending: String) async throws {
        let desk = try Desk()
        try await desk.done("init")
        let session = try await desk.session("selfie,passport_front")
        try await desk.done("capture", session, "selfie", Desk.fixture("selfie.jpg"))
        let before = try await desk.done("explain", session)["pieces"]?.asArray ?? []
        #expect(before.map { $0["who"]?.asString } == ["operator", "user"])
        _ = await desk.run(ending.split(separator: " ").map(String.init) + [session])
        let after = try await desk.done("explain", session)["pieces"]?.asArray ?? []
        #expect(after.map { $0["who"]?.asString } == ["nobody", "nobody"])
    }

    @Test func `what stands where a backup should go is 73, and an empty name for a ledger is 64`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let taken = try desk.write("mine", to: "taken")
        for path in [taken, desk.home + "/no/such"] {
            #expect(await desk.run("--json", "backup", path).exit == .cannotCreate)
        }
        #expect(try FileStatus.of(taken)?.size == 4)
        #expect(await desk.run("--json", "init", "").exit == .usage)
    }

    @Test func `settings that are wrong stop every verb with 78 and a did-you-mean`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let text = String(decoding: try InputFile.bytes(desk.ledger + "/capture-ledger.json5", limit: 1 << 20), as: UTF8.self)
        let path = desk.ledger + "/capture-ledger.json5"
        _ = try FileSystem.remove(path)
        try FileDescriptor(opening: path, .createNew).write(Array(text.replacing("media: {", with: "medai: {").utf8))
        for words in [["config", "check"], ["status"], ["sync"]] {
            let answer = await desk.run(["--json"] + words)
            #expect(answer.exit == .configuration && answer.errorCode == "unknown_setting", "\(words)")
            #expect(try answer.json["error"]?["remedy"] == "Did you mean media?")
        }
    }

    @Test func `offline, sync leaves everything queued and says why`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let id = try await desk.session("passport_front")
        try await desk.done("capture", id, "passport_front", Desk.fixture("passport-front.jpg"))
        let unconfigured = await desk.run("--json", "sync")
        #expect(unconfigured.exit == .workLeft)
        desk.environment["CAPTURE_LEDGER_VERIFIER_URL"] = "http://127.0.0.1:1/"
        let answer = await desk.run("--json", "sync", "--deadline", "5")
        #expect(answer.exit == .workLeft)
        #expect(
            keys(try answer.json) == ["delivered", "left", "needs", "parked", "paused", "rejected", "retrying", "verified"])
        #expect(try answer.json["left"] == .integer(1))
        let delivery = try #require(try await desk.done("sync", "list")["deliveries"]?.asArray?.first)
        for key in [
            "id", "session_id", "piece", "capture_id", "destination", "status", "attempts", "next_attempt_at_ms", "key",
        ] {
            #expect(delivery[key] != nil, "\(key)")
        }
        #expect(delivery["status"] == "waiting" && delivery["attempts"] == .integer(0))
        let explained = try await desk.done("sync", "explain", try #require(delivery["id"]?.asString))
        #expect(explained["kind"] == "delivery" && explained["next"]?.asString?.isEmpty == false)
        #expect(try await desk.done("explain", id)["pieces"]?.asArray?.first?["who"] == "worker")
        #expect(try await desk.done("status")["backlog"]?["waiting"] == .integer(1))
        let silent = await desk.run("sync", "--cron", "--deadline", "5")
        #expect(silent.exit == .done && silent.output.isEmpty)
    }

    @Test func `replay gives one object a line, filtered as asked`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let id = try await desk.session("passport_front,selfie")
        _ = try await desk.session("selfie")
        try await desk.done("session", "suspend", id)
        func lines(_ words: String...) async throws -> [JSONValue] {
            try await desk.run(["--json", "replay"] + words).output.split(separator: 0x0A).map {
                try JSONValue.parse(Array($0))
            }
        }
        let all = try await lines()
        #expect(all.compactMap { $0["position"]?.asInt } == [1, 2, 3])
        #expect(all.allSatisfy { $0["recorded_at_ms"]?.asInteger != nil && $0["summary"]?.asString != nil })
        #expect(try await lines("--session", id).compactMap { $0["position"]?.asInt } == [1, 3])
        #expect(try await lines("--type", "session_suspended").count == 1)
        #expect(try await lines("--from", "3").count == 1)
        #expect(try await desk.done("session", "show", id, "--at-version", "1")["session"]?["status"] == "active")
    }

    @Test func `an original comes out byte for byte, once into a new file, and that is recorded`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let id = try await desk.session("passport_front")
        let done = try await desk.done("capture", id, "passport_front", Desk.fixture("passport-front.jpg"))
        let capture = try #require(done["capture"]?["id"]?.asString)
        let out = desk.home + "/out.jpg"
        try await desk.done("media", "open", capture, "--out", out)
        let original = try InputFile.bytes(Desk.fixture("passport-front.jpg"), limit: 1 << 24)
        #expect(try InputFile.bytes(out, limit: 1 << 24) == original)
        #expect(await desk.run("media", "open", capture).output == original)
        #expect(await desk.run("media", "open", capture, "--out", out).exit == .cannotCreate)
        let access = String(decoding: try InputFile.bytes(desk.ledger + "/access.jsonl", limit: 1 << 20), as: UTF8.self)
        #expect(access.split(separator: "\n").count == 3)
        try await desk.done("erase", id, "--now")
        #expect(await desk.run("--json", "media", "open", capture, "--out", out + "2").exit == .refused)
        #expect(try await desk.done("audit", "verify")["ok"] == true)
    }
}
