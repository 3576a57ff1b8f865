import CaptureLedger
import DeliveryMachine
import SessionDomain
import Testing

private func settings(_ text: String, _ environment: [String: String] = [:]) throws(SettingsProblem) -> Settings {
    try Settings(Array(text.utf8), environment: environment)
}

private func problem(_ text: String, _ environment: [String: String] = [:]) -> SettingsProblem? {
    do throws(SettingsProblem) {
        _ = try settings(text, environment)
        return nil
    } catch { return error }
}

struct SettingsTests {
    @Test func `the template is read as its own defaults`() throws {
        let text = Settings.template(
            masterKey: .file("/root/\"k\"\\ey"), tombstones: "/var/t", group: "staff")
        let read = try settings(text)
        #expect(read.masterKey == .file("/root/\"k\"\\ey"))
        #expect(read.tombstones == "/var/t")
        #expect(read.group == "staff")
        #expect(read.destinations.isEmpty)
        #expect(read.media == .standard)
        #expect(try settings(Settings.template(masterKey: nil)).masterKey == nil)
    }

    @Test func `what the checks use is named by the settings, and the runner by the environment`() throws {
        let text =
            "{ checks: { runner: \"process:python3 run.py\", models: \"models\", policy: \"/etc/policy.json5\", crop_side: 800 } }"
        let checks = try settings(text).checks
        #expect(checks.runner == .process("python3 run.py") && checks.cropSide == 800)
        let resolved = checks.resolved(in: "/var/my.ledger")
        #expect(resolved.models == "/var/my.ledger/models" && resolved.policy == "/etc/policy.json5" && resolved.decoder == nil)
        #expect(try settings(text, ["CAPTURE_LEDGER_RUNNER": "tensorflow_lite"]).checks.runner == .tensorFlowLite)
        #expect(problem("{}", ["CAPTURE_LEDGER_RUNNER": "tflite"])?.path == "CAPTURE_LEDGER_RUNNER")
        #expect(try settings("{}").checks == CheckSettings())
    }

    @Test func `every comment of the template is a setting that exists, with its default`() throws {
        let lines = Settings.template(masterKey: nil).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let opened = lines.map { line -> String in
            guard let slashes = line.firstRange(of: "// ") else { return line }
            let rest = line[slashes.upperBound...]
            let isProse = rest.first { $0 != " " }?.isUppercase == true
            return isProse ? line : String(line[..<slashes.lowerBound] + rest)
        }
        let read = try settings(opened.joined(separator: "\n"))
        #expect(read.destinations.map(\.name) == ["hologram", "verifier"])
        let verifier = try #require(read.destination("verifier")).endpoint
        #expect(verifier.retry == RetryPolicy())
        #expect(verifier.breaker == BreakerPolicy())
        #expect(verifier.transfer == TransferSettings())
        #expect(verifier.mapping == ResponseMapping())
        #expect(read.storageReserveBytes == Settings().storageReserveBytes)
        #expect(read.group == "capture")
    }

    @Test func `JSON5 is read: comments, bare keys, single quotes, trailing commas, hexadecimal`() throws {
        let read = try settings(
            "\u{FEFF}/* a */ { storage: { 'reserve_bytes': 0x10, }, // b\n group: 'st\\x61ff', media: {pixel_limit: +5} }")
        #expect(read.storageReserveBytes == 16)
        #expect(read.group == "staff")
        #expect(read.media.maxPixels == 5)
    }

    @Test(arguments: [
        ("{ destination: {} }", "There is no setting destination.", "Did you mean destinations?"),
        (
            "{ destinations: { verifier: { url: \"https://a.example/\", ur1: 1 } } }",
            "There is no setting destinations.verifier.ur1.", "Did you mean destinations.verifier.url?"
        ),
        (
            "{ destinations: { verifier: { url: \"https://a.example/\", retry: { base_sm: 1 } } } }",
            "There is no setting destinations.verifier.retry.base_sm.", "Did you mean destinations.verifier.retry.base_ms?"
        ),
        (
            "{ destinations: { verifier: { url: \"https://a.example/\", kind: \"verifyer\" } } }",
            "The setting destinations.verifier.kind holds a name that is not known.", "Did you mean \"verifier\"?"
        ),
        (
            "{ policy: { checks: \"of\" } }", "The setting policy.checks holds a name that is not known.",
            "Did you mean \"off\"?"
        ),
        (
            "{ checks: { runner: \"tensorflow\" } }", "The setting checks.runner names no runner.",
            "Did you mean \"tensorflow_lite\"?"
        ),
        ("{ checks: { model: \"/m\" } }", "There is no setting checks.model.", "Did you mean checks.models?"),
        (
            "{ storage: { reserve_bytes: \"1\" } }", "The setting storage.reserve_bytes has the wrong type.",
            "Make it a whole number."
        ),
        ("{ group: \"\" }", "The setting group has the wrong type.", "Make it a text that is not empty, or left out."),
        ("[]", "The settings are not an object.", "Write it in braces: { … }."),
        (
            "{ destinations: { verifier: { kind: \"verifier\" } } }", "The setting destinations.verifier.url is missing.",
            "Write the endpoint's address there, or remove the destination."
        ),
        (
            "{ destinations: { mine: { url: \"https://a.example/\" } } }", "The setting destinations.mine.kind is missing.",
            "Write kind: \"verifier\" or kind: \"hologram\"."
        ),
    ])
    func `a setting that is wrong is an error with a place and a remedy`(text: String, message: String, remedy: String) {
        let found = problem(text)
        #expect(found?.message == message)
        #expect(found?.remedy == remedy)
    }

