import SessionDomain
import SystemCalls
import TestSupport
import Testing

/// Faults that people met, through processes, files and sockets alone: the command, the sandbox, what each left behind.
@Suite struct FieldReportTests {
    @Test func `F1 the acknowledgement is lost: a later process gets it, with one submission and two attempts`() throws {
        let shop = try Shop(rules: #"{"nth":[1],"per":"key","drop":"after_storing"}"#)
        let session = try shop.workshop.startSession("passport_front")
        try shop.capture(session, "passport_front", "passport-front.jpg")
        #expect(try shop.sync("--limit", "1")["left"]?.asInt == 1)
        #expect(try shop.syncUntilDone()["left"]?.asInt == 0)

        #expect(try shop.status(of: "passport_front", in: session) == "verified")
        let delivery = try #require(try shop.deliveries(session).first)
        #expect(delivery["attempts"]?.asInt == 2)
        let record = try shop.record()
        #expect(record["effects"]?.asMembers?.map(\.value.asInt) == [1])
        #expect(record["keys"]?.asInt == 1)
        try Oracle.ask(shop.workshop, "--no-orphans", "--sandbox-record", shop.sandbox.record)
    }

    @Test func `F2 F7 a rejected piece is captured again alone, under a new id that is the only one sent`() throws {
        let shop = try Shop(rules: #"{"piece":"selfie","nth":[1],"rejected":{}}"#)
        let session = try shop.workshop.startSession("passport_front,selfie")
        try shop.capture(session, "passport_front", "passport-front.jpg")
        let dead = try shop.capture(session, "selfie", "selfie.jpg")
        #expect(try shop.sync()["rejected"]?.asInt == 1)
        #expect(try shop.workshop.ledger("session", "show", session)["session"]?["current_piece"]?.asString == "selfie")
        let before = try shop.requests().count

        let alive = try shop.capture(session, "selfie", "selfie-orientation-8.jpg")
        #expect(try shop.sync()["verified"]?.asInt == 1)
        let later = try shop.requests().dropFirst(before)
        #expect(alive != dead && later.map { $0["capture_id"]?.asString } == [alive])
        #expect(try shop.status(of: "passport_front", in: session) == "verified")
        #expect(try shop.workshop.ledger("session", "show", session)["session"]?["status"]?.asString == "completed")
    }

    @Test func `F3 F10 three captures of one page before it is confirmed are one submission, the newest`() throws {
        let shop = try Shop(rules: nil)
        let session = try shop.workshop.startSession("passport_front")
        try shop.capture(session, "passport_front", "passport-back.jpg", "--no-confirm")
        try shop.capture(session, "passport_front", "passport-front.jpg", "--no-confirm")
        let newest = try shop.capture(session, "passport_front", "passport-front-retake.jpg", "--no-confirm")
        try shop.workshop.ledger("confirm", session, "passport_front")
        #expect(try shop.sync()["verified"]?.asInt == 1)
        let requests = try shop.requests()
        #expect(requests.map { $0["capture_id"]?.asString } == [newest])
        let digest = try Workshop.shell("sha256sum < '\(shop.workshop.fixture("passport-front-retake.jpg"))'").prefix(64)
        #expect(requests.first?["digest"]?.asString == String(digest))
        let types = try shop.workshop.ledger("timeline", session)["events"]?.asArray?.compactMap { $0["type"]?.asString }
        #expect(types?.count { $0 == "piece_captured" } == 3, "the older events stay")
    }

    @Test func `F5 a sync that is killed anywhere is gone on with by the next one, with one effect each`() throws {
        let shop = try Shop(rules: nil)
        var random = SeededRandom(seed: SeededRandom.seed(for: "killed sync"))
        var sessions: [String] = []
        var kills = 0
        for _ in 0..<8 {
            let session = try shop.workshop.startSession("passport_front")
            try shop.capture(session, "passport_front", "passport-front.jpg")
            sessions.append(session)
            let place = Int.random(in: 1...40, using: &random)
            let killed = try shop.workshop.run(
                ["--ledger", shop.workshop.ledger, "--json", "sync"],
                environment: shop.sandbox.environment
                    + Recorder.environment(shop.workshop, root: shop.workshop.ledger, killBefore: place))
            #expect(killed.end == .signalled(9) || killed.end == .exited(0), "before call \(place): \(killed.errors)")
            if killed.end == .signalled(9) { kills += 1 }
            // Three runs that die with one delivery in hand would quarantine it.
            #expect(try shop.syncUntilDone()["left"]?.asInt == 0, "killed before call \(place)")
        }
        #expect(kills >= 4)
        for session in sessions { #expect(try shop.status(of: "passport_front", in: session) == "verified") }
        let record = try shop.record()
        #expect(record["effects"]?.asMembers?.allSatisfy { $0.value.asInt == 1 } == true)
        #expect(record["effects"]?.asMembers?.count == 8 && record["keys"]?.asInt == 8)
        try shop.workshop.ledger("doctor", "--fix")
        try Oracle.ask(shop.workshop, "--no-orphans", "--sandbox-record", shop.sandbox.record)
    }

    @Test(arguments: ["html", "wrong_schema", "empty"])
    func `F15 F8 a success with another body is retried and never taken for a yes`(body: String) throws {
        let shop = try Shop(rules: #"{"nth":[1],"body":"\#(body)"}"#)
        let session = try shop.workshop.startSession("passport_front")
        try shop.capture(session, "passport_front", "passport-front.jpg")
        let first = try shop.sync("--limit", "1")
        #expect(first["verified"]?.asInt == 0 && first["left"]?.asInt == 1 && first["parked"]?.asInt == 0)
        #expect(try shop.status(of: "passport_front", in: session) != "verified")
        #expect(try shop.syncUntilDone()["left"]?.asInt == 0)
        #expect(try shop.status(of: "passport_front", in: session) == "verified")
    }

    @Test func `F16 F17 F18 one poisoned delivery among twenty: nineteen in one run, the poison ends at the cap, once`() throws
    {
        let shop = try Shop(rules: nil, attemptLimit: 3)
        var sessions: [String] = []
        for _ in 0..<20 { sessions.append(try shop.workshop.startSession("selfie")) }
        let poisoned = try #require(sessions.first)
        try shop.use(rules: #"{"session_id":"\#(poisoned)","status":500}"#)
        for session in sessions { try shop.capture(session, "selfie", "selfie.jpg") }

        #expect(try shop.sync()["verified"]?.asInt == 19)
        let last = try shop.syncUntilDone()
        #expect(last["left"]?.asInt == 0)
        let delivery = try #require(try shop.deliveries(poisoned).first)
        #expect(delivery["status"]?.asString == "parked" && delivery["attempts"]?.asInt == 3)
        let explained = try shop.workshop.ledger("sync", "explain", try #require(delivery["id"]?.asString))
        #expect(explained["attempts"]?.asArray?.count == 3)
        #expect(explained.canonical.contains("failed_permanently"))
        let events = try shop.workshop.ledger("timeline", poisoned)["events"]?.asArray ?? []
        #expect(events.count { $0["type"]?.asString == "piece_delivery_parked" } == 1)
        let requests = try shop.requests().filter { $0["session_id"]?.asString == poisoned }
        #expect(requests.count == 3, "libcurl repeated a request, or the cap did not hold")
        #expect(Set(requests.compactMap { $0["key"]?.asString }).count == 1)
        #expect(try shop.record()["keys"]?.asInt == 20)
    }

    @Test func `F29 rebuilding three times sends nothing and changes no row`() throws {
        let shop = try Shop(rules: nil)
        let session = try shop.workshop.startSession("passport_front,selfie")
        try shop.capture(session, "passport_front", "passport-front.jpg")
        _ = try shop.sync()
        try shop.capture(session, "selfie", "selfie.jpg")
        let before = (try shop.requests().count, try shop.deliveries(session).map(\.canonical))
        for _ in 0..<3 { try shop.workshop.ledger("rebuild") }
        #expect(try shop.requests().count == before.0)
        #expect(try shop.deliveries(session).map(\.canonical) == before.1)
        #expect(try shop.sync()["verified"]?.asInt == 1)
    }

    @Test func `an error names a section that the runbook has`() throws {
        let workshop = try Workshop()
        let failed = try workshop.run(["--ledger", workshop.ledger, "--json", "status"])
        let named = try #require(try failed.json["error"]?["runbook"]?.asString)
        let parts = named.split(separator: "#").map(String.init)
        let text = try workshop.text("\(Workshop.repository)/\(parts[0])")
        #expect(parts.count == 2 && text.contains("\n### \(parts[1])\n"))
        let words = try workshop.run(["--ledger", workshop.ledger, "status"]).errors
        #expect(words.contains(named), "\(words)")
    }
}
