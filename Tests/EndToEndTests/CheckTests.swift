import SessionDomain
import SystemCalls
import Testing

/// Checks through the command, with the real decoder, runtime and models.
@Suite struct CheckTests {
    static let runner = ["CAPTURE_LEDGER_RUNNER=tensorflow_lite"]

    @Test func `each specimen is judged as its file says`() throws {
        let workshop = try Workshop()
        let list = try JSONValue.parse(workshop.text(workshop.fixture("specimens/expectations.json"))).asArray ?? []
        #expect(list.count >= 10)
        for specimen in list {
            let (file, piece) = (try #require(specimen["file"]?.asString), try #require(specimen["piece"]?.asString))
            let done = try workshop.run(["--json", "check", workshop.fixture("specimens/" + file), "--piece", piece])
            let seen = try done.json
            #expect(seen["failure"]?.asString == specimen["failure"]?.asString, "\(file): \(done.output) \(done.errors)")
            #expect(done.end == .exited(specimen["failure"]?.asString == nil ? 0 : 65), "\(file)")
            #expect(seen["findings"]?.asArray?.isEmpty == false && seen["policy_version"] != nil)
        }
    }

    @Test func `what was seen is drawn on the picture, and an existing file is left alone`() throws {
        let workshop = try Workshop()
        let (picture, drawing) = (workshop.fixture("specimens/front-finger-on-mrz.jpg"), workshop.path + "/seen.png")
        let arguments = ["check", picture, "--piece", "passport_front", "--annotate", drawing]
        let done = try workshop.run(arguments)
        #expect(done.end == .exited(65) && done.output.contains("✗ failed") && done.output.contains("fingers"))
        #expect(try Workshop.shell("head -c 8 '\(drawing)' | od -An -tx1").contains("89 50 4e 47 0d 0a 1a 0a"))
        #expect(try workshop.run(arguments).end == .exited(73))
    }

    @Test func `S49 a blurred upload is not sent, and S53 a good one keeps its page, upright and bare`() throws {
        let workshop = try Workshop()
        let session = try workshop.startChecked("passport_front")
        let blurred = try workshop.run(
            [
                "--ledger", workshop.ledger, "--json", "capture", session, "passport_front",
                workshop.fixture("specimens/front-blurred.jpg"),
            ],
            environment: Self.runner)
        #expect(blurred.end == .exited(65))
        #expect(try blurred.json["outcome"]?.asString == "failed_checks" && blurred.json["failure"]?.asString == "blurry_photo")
        #expect(try workshop.ledger("sync", "list")["deliveries"]?.asArray == [])

        // F22: the picture lies on its side, and its orientation says so
        let turned = workshop.path + "/turned.jpg"
        try Workshop.shell(
            """
            PYTHONPATH='\(Workshop.repository)/.runtime/python' python3 -c '
            from PIL import Image
            import sys
            picture = Image.open(sys.argv[1]).transpose(Image.Transpose.ROTATE_90)
            orientation = picture.getexif()
            orientation[0x0112] = 6
            picture.save(sys.argv[2], quality=95, exif=orientation)
            ' '\(workshop.fixture("specimens/front-clean.jpg"))' '\(turned)'
            """)
        let done = try workshop.ledger("capture", session, "passport_front", turned, environment: Self.runner)
        #expect(done["outcome"]?.asString == "accepted")
        let (crop, capture) = (try #require(done["crop"]), try #require(done["capture"]?["id"]?.asString))
        #expect(try #require(crop["width"]?.asInt) > #require(crop["height"]?.asInt))
        let (page, original) = (workshop.path + "/page.jpg", workshop.path + "/original.jpg")
        try workshop.ledger("media", "open", capture, "--crop", "--out", page)
        try workshop.ledger("media", "open", capture, "--out", original)
        #expect(try Workshop.shell("cmp '\(turned)' '\(original)' && printf same") == "same")
        #expect(try Workshop.shell("head -c 3 '\(page)' | od -An -tx1").contains("ff d8 ff"))
        #expect(try Workshop.shell("grep -c Exif '\(page)'").first == "0")
        try Oracle.ask(workshop, "--no-orphans")

        // no byte of either is left behind by an erasure
        try workshop.ledger("erase", session, "--now")
        #expect(try Workshop.shell("find '\(workshop.ledger)/media' -type f") == "")
        try Oracle.ask(workshop, "--no-orphans", "--expect-erased", session)
    }

    @Test func `killed between capture and check, it is captured and unchecked, and check --pending goes on`() throws {
        let workshop = try Workshop()
        let session = try workshop.startChecked("passport_front")
        let decoder = workshop.path + "/slow-decoder"
        try Workshop.shell("printf '#!/bin/sh\\nexec sleep 30\\n' > '\(decoder)'; chmod +x '\(decoder)'")
        let capture =
            "CAPTURE_LEDGER_DECODER='\(decoder)' CAPTURE_LEDGER_RUNNER=tensorflow_lite '\(Workshop.product)' --ledger '\(workshop.ledger)'"
            + " capture \(session) passport_front '\(workshop.fixture("specimens/front-clean.jpg"))'"
        // It is killed as soon as the log holds the capture: the decoder never answers.
        try Workshop.shell(
            """
            HOME='\(workshop.path)' XDG_CONFIG_HOME='\(workshop.path)/config'; export HOME XDG_CONFIG_HOME
            \(capture) >/dev/null 2>&1 & victim=$!
            for look in $(seq 400); do
                '\(Workshop.product)' --ledger '\(workshop.ledger)' timeline \(session) 2>/dev/null | grep -q 'captured' && break
                sleep 0.05
            done
            kill -9 $victim; wait $victim 2>/dev/null; test $? = 137
            """)
        let waiting = try workshop.ledger("session", "show", session)["session"]?["pieces"]?.asArray?.first
        #expect(waiting?["status"]?.asString == "captured" && waiting?["checks"]?["outcome"]?.asString == "waiting")
        #expect(try workshop.ledger("sync", "list")["deliveries"]?.asArray == [])
        let done = try workshop.ledger("check", "--pending", environment: Self.runner)
        #expect(done["passed"]?.asInt == 1 && done["left"]?.asInt == 0)
        #expect(try workshop.ledger("sync", "list")["deliveries"]?.asArray?.count == 1)
        #expect(try workshop.ledger("check", "--pending", environment: Self.runner)["checked"]?.asInt == 0)
        try Oracle.ask(workshop, "--no-orphans")
    }

    @Test func `without a decoder a capture stays unchecked, says so, and is sent only after its check`() throws {
        let workshop = try Workshop()
        let session = try workshop.startChecked("passport_front")
        let nowhere = Self.runner + ["CAPTURE_LEDGER_DECODER=\(workshop.path)/nothing"]
        let picture = workshop.fixture("specimens/front-clean.jpg")
        let done = try workshop.ledger("capture", session, "passport_front", picture, expecting: 75, environment: nowhere)
        #expect(done["outcome"]?.asString == "accepted" && done["unchecked"]?["code"]?.asString == "decoder_unavailable")
        let idle = try workshop.ledger("check", "--pending", expecting: 75, environment: nowhere)
        #expect(idle["left"]?.asInt == 1 && idle["obstacle"]?["code"]?.asString == "decoder_unavailable")
        #expect(try workshop.ledger("sync", "list")["deliveries"]?.asArray == [])
        #expect(try workshop.ledger("check", "--pending", environment: Self.runner)["passed"]?.asInt == 1)
        #expect(try workshop.ledger("sync", "list")["deliveries"]?.asArray?.count == 1)
    }

    @Test func `a session that requires checks begins only where they can run`() throws {
        let workshop = try Workshop()
        try workshop.ledger("init")
        let start = ["session", "start", "--pieces", "passport_front", "--checks", "required"]
        func refusal(_ environment: [String]) throws -> String? {
            let done = try workshop.run(["--ledger", workshop.ledger, "--json"] + start, environment: environment)
            #expect(done.end == .exited(78), "\(done.output)")
            return done.errorCode
        }
        #expect(try refusal(["CAPTURE_LEDGER_TFLITE=/nothing"]) == "runner_missing")
        #expect(try refusal(Self.runner + ["CAPTURE_LEDGER_DECODER=/nothing"]) == "decoder_missing")
        #expect(try refusal(Self.runner + ["CAPTURE_LEDGER_MODELS=\(workshop.path)"]) == "model_missing")
        #expect(try workshop.ledger("session", "list")["sessions"]?.asArray == [])
    }

    @Test func `a session that asks for checks has them from what is found, where the settings name no runner`() throws {
        let workshop = try Workshop()
        try workshop.ledger("init")
        let started = try workshop.ledger("session", "start", "--pieces", "passport_front", "--checks", "required")
        let session = try #require(started["session"]?["id"]?.asString)
        let blurred = workshop.fixture("specimens/front-blurred.jpg")
        let refused = try workshop.ledger("capture", session, "passport_front", blurred, expecting: 65)
        #expect(refused["failure"]?.asString == "blurry_photo")
        let clean = workshop.fixture("specimens/front-clean.jpg")
        #expect(try workshop.ledger("capture", session, "passport_front", clean)["outcome"]?.asString == "accepted")
        // a session that has begun is found again, also where the checks could not run by now
        let start = ["session", "start", "--pieces", "passport_front", "--checks", "required", "--client-key", "k"]
        func keyed(_ environment: [String] = []) throws -> String? {
            let done = try workshop.run(["--ledger", workshop.ledger, "--json"] + start, environment: environment)
            return try done.json["session"]?["id"]?.asString
        }
        let first = try #require(try keyed())
        #expect(try keyed(["CAPTURE_LEDGER_DECODER=/nothing"]) == first)
        // what asks for nothing is not checked
        let silent = try workshop.ledger("session", "start", "--pieces", "passport_front")
        let other = try #require(silent["session"]?["id"]?.asString)
        #expect(try workshop.ledger("capture", other, "passport_front", blurred)["outcome"]?.asString == "accepted")
    }

    @Test func `S81 a video that cannot be decoded is recorded as unreadable`() throws {
        let workshop = try Workshop()
        let configuration = workshop.path + "/configuration.json"
        try Workshop.shell(
            """
            printf '{"pieces":["hologram"],"hologram_card_type":"NEW_TC_ID","checks":"required",\
            "hologram_settings":{"hologram_control_enabled":true}}' > '\(configuration)'
            """)
        let session = try workshop.startChecked("hologram", "--config", configuration)
        try workshop.ledger("hologram", "start", session)
        let video = workshop.path + "/blank.mp4"
        try Workshop.shell(
            """
            python3 - '\(workshop.fixture("hologram.mp4"))' '\(video)' <<'PYTHON'
            import sys
            file = bytearray(open(sys.argv[1], "rb").read())
            start = file.index(b"mdat") + 4
            size = int.from_bytes(file[start - 8:start - 4], "big") - 8
            file[start:start + size] = bytes(size)
            open(sys.argv[2], "wb").write(file)
            PYTHON
            """)
        let done = try workshop.ledger("capture", session, "hologram", video, expecting: 65, environment: Self.runner)
        #expect(done["failure"]?.asString == "media_unreadable")
    }
}

extension Workshop {
    /// A ledger, and in it a session that requires checks.
    fileprivate func startChecked(_ pieces: String, _ more: String...) throws -> String {
        try ledger("init")
        let started = try run(
            ["--ledger", ledger, "--json", "session", "start", "--pieces", pieces] + more, environment: CheckTests.runner)
        #expect(try started.json["session"]?["id"] != nil, "\(started.output) \(started.errors)")
        return try #require(try started.json["session"]?["id"]?.asString)
    }
}