    @Test(arguments: [
        ("{\n  group: staff\n}", "line 2, column 10"), ("{ a: 1, a: 2 }", "line 1, column 9"), ("{ a: 'x", "line 1, column 6"),
        ("{ /* ", "line 1, column 3"), ("{ a: 01 }", "line 1, column 6"), ("{ a: NaN }", "line 1, column 6"),
        ("{ a: 1 b: 2 }", "line 1, column 8"), ("", "line 1, column 1"), ("{}{}", "line 1, column 3"),
        ("{ a: [1 2] }", "column 9"),
        ("{ a: '\\u00' }", "line 1"), ("{ a: 1e999 }", "line 1, column 6"), ("{ : 1 }", "line 1, column 3"),
    ])
    func `text that is not JSON5 is refused with its line and column`(text: String, place: String) {
        let found = problem(text)
        #expect(found?.code == .notJSON5)
        #expect(found?.message.contains(place) == true, "\(found?.message ?? "accepted")")
    }

    @Test func `nesting, size and bytes that are no text are refused`() {
        #expect(problem(String(repeating: "[", count: 100_000))?.code == .notJSON5)
        #expect(problem(String(repeating: " ", count: 1 << 20 | 1))?.code == .notJSON5)
        #expect(throws: SettingsProblem.self) { try Settings([0x7B, 0xFF, 0x7D]) }
    }

    @Test(arguments: [
        ("https://verifier.example/x", "", true), ("http://verifier.example/x", "", false),
        ("http://127.0.0.1:8080/x", "", true), ("http://localhost/x", "", true), ("http://[::1]:9/x", "", true),
        ("https://10.0.0.5/x", "", false), ("https://10.0.0.5/x", "10.0.0.5", true), ("http://10.0.0.5/x", "10.0.0.5", true),
        ("https://192.168.1.1/x", "", false), ("https://169.254.169.254/x", "", false), ("https://[fd00::1]/x", "", false),
        ("https://[2001:db8::1]/x", "", true), ("https://user@host/x", "", false), ("ftp://host/x", "", false),
        ("https://", "", false), ("https://a b/", "", false), ("https://172.32.0.1/", "", true),
        ("http://localhost.example/x", "", false),
    ])
    func `plain http and private addresses are refused unless they are meant`(url: String, allowed: String, isFine: Bool) {
        let list = allowed.isEmpty ? "[]" : "[\"\(allowed)\"]"
        let found = problem("{ destinations: { verifier: { url: \"\(url)\", allow_addresses: \(list) } } }")
        #expect((found == nil) == isFine)
        if let found { #expect(found.code == .addressRefused) }
    }

    @Test func `the environment overrides the two addresses, and is judged like the file`() throws {
        let verifier = "CAPTURE_LEDGER_VERIFIER_URL"
        let hologram = "CAPTURE_LEDGER_HOLOGRAM_URL"
        let read = try settings(
            "{ destinations: { verifier: { url: \"https://a.example/\" } } }",
            [verifier: "http://127.0.0.1:1/v", hologram: "http://localhost:1/h"])
        #expect(read.destinations.map(\.endpoint.url) == ["http://localhost:1/h", "http://127.0.0.1:1/v"])
        #expect(read.destinations.map(\.endpoint.kind) == [.hologram, .verifier])
        #expect(problem("{}", [verifier: "http://a.example/"])?.message.contains(verifier) == true)
        #expect(try settings("{}", [verifier: ""]).destinations.isEmpty)
    }

    @Test func `a header of ours cannot be set`() {
        for name in ["Authorization", "idempotency-key", "Content-Length", "bad name"] {
            #expect(
                problem("{ destinations: { verifier: { url: \"https://a.example/\", headers: { \"\(name)\": \"x\" } } } }")
                    != nil)
        }
    }

    @Test func `the master key is a path, a credential or a command`() {
        #expect(MasterKeyReference("/a/b") == .file("/a/b"))
        #expect(MasterKeyReference("file:x") == .file("x"))
        #expect(MasterKeyReference("credential:k") == .credential("k"))
        #expect(MasterKeyReference("command:pass show k") == .command("pass show k"))
        for bad in ["", "credential:", "credential:../k", "command:", "file:"] { #expect(MasterKeyReference(bad) == nil) }
    }
}
