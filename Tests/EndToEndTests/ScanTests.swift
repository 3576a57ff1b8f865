import SessionDomain
import SystemCalls
import Testing

/// `scan` with the real decoder, the real runtime and the reference models.
@Suite struct ScanTests {
    /// A folder with these specimens as its frames, in this order.
    private static func folder(_ workshop: Workshop, _ specimens: [String]) throws -> String {
        let folder = workshop.path + "/frames"
        try FileSystem.makeFolder(folder)
        for (index, name) in specimens.enumerated() {
            let number = String(1000 + index).dropFirst()
            try FileSystem.copy(workshop.fixture("specimens/\(name).jpg"), to: "\(folder)/\(number)-\(name).jpg")
        }
        return folder
    }

    /// What a reader that is not ours says about a PNG: checksums, inflated length, size.
    private static func size(_ png: String) throws -> (width: Int, height: Int) {
        let reader = """
            import struct, sys, zlib
            data, at, packed = open(sys.argv[1], "rb").read(), 8, b""
            while at < len(data):
                length, name = struct.unpack(">I4s", data[at:at + 8])
                body = data[at + 8:at + 8 + length]
                assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(name + body)
                if name == b"IHDR": width, height = struct.unpack(">II", body[:8])
                if name == b"IDAT": packed += body
                at += 12 + length
            assert len(zlib.decompress(packed)) == height * (3 * width + 1)
            print(width, height)
            """
        let numbers = try Workshop.shell("python3 -c '\(reader)' '\(png)'").split { $0.isWhitespace }.compactMap { Int($0) }
        try #require(numbers.count == 2)
        return (numbers[0], numbers[1])
    }

    @Test func `a folder of frames is scanned: blurred, glare, then good ones, of which one is kept and drawn on`() throws {
        let workshop = try Workshop()
        let clean = Array(repeating: "front-clean", count: 5)
        let folder = try Self.folder(workshop, ["front-blurred", "front-glare"] + clean)
        try FileSystem.makeFolder(folder + "/00-subfolder")
        try Workshop.shell(
            "echo text > '\(folder)/0-notes.txt'; head -c 20000 '\(folder)/002-front-clean.jpg' > '\(folder)/0001-half.jpg'")
        let (out, drawn) = (workshop.path + "/best.jpg", workshop.path + "/drawn.png")
        let done = try workshop.run([
            "scan", folder, "--piece", "passport_front", "--interval", "400", "--out", out, "--annotate", drawn, "--json",
        ])
        try #require(done.end == .exited(0), "\(done.output) \(done.errors)")
        let json = try done.json
        #expect(json["captured"]?.asBool == true)
        #expect(json["frame"]?["file"]?.asString == "002-front-clean.jpg")
        #expect(json["frame"]?["number"]?.asInt == 3)
        #expect(json["frame"]?["time_ms"]?.asInt == 1_200)
        #expect(json["unreadable"]?.asInt == 1)
        #expect(json["ignored_files"]?.asInt == 2)
        #expect(json["guidance"]?["hold_still"]?.asInt != nil)
        #expect(json["findings"]?.asArray?.contains { $0["metric"]?.asString == "blur_score" } == true)
        let original = try Workshop.shell("sha256sum < '\(workshop.fixture("specimens/front-clean.jpg"))'")
        #expect(try Workshop.shell("sha256sum < '\(out)'") == original)
        let size = try Self.size(drawn)
        #expect(size.width == 1_600 && size.height > 1_200)
        // what is there is not written over
        let again = try workshop.run(["scan", folder, "--piece", "passport_front", "--out", out, "--json"])
        #expect(again.end == .exited(73))
    }

    @Test func `a video is scanned: the best frame comes out of it, and one without a page captures nothing`() throws {
        let workshop = try Workshop()
        let out = workshop.path + "/best.png"
        let done = try workshop.run([
            "scan", workshop.fixture("specimens/passport-scan.mp4"), "--piece", "passport_front", "--out", out, "--json",
        ])
        try #require(done.end == .exited(0), "\(done.output) \(done.errors)")
        let time = try done.json["frame"]?["time_ms"]?.asInt ?? 0
        #expect((1_500...3_300).contains(time), "the first second and a half is blurred and full of glare")
        #expect(try Self.size(out) == (640, 480))
        let other = try workshop.run(["scan", workshop.fixture("hologram.mp4"), "--piece", "selfie", "--json"])
        #expect(other.end == .exited(65))
        #expect(try other.json["captured"]?.asBool == false)
        #expect(try other.json["failure"]?.asString != nil)
    }

    @Test func `S64 a small face is too far away for a live scan, and near enough by another policy`() throws {
        let workshop = try Workshop()
        let folder = try Self.folder(
            workshop, ["selfie-dark", "selfie-two-faces"] + Array(repeating: "selfie-clean", count: 4))
        let far = try workshop.run(["scan", folder, "--piece", "selfie", "--json"])
        #expect(far.end == .exited(65), "\(far.output) \(far.errors)")
        #expect(try far.json["failure"]?.asString == "too_far")
        #expect(try far.json["guidance"]?["too_dark"]?.asInt == 1)
        let policy = workshop.path + "/near.json5"
        try Workshop.shell("echo '{version: \"near\", /* a large hall */ selfie: {face_area: 0.03}}' > '\(policy)'")
        let near = try workshop.run(["scan", folder, "--piece", "selfie", "--policy", policy, "--json"])
        try #require(near.end == .exited(0), "\(near.output) \(near.errors)")
        #expect(try near.json["frame"]?["number"]?.asInt == 2)
        #expect(try near.json["policy_version"]?.asString?.hasPrefix("near+") == true)
    }

    @Test func `what cannot be scanned is told with its remedy`() throws {
        let workshop = try Workshop()
        let empty = workshop.path + "/empty"
        try FileSystem.makeFolder(empty)
        func code(_ words: String..., environment: [String] = [], exit: Int32) throws -> String? {
            let done = try workshop.run(["scan"] + words + ["--json"], environment: environment)
            #expect(done.end == .exited(exit), "\(words)")
            return done.errorCode
        }
        #expect(try code(empty, "--piece", "selfie", exit: 65) == "nothing_to_scan")
        #expect(try code(workshop.fixture("selfie.jpg"), "--piece", "selfie", exit: 65) == "nothing_to_scan")
        #expect(try code(workshop.path + "/nowhere", "--piece", "selfie", exit: 66) == "no_such_file")
        #expect(try code(empty, exit: 64) == "usage")
        #expect(try code(empty, "--piece", "hologram", exit: 64) == "usage")
        #expect(try code(workshop.fixture("videos/truncated.mp4"), "--piece", "selfie", exit: 65) == "truncated")
        // S39: without models nothing is captured
        let bare = ["CAPTURE_LEDGER_MODELS=\(empty)"]
        let video = workshop.fixture("specimens/passport-scan.mp4")
        #expect(try code(video, "--piece", "passport_front", environment: bare, exit: 78) == "scanner_not_ready")
        try Workshop.shell("echo '{version: \"mine\", passport: {blur_scor: 1}}' > '\(workshop.path)/policy.json5'")
        let policy = workshop.path + "/policy.json5"
        #expect(try code(empty, "--piece", "selfie", "--policy", policy, exit: 78) == "policy_key_unknown")
    }
}
