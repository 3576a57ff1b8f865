import SessionDomain
import SystemCalls
import TestSupport
import Testing

/// The demo's session, killed with SIGKILL in each of its steps and gone on with.
@Suite struct KillTests {
    /// From the command itself, so that a new step is covered by itself.
    static func steps(_ workshop: Workshop) throws -> [String] {
        let listed = try workshop.run(["--json", "demo", "--list-steps"])
        return try #require(try listed.json["steps"]?.asArray, "\(listed.output) \(listed.errors)").compactMap(\.asString)
    }

    @Test func `F5 killed in every step and reopened, the session goes on with nothing half`() throws {
        for seed in SeededRandom.seeds(for: "kill") { try killEveryStep(SeededRandom(seed: seed)) }
    }

    private func killEveryStep(_ seeded: SeededRandom) throws {
        var random = seeded
        let straight = try Workshop()
        let killed = try Workshop()
        let steps = try Self.steps(straight)
        #expect(steps.count >= 8)
        var kills = 0
        for step in steps {
            let log = straight.path + "/calls-" + step
            let done = try straight.run(
                Self.step(step, in: straight), environment: Recorder.environment(straight, root: straight.path, file: log))
            try #require(done.end == .exited(0), "\(step): \(done.output) \(done.errors)")
            let calls = ((try? straight.text(log)) ?? "").split(separator: "\n").count

            // Somewhere in the step, and behind its last durable call.
            let places = calls == 0 ? [] : [Int.random(in: 1...calls, using: &random), calls]
            for place in places {
                let end = try killed.run(
                    Self.step(step, in: killed), environment: Recorder.environment(killed, root: killed.path, killBefore: place)
                ).end
                if end == .signalled(9) { kills += 1 }
            }
            if step != steps.first { try Oracle.ask(killed) }
            let goneOn = try killed.run(Self.step(step, in: killed))
            try #require(goneOn.end == .exited(0), "\(step), killed before \(places): \(goneOn.output) \(goneOn.errors)")
            let (found, wanted) = (try Self.summary(killed), try Self.summary(straight))
            #expect(found == wanted, "after \(step), killed before \(places)")
        }
        // A step that found itself done makes fewer calls than the one it was rehearsed with, and may end before its place.
        #expect(kills >= steps.count)
        try killed.ledger("doctor", "--fix")
        try Oracle.ask(killed, "--no-orphans", "--sandbox-record", killed.ledger + ".sandbox.jsonl")
    }

    @Test func `a ledger whose making was interrupted anywhere is made by asking again`() throws {
        var random = SeededRandom(seed: SeededRandom.seed(for: "init"))
        let straight = try Workshop()
        let log = straight.path + "/calls"
        let made = try straight.run(
            ["--ledger", straight.ledger, "init"], environment: Recorder.environment(straight, root: straight.path, file: log))
        #expect(made.end == .exited(0))
        let calls = try straight.text(log).split(separator: "\n").count
        #expect(calls > 20)
        for place in (1...calls).shuffled(using: &random).prefix(20) + [calls - 1, calls] {
            let killed = try Workshop()
            let end = try killed.run(
                ["--ledger", killed.ledger, "init"],
                environment: Recorder.environment(killed, root: killed.path, killBefore: place)
            ).end
            #expect(end == .signalled(9))
            let again = try killed.run(["--ledger", killed.ledger, "--json", "init"])
            let isMade = again.end == .exited(0) || again.errorCode == "ledger_exists"
            try #require(isMade, "killed before call \(place): \(again.output)")
            _ = try killed.startSession("selfie")
            try Oracle.ask(killed, "--no-orphans")
        }
    }

    private static func step(_ name: String, in workshop: Workshop) -> [String] {
        ["--json", "demo", "--step", name, "--ledger", workshop.ledger]
    }

    /// What must be equal: where the session stands and which originals are kept.
    private static func summary(_ workshop: Workshop) throws -> [String] {
        guard let list = try? workshop.ledger("session", "list")["sessions"]?.asArray else { return [] }
        return try list.compactMap { $0["id"]?.asString }.flatMap { id in
            let session = try workshop.ledger("session", "show", id)["session"]
            let pieces = (session?["pieces"]?.asArray ?? []).map {
                "\($0["piece"]?.asString ?? "") \($0["status"]?.asString ?? "") \($0["attempts"]?.asInt ?? -1)"
            }
            let digests = try (session?["pieces"]?.asArray ?? []).compactMap { $0["capture_id"]?.asString }.map { capture in
                let out = workshop.path + "/opened"
                defer { _ = try? FileSystem.remove(out) }
                let opened = try workshop.run(["--ledger", workshop.ledger, "media", "open", capture, "--out", out])
                return opened.end == .exited(0) ? try Workshop.shell("sha256sum < '\(out)'") : "gone"
            }
            return [session?["status"]?.asString ?? "", session?["current_piece"]?.asString ?? "none"] + pieces + digests
        }
    }
}
