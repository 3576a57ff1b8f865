import CaptureLedger
import Cryptography
import DeliveryMachine
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedgerSync

@Suite(.serialized) struct ProbeTests {
    private static let shared = Result { try TransportServer() }
    private let server: TransportServer

    init() throws {
        server = try Self.shared.get()
        try server.reset()
    }

    private func probe(_ url: String, _ members: String = "", token: String? = nil) throws -> EndpointCheck {
        let site = try Site(
            "verifier: { url: '\(url)', transfer: { ca_file: '\(server.authority)', connect_timeout_ms: 3000 }, \(members) }")
        if let token { try site.write(token, to: "token") }
        return try #require(site.ledger.probeDestinations(limitMilliseconds: 3_000).first)
    }

    private func state(_ check: EndpointCheck, _ step: EndpointCheck.Step) -> EndpointCheck.State? {
        check.findings.first { $0.step == step }?.state
    }

    @Test func `an endpoint in order is found in order, without a delivery`() throws {
        let check = try probe(server.url("/submit?key=secret"), "auth: { bearer_file: 'SECRETS/token' }", token: "abc")
        #expect(check.isReachable && check.status == 200 && check.address == "127.0.0.1")
        #expect(check.origin == "https://localhost:\(server.port("tls"))")
        #expect(check.findings.map(\.step) == EndpointCheck.Step.allCases)
        #expect(abs(check.clockDifferenceMilliseconds ?? .max) <= 2_000)
        let seen = try server.requests()
        #expect(seen.map { $0["method"]?.asString } == ["HEAD"] && seen[0]["headers"]?["idempotency-key"] == nil)
        #expect(seen[0]["headers"]?["authorization"]?.asString == "Bearer abc")
        // the authorities and the certificates of this server live for a month
        let server = try #require(check.expiries.first { $0.what == .serverCertificate })
        let days = (server.expiresAtMilliseconds - SystemClock.realtimeMilliseconds()) / 86_400_000
        #expect((28...30).contains(days))
    }

    @Test func `each step says what failed and what to do, and what follows is not looked at`() throws {
        let refused = try probe("https://127.0.0.1:1/")
        #expect(!refused.isReachable && state(refused, .connection) == .failed && state(refused, .answer) == .skipped)
        let inside = try probe(server.url(host: "endpoint.localhost"))
        #expect(state(inside, .connection) == .failed && inside.findings[1].remedy.contains("allow_addresses"))
        for port in ["tls-expired", "tls-other-name", "tls-old", "tls-client-12"] {
            let check = try probe(server.url(port: port))
            #expect(state(check, .tls) == .failed && state(check, .answer) == .skipped, "\(port)")
        }
        let absent = try probe(server.url(), "auth: { bearer_file: 'SECRETS/absent' }")
        #expect(state(absent, .credential) == .failed && state(absent, .connection) == .good)
        #expect(try server.requests().count == 1)
    }

    @Test func `what broke off is told by the way that it took`() throws {
        let site = try Site(
            """
            verifier: { url: '\(server.url())', transfer: { ca_file: '\(server.authority)', proxy: 'http://127.0.0.1:1' } }
            """)
        let check = try #require(site.ledger.probeDestinations(limitMilliseconds: 3_000).first)
        let finding = try #require(check.findings.first { $0.step == .connection })
        #expect(finding.state == .failed && finding.message.contains("proxy") && finding.remedy.contains("proxy"))
        // a client certificate that TLS 1.3 misses is refused only after the handshake, and the alert may get lost
        for (code, isSecure) in [(55, true), (56, true), (55, false), (56, false)] as [(Int32, Bool)] {
            let broken = CurlCode.explanation(code, isSecure: isSecure, usesProxy: false)
            #expect(broken.remedy.contains("client_certificate_file") == isSecure)
        }
    }

    @Test func `a refused credential, a redirect and a wrong path are told apart`() throws {
        try server.set(#""accepted":["right"]"#)
        let refused = try probe(server.url(), "auth: { bearer_file: 'SECRETS/token' }", token: "wrong")
        #expect(state(refused, .answer) == .failed && refused.status == 401)
        try server.reset()
        #expect(try state(probe(server.url("/redirect")), .answer) == .failed)
        #expect(try state(probe(server.url("/status/404")), .answer) == .warning)
        #expect(try state(probe(server.url("/status/405")), .answer) == .good)
        #expect(try state(probe(server.url("/status/503")), .answer) == .warning)
    }

    @Test func `a clock that is an hour off is noticed`() throws {
        try server.set(#""date_offset":-3600"#)
        let check = try probe(server.url())
        #expect(state(check, .clock) == .warning && check.isReachable)
        #expect(abs((check.clockDifferenceMilliseconds ?? 0) + 3_600_000) <= 2_000)
    }

    @Test func `tokens and certificates say when they end`() throws {
        let now = SystemClock.realtimeMilliseconds()
        // a JWT whose payload says {"exp":…}; nobody checks its signature
        let payload = Base64URL.encode(#"{"exp":\#(now / 1000 + 86_400 * 3)}"#)
        let certificate = server.folder + "/client.pem"
        let site = try Site(
            """
            verifier: { url: '\(server.url())', auth: { bearer_file: 'SECRETS/token', next_bearer_file: 'SECRETS/next' },
            transfer: { ca_file: '\(server.authority)', client_certificate_file: '\(certificate)', client_key_file: '\(certificate)' } },
            hologram: { url: '\(server.url())', auth: { oauth2: { token_url: '\(server.url("/token", port: "plain"))',
            client_id: 'a', client_secret_file: 'SECRETS/secret' } } },
            """)
        try site.write("e30.\(payload).c2ln", to: "token")
        try site.write("opaque", to: "next")
        try site.write("secret", to: "secret")
        let found = site.ledger.credentialExpiries()
        #expect(found.map(\.what) == [.clientCertificate, .authority, .bearerToken])
        #expect(found.last?.expiresAtMilliseconds == (now / 1000 + 86_400 * 3) * 1000)
        let days = found.map { ($0.expiresAtMilliseconds - now) / 86_400_000 }
        #expect((10...12).contains(days[0]) && (28...30).contains(days[1]))
        let hologram = try site.destination("hologram")
        _ = try site.authority().headers(
            for: request(server.url()), to: hologram)
        let token = try #require(site.ledger.credentialExpiries().first { $0.what == .oauthToken })
        #expect(token.what == .oauthToken && token.destination == "hologram")
        #expect(abs(token.expiresAtMilliseconds - now - 3_600_000) < 20_000)
    }

    @Test func `a token in three parts is not always one that ends`() {
        let end = Base64URL.encode(#"{"exp":1700000000}"#)
        #expect(TokenExpiry.ofJWT("e30.\(end).x") == 1_700_000_000_000)
        for text in ["", "a.b.c", "e30.\(end)", "e30.e30.x", "e30.\(Base64URL.encode(#"{"exp":"soon"}"#)).x", "e30.\(end).x.y"]
        {
            #expect(TokenExpiry.ofJWT(text) == nil)
        }
    }
}

private enum Base64URL {
    static func encode(_ text: String) -> String {
        String(
            Base64.encode(Array(text.utf8)).compactMap { $0 == "=" ? nil : $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }
}
