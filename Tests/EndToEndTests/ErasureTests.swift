import SessionDomain
import SystemCalls
import Testing

@Suite struct ErasureTests {
    @Test func `S98 an erased person is gone, also after a restore, and the log still proves itself`() throws {
        let workshop = try Workshop()
        try workshop.ledger("init")
        let kept = try workshop.startSession("passport_front", "--subject", "kept person")
        let gone = try workshop.startSession("passport_front", "--subject", "gone person")
        var captures: [String: String] = [:]
        for (session, picture) in [(kept, "passport-front.jpg"), (gone, "passport-front-retake.jpg")] {
            let captured = try workshop.ledger("capture", session, "passport_front", workshop.fixture(picture))
            captures[session] = captured["capture"]?["id"]?.asString
        }
        let backup = workshop.path + "/backup"
        try workshop.ledger("backup", backup)
        try workshop.ledger("erase", gone, "--now")

        let verdict = try Oracle.ask(workshop, "--no-orphans", "--expect-erased", gone)
        #expect(verdict["erased"]?.asInt == 1)
        #expect(verdict["media_opened"]?.asInt == 1)
        #expect(try workshop.ledger("audit", "verify")["ok"]?.asBool == true)
        #expect(try workshop.ledger("session", "find", "--subject", "gone person")["sessions"]?.asArray?.isEmpty == true)
        #expect(try workshop.ledger("session", "find", "--subject", "kept person")["sessions"]?.asArray?.count == 1)
        let opened = try workshop.run([
            "--ledger", workshop.ledger, "--json", "media", "open", try #require(captures[gone]), "--out",
            workshop.path + "/out",
        ])
        #expect(opened.end != .exited(0))

        let restored = workshop.path + "/restored.ledger"
        try workshop.ledger("restore", backup, restored)
        try Oracle.ask(workshop, "--expect-erased", gone, ledger: restored)
    }
}
