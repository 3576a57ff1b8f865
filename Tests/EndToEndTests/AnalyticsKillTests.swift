import SessionDomain
import SystemCalls
import TestSupport
import Testing

/// Killed with SIGKILL between two calls to the kernel, and asked again.
@Suite struct AnalyticsKillTests {
    /// A ledger whose past is made up, and a folder that it is put back from.
    private final class Site {
        let workshop: Workshop
        var saved: String { workshop.path + "/saved" }
        var analytics: String { workshop.ledger + "/analytics.sqlite" }

        init(sessions: Int) throws {
            workshop = try Workshop()
            let made = try workshop.run([
                "--ledger", workshop.ledger, "--json", "bench", "rebuild", "--sessions", String(sessions), "--rounds", "1",
            ])
            try #require(made.end == .exited(0), "\(made.output) \(made.errors)")
            _ = try? FileSystem.remove(analytics)
        }

        func save() throws { try Workshop.shell("rm -rf '\(saved)'; cp -a '\(workshop.ledger)' '\(saved)'") }
        func putBack() throws { try Workshop.shell("rm -rf '\(workshop.ledger)'; cp -a '\(saved)' '\(workshop.ledger)'") }

        /// How many calls a command makes that a kill can come between, and their names with the paths they are about.
        func rehearse(_ verb: [String]) throws -> [Recorder.Call] {
            let log = workshop.path + "/calls"
            _ = try? FileSystem.remove(log)
            let done = try workshop.run(
                ["--ledger", workshop.ledger, "--json"] + verb,
                environment: Recorder.environment(workshop, root: workshop.path, file: log))
            try #require(done.end == .exited(0), "\(verb): \(done.output) \(done.errors)")
            return Recorder.calls(in: try workshop.text(log))
        }

        func run(_ verb: [String], killedBefore place: Int) throws -> ChildProcess.End {
            try workshop.run(
                ["--ledger", workshop.ledger, "--json"] + verb,
                environment: Recorder.environment(workshop, root: workshop.path, killBefore: place)
            ).end
        }

        /// Every row of analytics.sqlite in one order, by a program that only knows SQLite: how far the tables are, and a digest of
        /// them. "none" without the file. Whoever opens it so rolls back what a killed program left, as a report would.
        func rows() throws -> (position: String, digest: String) {
            let script = """
                import hashlib, os, sqlite3, sys
                if not os.path.exists(sys.argv[1]):
                    sys.exit(print("none none"))
                database = sqlite3.connect(sys.argv[1])
                tables = [r[0] for r in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1")]
                digest = hashlib.sha256()
                for table in tables:
                    digest.update(repr((table, sorted(map(repr, database.execute(f"SELECT * FROM {table}"))))).encode())
                print(database.execute("SELECT position FROM progress").fetchone()[0], digest.hexdigest())
                """
            let file = workshop.path + "/rows.py"
            if try FileStatus.of(file) == nil { try FileDescriptor(opening: file, .createNew).write(Array(script.utf8)) }
            let words = try Workshop.shell("python3 '\(file)' '\(analytics)'").split(whereSeparator: \.isWhitespace)
            try #require(words.count == 2)
            return (String(words[0]), String(words[1]))
        }
    }

