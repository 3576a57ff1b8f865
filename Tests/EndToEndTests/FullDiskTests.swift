import SessionDomain
import SystemCalls
import Testing

@Suite struct FullDiskTests {
    @Test func `a disk nearly full refuses captures before anything is half written`() throws {
        let workshop = try Workshop()
        try workshop.ledger("init")
        let session = try workshop.startSession("passport_front")
        let position = try Oracle.ask(workshop, "--no-orphans")["events"]?.asInt

        // Nobody has that much free.
        let settings = workshop.ledger + "/capture-ledger.json5"
        try Workshop.shell("sed -i 's|// reserve_bytes: .*|reserve_bytes: 1125899906842624,|' '\(settings)'")
        let refused = try workshop.run([
            "--ledger", workshop.ledger, "--json", "capture", session, "passport_front", workshop.fixture("passport-front.jpg"),
        ])
        #expect(refused.end == .exited(74))
        #expect(refused.errorCode == "storage_low")
        #expect(try Oracle.ask(workshop, "--no-orphans")["events"]?.asInt == position)

        try Workshop.shell("sed -i 's|^ *reserve_bytes: .*||' '\(settings)'")
        try workshop.ledger("capture", session, "passport_front", workshop.fixture("passport-front.jpg"))
        #expect(try Oracle.ask(workshop, "--no-orphans")["media_opened"]?.asInt == 1)
    }

    @Test(arguments: [1, 8, 64, 200, 260])
    func `a write that fails half way leaves nothing half done`(kibibytes: Int) throws {
        let workshop = try Workshop()
        try workshop.ledger("init")
        let session = try workshop.startSession("passport_front")
        let before = try Oracle.ask(workshop, "--no-orphans")["events"]?.asInt ?? 0

        // No file may grow beyond the limit, in 512-byte blocks: the kernel then answers as a full disk does.
        let failed = try workshop.run(
            [
                "--ledger", workshop.ledger, "--json", "capture", session, "passport_front",
                workshop.fixture("passport-front.jpg"),
            ], before: "trap '' XFSZ; ulimit -f \(kibibytes * 2);")
        let after = try Oracle.ask(workshop)["events"]?.asInt ?? 0
        if failed.end == .exited(0) {
            #expect(after == before + 2)
        } else {
            #expect(failed.end == .exited(74), "\(failed.output) \(failed.errors)")
            #expect(after == before)
        }
        let again = try workshop.ledger("capture", session, "passport_front", workshop.fixture("passport-front-retake.jpg"))
        #expect(again["outcome"]?.asString == "accepted")
        try workshop.ledger("doctor", "--fix")
        try Oracle.ask(workshop, "--no-orphans")
    }

    @Test func `a commit that the disk refuses is acknowledged to nobody`() throws {
        let workshop = try Workshop()
        try workshop.ledger("init")
        let session = try workshop.startSession("passport_front")
        var refusals = 0
        // The index of the log fits under each limit; the log of one commit under the highest alone.
        for kibibytes in [40, 48, 56, 4096] {
            let before = try Oracle.ask(workshop, "--no-orphans")["events"]?.asInt ?? 0
            let verb = before.isMultiple(of: 2) ? "resume" : "suspend"
            let done = try workshop.run(
                ["--ledger", workshop.ledger, "--json", "session", verb, session],
                before: "trap '' XFSZ; ulimit -f \(kibibytes * 2);")
            let after = try Oracle.ask(workshop, "--no-orphans")["events"]?.asInt ?? 0
            if done.end == .exited(0) {
                #expect(after == before + 1, "acknowledged under \(kibibytes) KiB, and not there")
            } else {
                refusals += 1
                #expect(done.end == .exited(74), "\(done.output) \(done.errors)")
                #expect(after == before)
            }
        }
        #expect(refusals > 0 && refusals < 4)
    }
}

extension Workshop {
    func startSession(_ pieces: String, _ more: String...) throws -> String {
        let done = try run(["--ledger", ledger, "--json", "session", "start", "--pieces", pieces] + more)
        return try #require(try done.json["session"]?["id"]?.asString, "\(done.output) \(done.errors)")
    }
}
