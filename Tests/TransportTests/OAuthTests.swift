import CaptureLedger
import DeliveryMachine
import SessionDomain
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedgerSync

@Suite(.serialized) struct OAuthTests {
    private static let shared = Result { try TransportServer() }
    private let server: TransportServer

    init() throws {
        server = try Self.shared.get()
        try server.reset()
    }

    private func site(_ more: String = "", token port: String = "plain", transfer: String = "") throws -> Site {
        let site = try Site(
            """
            verifier: { url: '\(server.url(port: "plain"))', auth: { oauth2: { token_url: '\(server.url("/token", port: port))',
            client_id: 'kiosk/7', client_secret_file: 'SECRETS/secret', \(more) } }, transfer: { \(transfer) } }
            """)
        try site.write("s+cret:&%", to: "secret")
        return site
    }

    private func asked() throws -> Int { try server.requests("/token").count }

    @Test func `a token is asked for by the client's name and secret, in the head or in the body`() throws {
        try server.set(#""client":["kiosk/7","s+cret:&%"]"#)
        let basic = try site("scope: 'a b', audience: 'https://x.example/'")
        #expect(try basic.token(basic.authority()) == "token-1")
        let post = try site("client_authentication: 'post'")
        #expect(try post.token(post.authority()) == "token-2")
        let seen = try server.requests("/token")
        #expect(
            seen[0]["form"]?["grant_type"]?.asString == "client_credentials" && seen[0]["form"]?["scope"]?.asString == "a b")
        #expect(seen[0]["form"]?["audience"]?.asString == "https://x.example/")
        #expect(seen[0]["headers"]?["authorization"]?.asString?.hasPrefix("Basic ") == true)
        #expect(seen[1]["headers"]?["authorization"] == nil && seen[1]["form"]?["client_secret"]?.asString == "s+cret:&%")
    }

    @Test func `a token serves all runs until it is nearly over`() throws {
        let site = try site()
        #expect(try site.token(site.authority()) == "token-1")
        let authority = try site.authority()
        for _ in 0..<5 { #expect(try site.token(authority) == "token-1") }
        #expect(try asked() == 1)
        // a life of two seconds leaves less than its margin at once or soon
        try server.set(#""expires_in":2"#)
        #expect(try authority.renew(site.destination()))
        #expect(try site.token(site.authority()) == "token-2")
        let clock = ContinuousClock()
        let start = clock.now
        while try site.token(site.authority()) == "token-2", start.duration(to: clock.now) < .seconds(4) {}
        #expect(start.duration(to: clock.now) < .seconds(2))
        #expect(start.duration(to: clock.now) > .seconds(1))
    }

    @Test func `the kept token is sealed, its owner's alone, and no use elsewhere`() throws {
        let site = try site()
        #expect(try site.token(site.authority()) == "token-1")
        let file = site.path + "/credentials/verifier.token"
        let status = try #require(try FileStatus.of(file))
        #expect(status.mode & 0o777 == 0o600)
        let bytes = try #require(CertificateFiles.content(file))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("token-1"))
        // damaged, it is as if there were none
        try site.write("x", to: "my.ledger/credentials/verifier.token")
        #expect(try site.token(site.authority()) == "token-2")
    }

    @Test func `another secret, client or scope gets another token`() throws {
        let site = try site()
        #expect(try site.token(site.authority()) == "token-1")
        try site.write("another", to: "secret")
        #expect(try site.token(site.authority()) == "token-2")
        #expect(try site.token(site.authority()) == "token-2")
    }

    @Test func `eight processes that need a token at once ask for one`() async throws {
        try server.set(#""token_delay":0.3"#)
        let site = try site()
        let path = site.path
        site.ledger.closeAndWait()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String] in
                        let ledger = try Site.open(path)
                        let destination = try #require(ledger.destinations().first)
                        let headers = try SettingsAuthority(ledger, destinations: [destination]).headers(
                            for: TransferRequest(
                                token: Claims.verifier(1).id, method: .get, url: destination.url, headers: [], body: nil,
                                settings: destination.transfer), to: destination)
                        #expect(headers.last(named: "authorization") == "Bearer token-1")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try asked() == 1)
    }

    @Test func `of many runs whose token was refused one asks for another`() throws {
        let site = try site()
        let runs = try (0..<6).map { _ in try site.authority() }
        for run in runs { #expect(try site.token(run) == "token-1") }
        for run in runs { #expect(try run.renew(site.destination())) }
        for run in runs { #expect(try site.token(run) == "token-2") }
        #expect(try asked() == 2)
    }

    @Test func `a token endpoint that fails leaves what still counts in use`() throws {
        try server.set(#""expires_in":60"#)
        let site = try site()
        let destination = try site.destination()
        let settings = try #require(site.ledger.settings.destination("verifier"))
        guard case .oauth2(let oauth) = settings.auth.token else {
            Issue.record("\(settings.auth.token)")
            return
        }
        func tokens() -> OAuthTokens {
            OAuthTokens(
                oauth, of: settings, site.ledger, endpoint: TokenEndpoint(destination, clock: site.ledger.clock), jitter: 9,
                CredentialWait(steady: { .zero }))
        }
        #expect(try tokens().token() == "token-1")
        // with that much jitter it is due at once
        try server.set(#""token_status":503"#)
        #expect(try tokens().token() == "token-1")
        #expect(try asked() == 2)
        let fault = try #require(throws: DeliveryFault.self) {
            let refused = tokens()
            _ = try refused.token()
            _ = try refused.renew()
        }
        #expect(fault.message.contains("503"))
    }

    @Test func `a token endpoint is held to the same rules as an endpoint`() throws {
        let untrusted = try site(token: "tls-other-name", transfer: "ca_file: '\(server.authority)'")
        let fault = try #require(throws: DeliveryFault.self) { try untrusted.headers(untrusted.authority()) }
        #expect(fault.code == .credentialUnavailable && fault.message.contains("60"))
        let trusted = try site(token: "tls", transfer: "ca_file: '\(server.authority)'")
        #expect(try trusted.token(trusted.authority()) == "token-1")
        #expect(throws: SettingsProblem.self) {
            try Settings(
                Array(
                    """
                    { destinations: { verifier: { url: 'https://a.example/', auth: { oauth2: { token_url: 'https://10.0.0.1/t',
                    client_id: 'a', client_secret_file: 'b' } } } } }
                    """.utf8))
        }
    }

    @Test func `our client certificate goes to the destination alone`() throws {
        let certificate = server.folder + "/client.pem"
        let site = try site(
            token: "tls-client-12",
            transfer:
                "ca_file: '\(server.authority)', client_certificate_file: '\(certificate)', client_key_file: '\(certificate)'")
        #expect(throws: DeliveryFault.self) { try site.headers(site.authority()) }
        #expect(try server.requests().isEmpty)
    }

    @Test(arguments: [
        ("{}", false), (#"{"access_token":""}"#, false), (#"{"access_token":"a b"}"#, false), ("<html>", false),
        (#"{"access_token":"a","token_type":"mac"}"#, false), (#"{"access_token":"a"}"#, true),
        (#"{"access_token":"a","token_type":"BEARER","expires_in":"60"}"#, true),
    ])
    func `only an answer with a bearer token is one`(answer: String, isOne: Bool) {
        #expect(((try? TokenEndpoint.read(Array(answer.utf8))) != nil) == isOne)
    }
}
