import SessionDomain
import SystemCalls
import Testing

@testable import CommandLineTool

/// Backups, increments, drills, exports and replays as verbs: shapes, exit codes, and what they say on standard error.
struct TransferTests {
    private func keys(_ value: JSONValue?) -> [String] { (value?.asMembers ?? []).map(\.key) }

    @Test func `a backup, its increment, a drill and a restore by verbs`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let id = try await desk.session("selfie")
        let base = try await desk.done("backup", desk.home + "/base")
        #expect(base["backup"]?["position"] == .integer(1) && base["backup"]?["after_position"] == nil)
        try await desk.done("session", "suspend", id)
        let increment = try await desk.done("backup", desk.home + "/1", "--since", desk.home + "/base")
        #expect(increment["backup"]?["after_position"] == .integer(1) && increment["backup"]?["position"] == .integer(2))
        let both = await desk.run("--json", "backup", desk.home + "/2", "--since", desk.home + "/1", "--after-position", "1")
        #expect(both.exit == .usage)
        let drill = try await desk.done("restore", desk.home + "/base", "--drill", "--increment", desk.home + "/1")
        #expect(keys(drill["drill"]) == ["ok", "rebuilt_same", "restored", "seconds", "verified"])
        #expect(drill["drill"]?["ok"] == true)
        #expect(await desk.run("restore", desk.home + "/base").exit == .usage)
        let foreign = await desk.run("--json", "restore", desk.home + "/1", desk.home + "/x.ledger")
        #expect(foreign.exit == .refused && foreign.errorCode == "increment_without_base")
        let restored = try await desk.done(
            "restore", desk.home + "/base", desk.home + "/r.ledger", "--increment", desk.home + "/1")
        #expect(restored["restored"]?["position"] == .integer(2))
        let shown = try await desk.done("--ledger", desk.home + "/r.ledger", "session", "show", id)
        #expect(shown["session"]?["status"] == "suspended")
    }

    @Test func `an export is imported, and a second export is the first`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        _ = try await desk.session("selfie", "--command-id", "once", "--client-key", "k")
        let made = try await desk.done("export", desk.home + "/a.rows")
        #expect(keys(made["export"]) == ["bytes", "ledger_id", "path", "position", "rows"])
        let imported = try await desk.done("import", desk.home + "/a.rows", desk.home + "/i.ledger")
        #expect(imported["imported"]?["position"] == .integer(1))
        try await desk.done("--ledger", desk.home + "/i.ledger", "export", desk.home + "/b.rows")
        let (first, second) = try (read(desk.home + "/a.rows"), read(desk.home + "/b.rows"))
        #expect(first == second && !first.isEmpty)
        #expect(try await desk.done("--ledger", desk.home + "/i.ledger", "audit", "verify")["ok"] == true)
        let again = try await desk.done(
            "--ledger", desk.home + "/i.ledger", "session", "start", "--pieces", "selfie", "--command-id", "once",
            "--client-key", "k")
        #expect(again["receipt"]?["repeated"] == true)
        let damaged = desk.home + "/c.rows"
        try FileDescriptor(opening: damaged, .createNew).write(Array(first.dropLast(3)))
        let refused = await desk.run("--json", "import", damaged, desk.home + "/c.ledger")
        #expect(refused.exit == .refused && refused.errorCode == "rows_damaged")
        #expect(try FileStatus.of(desk.home + "/c.ledger") == nil)
    }

    @Test func `a replay says where to go on, and a moment needs its zone`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let id = try await desk.session("selfie")
        try await desk.done("session", "suspend", id)
        let all = await desk.run("replay", "--json")
        #expect(all.output.count { $0 == 0x0A } == 2 && all.errors == ["2 events of positions 1 to 2. Go on with --from 3."])
        let csv = await desk.run("replay", "--format", "csv", "--type", "session_suspended")
        #expect(csv.text.hasPrefix("position,session_id,") && csv.text.split(separator: "\r\n").count == 2)
        #expect(await desk.run("replay", "--type", "session_suspend").errors.joined().contains("session_suspended"))
        #expect(await desk.run("replay", "--since", "2026-11-30T00:00").errors.joined().contains("2026-11-30T00:00Z"))
        let early = await desk.run("--json", "session", "show", id, "--as-of", "2020-01-01T00:00:00Z")
        #expect(early.exit == .notFound && early.errorCode == "not_begun")
        let then = try await desk.done("session", "show", id, "--at-position", "1")
        #expect(then["session"]?["status"] == "active" && then["as_of"]?["newest_version"] == .integer(2))
    }

    private func read(_ path: String) throws -> [UInt8] { try FileDescriptor(opening: path, .read).readToEnd(limit: 1 << 24) }
}
