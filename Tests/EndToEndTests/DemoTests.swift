import SessionDomain
import SystemCalls
import Testing

@Suite struct DemoTests {
    @Test func `the demo goes the whole road and says where the ledger is`() throws {
        let workshop = try Workshop()
        let done = try workshop.run(["--json", "demo", workshop.ledger])
        try #require(done.end == .exited(0), "\(done.output) \(done.errors)")
        let shown = try done.json
        let ledger = try #require(shown["ledger"]?.asString)
        #expect(ledger == workshop.ledger)
        #expect(shown["session"]?["status"]?.asString == "completed")

        let outcomes = (shown["deliveries"]?.asArray ?? []).compactMap { $0["status"]?.asString }
        #expect(outcomes.count { $0 == "rejected" } == 1)
        #expect(outcomes.count { $0 == "verified" } == 4)
        let effects = shown["sandbox"]?["effects"]?.asMembers ?? []
        #expect(effects.count == 5)
        #expect(effects.allSatisfy { $0.value.asInt == 1 })
        if let keys = shown["sandbox"]?["keys"]?.asInt { #expect(keys == outcomes.count) }
        // one picture out of focus was refused by its checks, and nothing of it was sent
        let checked = (shown["timeline"]?.asArray ?? []).filter { $0["type"]?.asString == "piece_checked" }
        #expect(checked.count == 6 && checked.count { $0["reason"]?.asString == "blurry_photo" } == 1)
        #expect(shown["session"]?["pieces"]?.asArray?.allSatisfy { $0["payload"] != nil } == true)

        // The refused and the rejected capture, the crops, the hologram's destroyed video and the rest: all as the files have it.
        let verdict = try Oracle.ask(workshop, "--no-orphans", "--sandbox-record", ledger + ".sandbox.jsonl")
        #expect(verdict["deliveries"]?.asInt == 5)
        #expect(verdict["effects"]?.asInt == 5)
        #expect(verdict["media"]?.asInt == 8)
    }

    @Test func `without JSON the last line says where the ledger is`() throws {
        let workshop = try Workshop()
        let done = try workshop.run(["demo"])
        try #require(done.end == .exited(0), "\(done.errors)")
        let last = try #require(done.output.split(separator: "\n").last)
        let path = try #require(last.split(separator: " ").last.map(String.init))
        #expect(try Workshop.shell("test -f '\(path)/ledger.sqlite' && printf yes") == "yes", "\(last)")
        if path.hasPrefix("/tmp/capture-ledger-") { try Workshop.shell("rm -rf '\(path.parentFolder)'") }
    }
}
