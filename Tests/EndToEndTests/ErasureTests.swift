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

    @Test func `S98 F21 after an erasure no file anywhere holds a word, a picture, a key or an answer of the person`() throws {
        let mrz = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<"
        let reason = "free text about her face 4711"
        let shop = try Shop(
            rules: #"""
                {"piece":"passport_front","verified":{"payload":{"mrz":"\#(mrz)"}}},
                {"piece":"selfie","rejected":{"reason":"\#(reason)","staff_reason":"staff \#(reason)"}}
                """#)
        let workshop = shop.workshop
        let marker = (0..<32).map { _ in UInt8(truncatingIfNeeded: SecureRandom.words().0) }
        let plain = try FileDescriptor(opening: workshop.fixture("passport-front.jpg"), .read).readToEnd(limit: 1 << 24)
        let marked = workshop.path + "/marked.jpg"
        try FileDescriptor(opening: marked, .createNew).write(plain[..<2] + [0xFF, 0xFE, 0, 34] + marker + plain[2...])
        let temporary = workshop.path + "/tmp"
        try FileSystem.makeFolder(temporary)
        let personal = ["anna maria eriksson 19740812", "her-client-key-99", "her-transaction-77"]
        func run(_ words: String...) throws -> Finished {
            try workshop.run(
                ["--ledger", workshop.ledger, "--json"] + words,
                environment: shop.sandbox.environment + ["TMPDIR=\(temporary)"])
        }
        let session = try #require(
            try run(
                "session", "start", "--pieces", "passport_front,selfie", "--checks", "off", "--subject", personal[0],
                "--client-key", personal[1], "--transaction-id", personal[2]
            ).json["session"]?["id"]?.asString)
        let capture = try #require(
            try run("capture", session, "passport_front", marked, "--consume").json["capture"]?["id"]?.asString)
        _ = try run("capture", session, "selfie", workshop.fixture("selfie.jpg"))
        let synced = try run("sync", "--log", "debug")
        #expect(try synced.end == .exited(0) && synced.json["rejected"]?.asInt == 1, "\(synced.output) \(synced.errors)")
        _ = try run("media", "open", capture, "--out", workshop.path + "/opened.jpg")
        try FileSystem.remove(workshop.path + "/opened.jpg")
        #expect(try run("session", "show", session).output.contains(mrz))

        // positive controls: whoever has the master key opens all of it, and the scan finds the key
        let before = try Oracle.ask(workshop, "--no-orphans")
        #expect(before["media_opened"]?.asInt == 2 && before["evidence_opened"]?.asInt == 2)
        #expect(try #require(before["private_opened"]?.asInt) >= 5)
        let keys = try Self.keys(workshop)
        let places = [workshop.ledger, workshop.path + "/config", temporary] + (try Self.logs(workshop))
        #expect(try Self.files(places, holding: [keys.wrapped]).map { $0.suffix(11) } == ["keys.sqlite"])
        let flow = try run("replay", "--session", session).output
        _ = try run("rebuild")
        let funnel = try Self.funnel(workshop)
        #expect(!funnel.isEmpty)
        let events = try run("audit", "verify").json["events"]?.asInt

        let erased = try run("erase", "--subject", personal[0], "--now")
        let recipients = try erased.json["erased"]?["recipients"]?.asArray ?? []
        #expect(recipients.count == 2 && recipients.allSatisfy { $0["certain"]?.asBool == true }, "\(erased.output)")
        #expect(recipients.allSatisfy { $0["destination"]?.asString == "verifier" })
        let needles =
            [keys.wrapped, Array(keys.wrapped[1..<29]), Array(keys.wrapped[13..<45]), keys.plain, marker]
            + ([mrz, reason] + personal).map { Array($0.utf8) }
        for needle in needles {
            #expect(try Self.files(places + Self.logs(workshop), holding: [needle]) == [], "\(needle.count) bytes")
        }
        #expect(try Self.files([temporary], holding: [[0xFF, 0xD8, 0xFF]]) == [])

        let after = try Oracle.ask(workshop, "--no-orphans", "--expect-erased", session)
        for opened in ["media_opened", "evidence_opened", "private_opened"] {
            #expect(after[opened]?.asInt ?? 0 == 0, "\(opened)")
        }
        let refused = try run("capture", session, "selfie", workshop.fixture("selfie.jpg"))
        #expect(refused.end == .exited(65) && refused.errorCode == "session_erased")
        let proof = try run("audit", "prove-deleted", session)
        #expect(proof.end == .exited(0))
        #expect(try proof.json["proof"]?["inclusion"]?["position"]?.asInt == events.map { $0 + 1 }, "\(proof.output)")
        // the funnel counts what it counted, kept up and made again, and the log goes on where it was
        #expect(try Self.funnel(workshop) == funnel)
        _ = try run("rebuild")
        #expect(try Self.funnel(workshop) == funnel)
        for needle in needles { #expect(try Self.files(places + Self.logs(workshop), holding: [needle]) == [], "rebuilt") }
        #expect(try run("replay", "--session", session).output.hasPrefix(flow))
        let verified = try run("audit", "verify").json
        #expect(verified["ok"]?.asBool == true && verified["events"]?.asInt == events.map { $0 + 1 })
        #expect(try run("doctor").end == .exited(0))
    }

    /// The wrapped key of the only session, and the key itself, which is in no file.
    private static func keys(_ workshop: Workshop) throws -> (wrapped: [UInt8], plain: [UInt8]) {
        let script = """
            import glob, sqlite3, sys
            sys.path.insert(0, '\(Workshop.repository)/Tests')
            import oracle_format as form
            row = sqlite3.connect('\(workshop.ledger)/keys/keys.sqlite').execute(
                'SELECT wrapped FROM session_key WHERE key_no = 1').fetchone()
            master = form.read_master_key(glob.glob('\(workshop.path)/config/capture-ledger/*/master.key')[0])
            key = form.unwrap(form.wrapping_key(master), row[0], form.session_key_aad(1))
            print(row[0].hex(), key.hex())
            """
        try FileDescriptor(opening: workshop.path + "/keys.py", .createNew).write(Array(script.utf8))
        let words = try Workshop.shell("PYTHONDONTWRITEBYTECODE=1 python3 '\(workshop.path)/keys.py'").split { $0.isWhitespace }
        try #require(words.count == 2)
        func bytes(_ hex: Substring) -> [UInt8] {
            let digits = hex.utf8.map { UInt8($0 < 58 ? $0 - 48 : $0 - 87) }
            return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        }
        return (bytes(words[0]), bytes(words[1]))
    }

    private static func funnel(_ workshop: Workshop) throws -> String {
        try Workshop.shell(
            "python3 -c \"import sqlite3; [print(r) for r in sqlite3.connect('\(workshop.ledger)/analytics.sqlite').execute('SELECT * FROM daily_funnel ORDER BY 1, 2, 3')]\""
        )
    }

    /// What the runs wrote to standard error.
    private static func logs(_ workshop: Workshop) throws -> [String] {
        try FileDescriptor(opening: workshop.path, .folder).names().filter { $0.hasPrefix("errors-") }
            .map { workshop.path + "/" + $0 }
    }

    private static func files(_ places: [String], holding needles: [[UInt8]]) throws -> [String] {
        var found: [String] = []
        for place in places {
            guard let status = try FileStatus.of(place) else { continue }
            if status.kind == .folder {
                let names = try FileDescriptor(opening: place, .folder).names().sorted()
                found += try files(names.map { place + "/" + $0 }, holding: needles)
                continue
            }
            let bytes = try FileDescriptor(opening: place, .read).readToEnd(limit: 1 << 26)
            if needles.contains(where: { bytes.firstRange(of: $0) != nil }) { found.append(place) }
        }
        return found
    }
}