    @Test func `analytics killed anywhere on the way is as it was or as it will be, and then what a rebuild makes`() throws {
        for seed in SeededRandom.seeds(for: "analytics kill") {
            var random = SeededRandom(seed: seed)
            let site = try Site(sessions: 40)
            let workshop = site.workshop
            try workshop.ledger("analytics", "report")
            for _ in 0..<3 { _ = try workshop.startSession("selfie") }
            // made from nothing, and caught up
            for isThere in [false, true] {
                if !isThere { try Workshop.shell("mv '\(site.analytics)' '\(workshop.path)/aside'") }
                if isThere { try Workshop.shell("mv '\(workshop.path)/aside' '\(site.analytics)'") }
                try site.save()
                let before = try site.rows()
                let calls = try site.rehearse(["analytics", "report"])
                let after = try site.rows()
                try #require(before.position != after.position && calls.count > 4)
                try workshop.ledger("rebuild")
                #expect(try site.rows() == after)
                var ends: Set<String> = []
                for place in Set((1...calls.count).shuffled(using: &random).prefix(10) + [1, calls.count]).sorted() {
                    try site.putBack()
                    #expect(try site.run(["analytics", "report"], killedBefore: place) == .signalled(9))
                    let found = try site.rows()
                    #expect(found == before || found == after, "killed before call \(place): \(calls[place - 1])")
                    ends.insert(found.position)
                    try site.putBack()
                    #expect(try site.run(["analytics", "report"], killedBefore: place) == .signalled(9))
                    // nobody has looked at it meanwhile
                    try workshop.ledger("analytics", "report")
                    #expect(try site.rows() == after, "killed before call \(place): \(calls[place - 1])")
                    let left = try Workshop.shell("cd '\(workshop.ledger)' && ls | grep analytics.sqlite")
                    #expect(left == "analytics.sqlite\n", "killed before call \(place) left \(left)")
                }
                #expect(ends.contains(before.position))
                try site.putBack()
            }
        }
    }

    @Test func `F29 S86 an export killed anywhere tells everything at least once, with the same ids`() throws {
        for seed in SeededRandom.seeds(for: "export kill") {
            var random = SeededRandom(seed: seed)
            let site = try Site(sessions: 30)
            let workshop = site.workshop
            let wanted = try workshop.run(["--ledger", workshop.ledger, "analytics", "export"]).output.split(separator: "\n")
            try #require(wanted.count > 60)
            let server = try ServerProgram("CountingServer")
            let file = workshop.path + "/events.jsonl"
            let ways = [
                ["analytics", "export", "--to", file, "--batch", "9"],
                [
                    "analytics", "export", "--url", "http://127.0.0.1:\(server.port("http"))/events", "--batch", "9",
                    "--checkpoint", "http",
                ],
            ]
            try site.save()
            for export in ways {
                let calls = try site.rehearse(export)
                try Workshop.shell("rm -f '\(file)'")
                try site.putBack()
                // what was handed over and is not remembered yet
                let moves = calls.indices.filter { calls[$0].newPath?.hasSuffix(".cursor") == true }.map { $0 + 1 }
                try #require(moves.count > 6)
                let restarted = try Arrivals(server)
                var kills = 0
                for place in [moves[0], moves[1]] + (0..<6).map({ _ in Int.random(in: 1...calls.count / 2, using: &random) }) {
                    if try site.run(export, killedBefore: place) == .signalled(9) { kills += 1 }
                }
                #expect(kills >= 2)
                let last = try workshop.run(["--ledger", workshop.ledger, "--json"] + export)
                #expect(last.end == .exited(0))
                #expect(try workshop.run(["--ledger", workshop.ledger, "--json"] + export).json["events"]?.asInt == 0)
                let told =
                    try export.contains("--to")
                    ? workshop.text(file).split(separator: "\n").map { try JSONValue.parse(String($0)) }
                    : restarted.events()
                var seen: Set<String> = []
                let once = told.filter { seen.insert($0["event_id"]?.asString ?? "").inserted }
                #expect(once == (try wanted.map { try JSONValue.parse(String($0)) }))
                // an event that comes again is the same in every word
                #expect(Set(told).count == once.count)
                #expect(told.count > once.count, "nothing came twice: the kill was not where it hurts")
            }
        }
    }

    /// What comes from now on.
    private struct Arrivals {
        let server: ServerProgram
        let before: Int

        init(_ server: ServerProgram) throws {
            self.server = server
            before = try Self.bodies(server).count
        }

        func events() throws -> [JSONValue] {
            try Self.bodies(server).dropFirst(before).flatMap { $0["events"]?.asArray ?? [] }
        }

        private static func bodies(_ server: ServerProgram) throws -> [JSONValue] {
            try server.ask(#"{"do":"bodies","path":"/events"}"#)["bodies"]?.asArray ?? []
        }
    }
}
