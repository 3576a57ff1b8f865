import CaptureLedger
import Cryptography
import SessionDomain
import SystemCalls
import Testing

/// Strings that must appear nowhere, put wherever a secret or something personal can stand, and looked for in everything that the
/// command prints, writes and shows of itself to other processes.
@Suite(.serialized) struct CanaryTests {
    private static let shared = Result { try TransportServer() }
    private static let repository = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    private static let product = (try? FileSystem.ownProgram()).map { FileSystem.parent(of: $0) + "/capture-ledger" } ?? ""

    private static let canaries = [
        "CANARY-bearer", "CANARY-next", "CANARY-header", "CANARY-query", "CANARY-oauth", "CANARY-token", "CANARY-proxy",
        "CANARY-media", "CANARY-subject", "CANARY-transaction", "CANARY-hmac", signing,
    ]
    private static let signing = "whsec_" + Base64.encode(Array("CANARY-hmac-of-32-bytes-or-more!".utf8))

    private let server: TransportServer
    private let site: Site

    init() throws {
        server = try Self.shared.get()
        try server.reset()
        try server.set(
            #""proxy_credential":"kiosk:CANARY-proxy","token_prefix":"CANARY-token","client":["kiosk","CANARY-oauth"]"#)
        site = try Site()
        for (name, text) in [
            ("token", "CANARY-bearer"), ("next", "CANARY-next"), ("secret", "CANARY-oauth"), ("signing", Self.signing),
            ("proxy", "kiosk:CANARY-proxy"),
        ] {
            try site.write(text, to: name)
        }
        try write(path: "/submit")
        try capture()
        site.ledger.closeAndWait()
    }

    /// The settings, with one address and one limit that scenarios change.
    private func write(path: String, port: String = "tls", more: String = "") throws {
        let common = """
            headers: { 'X-Key': 'CANARY-header' }, transfer: { ca_file: '\(server.authority)', proxy: '\(server.url("", port: "proxy"))',
            proxy_credential_file: 'SECRETS/proxy', total_timeout_ms: 700 \(more) }
            """
        try site.change(
            """
            verifier: { url: '\(server.url(path, port: port))?k=CANARY-query', \(common), auth: { next_bearer_file: 'SECRETS/next',
            bearer_command: 'cat SECRETS/token; cat /proc/$PPID/cmdline /proc/$PPID/environ /proc/$$/cmdline /proc/$$/environ >> SECRETS/seen',
            signature: { secret_file: 'SECRETS/signing' } } },
            hologram: { url: '\(server.url(path, port: port))?k=CANARY-query', \(common), auth: { oauth2: {
            token_url: '\(server.url("/token"))?k=CANARY-query', client_id: 'kiosk', client_secret_file: 'SECRETS/secret' } } },
            """)
        site.ledger.closeAndWait()
    }

    private func capture() throws {
        // a comment in the picture stands for what it shows
        let jpeg = try #require(file(Self.repository + "/Fixtures/selfie.jpg"))
        let comment = Array("CANARY-media".utf8)
        let marked = Array(jpeg.prefix(2)) + [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment + jpeg.dropFirst(2)
        let picture = try FileDescriptor(opening: site.folder + "/selfie.jpg", .createNew)
        try picture.write(marked)
        let started = try json(
            "session", "start", "--pieces", "selfie,hologram", "--subject", "CANARY-subject", "--transaction-id",
            "CANARY-transaction", "--card-type", "NEW_TC_ID", "--checks", "off")
        let session = try #require(started["session"]?["id"]?.asString, "\(started.canonical)")
        _ = try json("capture", session, "selfie", site.folder + "/selfie.jpg", "--source", "camera")
        _ = try json("confirm", session, "selfie")
        _ = try json("hologram", "start", session)
        _ = try json("capture", session, "hologram", Self.repository + "/Fixtures/hologram.mp4", "--source", "camera")
        _ = try json("confirm", session, "hologram")
    }

    private func file(_ path: String) -> [UInt8]? {
        try? FileDescriptor(readingFile: path).readToEnd(limit: 64 << 20)
    }

    /// Everything that a run printed, on both streams.
    private func run(_ arguments: [String]) throws -> String {
        var child = try ChildProcess(
            path: "/bin/sh",
            arguments: ["sh", "-c", "exec \"$0\" \"$@\" 2>&1", Self.product, "--ledger", site.path] + arguments,
            environment: ["HOME=\(site.folder)", "PATH=/usr/bin:/bin", "LANG=C.UTF-8"])
        let output = try child.output.readToEnd(limit: 1 << 24)
        _ = try #require(try child.wait(limitMilliseconds: 30_000))
        return String(decoding: output, as: UTF8.self)
    }

    private func json(_ arguments: String...) throws -> JSONValue { try JSONValue.parse(run(["--json"] + arguments)) }

    private func look(_ text: String, in place: String, except: Set<String> = []) {
        for canary in Self.canaries where !except.contains(canary) {
            #expect(!text.contains(canary), "\(canary) in \(place)")
        }
    }

    /// Runs every verb that says something about deliveries, as text, as JSON and with every log line, or in one of these ways.
    private func runEverything(
        _ scenario: String, ways: [[String]] = [[], ["--json"], ["--log", "debug"]]
    ) throws {
        let ids = try json("sync", "list")["deliveries"]?.asArray?.compactMap { $0["id"]?.asString } ?? []
        let session = try json("session", "list")["sessions"]?.asArray?.first?["id"]?.asString ?? ""
        var verbs: [[String]] = [
            ["sync", "--dry-run"], ["sync", "--deadline", "6"], ["sync", "list"], ["sync", "probe"], ["config", "check"],
            ["status"],
            ["doctor"], ["session", "list"], ["timeline", session], ["explain", session], ["audit", "verify"], ["replay"],
        ]
        verbs += ids.map { ["sync", "explain", $0] }
        // what a person asks for by name is theirs to see
        let asked: Set<String> = ["CANARY-subject", "CANARY-transaction"]
        for verb in verbs {
            for options in ways {
                let isPrivate = ["timeline", "replay", "explain"].contains(verb[0])
                look(
                    try run(options + verb), in: "\(scenario): \(verb.joined(separator: " ")) \(options)",
                    except: isPrivate ? asked : [])
            }
        }
    }

    private func lookAtFiles(_ scenario: String) throws {
        var folders = [site.path]
        var count = 0
        while let folder = folders.popLast() {
            for name in try FileDescriptor(opening: folder, .folder).names() where name != Settings.fileName {
                let path = folder + "/" + name
                if try FileStatus.of(path)?.kind == .folder { folders.append(path) }
                guard let bytes = file(path) else { continue }
                count += 1
                // bytes that are no text are compared as they are
                let text = String(decoding: bytes, as: Unicode.ASCII.self)
                look(text, in: "\(scenario): the file \(name)")
            }
        }
        #expect(count > 5)
    }

    @Test func `a delivery leaves no secret and nothing personal anywhere`() throws {
        try runEverything("success")
        try lookAtFiles("success")
        // the canaries did go where they belong, or this test would see nothing
        let seen = try server.requests().map(\.canonical).joined()
        for canary in ["CANARY-bearer", "CANARY-header", "CANARY-query", "CANARY-oauth", "CANARY-token"] {
            #expect(seen.contains(canary), "\(canary) was not sent")
        }
        #expect(try server.connects().contains { $0["credential"]?.asString?.hasPrefix("Basic ") == true })
        let shown = String(decoding: try #require(file(site.folder + "/seen")), as: UTF8.self)
        #expect(shown.contains("capture-ledger"))
        look(shown, in: "what other processes see")
    }

    @Test func `a refused credential leaves none either`() throws {
        try server.set(#""accepted":["none"]"#)
        try runEverything("401")
        try lookAtFiles("401")
        #expect(
            try server.requests("/submit?k=CANARY-query").contains {
                $0["headers"]?["authorization"]?.asString == "Bearer CANARY-next"
            })
    }

    @Test(arguments: [
        ("/submit", "tls-other-name", ""), ("/hang", "tls", ""), ("/redirect", "tls", ""), ("/status/500", "tls", ""),
    ])
    func `a failure leaves none either`(path: String, port: String, more: String) throws {
        try write(path: path, port: port, more: more)
        try runEverything("\(path) \(port)", ways: [["--log", "debug"]])
        try lookAtFiles("\(path) \(port)")
    }

    @Test func `a token endpoint and a proxy that refuse leave none either`() throws {
        try server.set(#""client":["kiosk","another"],"proxy_credential":"kiosk:another""#)
        try runEverything("refusals", ways: [["--log", "debug"]])
        try lookAtFiles("refusals")
    }

    @Test(arguments: [
        "auth: { bearer_file: ['CANARY-bearer'] }", "auth: { bearer_file: 'a', bearer_command: 'echo CANARY-bearer' }",
        "auth: { bearer: 'CANARY-bearer' }", "headers: { 'X-Key': 'CANARY-header\\x01' }",
        "headers: { 'X-Key': ['CANARY-header'] }",
        "transfer: { proxy: 'http://kiosk:CANARY-proxy@proxy.example:3128' }", "status_url: 'http://a.example/?k=CANARY-query'",
        "status_url: 'ftp://CANARY-query'", "auth: { oauth2: { token_url: 'http://a.example/?k=CANARY-query' } }",
        "auth: { bearer_command: 'echo CANARY-bearer; echo CANARY-bearer >&2; exit 3' }", "auth: CANARY-bearer",
        "'CANARY-bearer",
    ])
    func `settings that are wrong are not quoted`(members: String) throws {
        try site.write(
            "{ destinations: { verifier: { url: 'https://127.0.0.1:1/?k=CANARY-query', \(members) } } }",
            to: "my.ledger/\(Settings.fileName)")
        for verb in [["config", "check"], ["sync", "--json"], ["sync", "probe"]] {
            look(try run(["--log", "debug"] + verb), in: "\(verb) \(members)")
        }
    }
}

extension FileSystem {
    /// The program that runs the tests; the product lies beside it.
    fileprivate static func ownProgram() throws -> String {
        let done = try ChildProcess.run(
            path: "/bin/sh", arguments: ["sh", "-c", "readlink /proc/$PPID/exe"], limitMilliseconds: 5_000, outputLimit: 4_096)
        return String(decoding: done.output.dropLast(), as: UTF8.self)
    }
}
