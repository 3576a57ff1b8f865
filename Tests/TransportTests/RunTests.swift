import CaptureLedger
import DeliveryMachine
import Sync
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedgerSync

/// Credentials and the transport in a whole run of the worker.
@Suite(.serialized) struct RunTests {
    private static let shared = Result { try TransportServer() }
    private let server: TransportServer

    init() throws {
        server = try Self.shared.get()
        try server.reset()
    }

    private func site(_ members: String) throws -> Site {
        let site = try Site("verifier: { url: '\(server.url())', transfer: { ca_file: '\(server.authority)' }, \(members) }")
        try site.capture()
        return site
    }

    private func run(_ site: Site) throws -> SyncReport {
        guard case .finished(let report) = try site.ledger.synchronizeAndWait() else {
            throw ServerProgram.Broken(reason: "another run works")
        }
        return report
    }

    @Test func `F20 a 401 with the current token is followed by success with the next`() throws {
        try server.set(#""accepted":["next"]"#)
        let site = try site("auth: { bearer_file: 'SECRETS/token', next_bearer_file: 'SECRETS/next' }")
        try site.write("old", to: "token")
        try site.write("next", to: "next")
        let report = try run(site)
        #expect(report.verified == 1 && report.paused.isEmpty)
        let seen = try server.requests("/submit")
        #expect(seen.map { $0["headers"]?["authorization"]?.asString } == ["Bearer old", "Bearer next"])
        #expect(Set(seen.map { $0["headers"]?["idempotency-key"]?.asString }).count == 1)
    }

    @Test func `two refused tokens pause the destination until one of them changes`() throws {
        try server.set(#""accepted":["right"]"#)
        let site = try site("auth: { bearer_file: 'SECRETS/token', next_bearer_file: 'SECRETS/next' }")
        try site.write("old", to: "token")
        try site.write("wrong", to: "next")
        #expect(try run(site).paused.map(\.text) == ["verifier"])
        #expect(try server.requests("/submit").count == 2)
        #expect(try run(site).paused.map(\.text) == ["verifier"])
        #expect(try server.requests("/submit").count == 2, "a paused destination is left alone")
        try site.write("right", to: "next")
        let report = try run(site)
        #expect(report.verified == 1 && report.paused.isEmpty)
    }

    @Test func `an OAuth token that is refused is replaced once, and the delivery goes through`() throws {
        try server.set(#""accepted":["token-2"]"#)
        let site = try site(
            """
            auth: { oauth2: { token_url: '\(server.url("/token"))', client_id: 'kiosk', client_secret_file: 'SECRETS/secret' } }
            """)
        try site.write("secret", to: "secret")
        #expect(try run(site).verified == 1)
        #expect(try server.requests("/token").count == 2)
        #expect(try server.requests("/submit").count == 2)
    }

    @Test func `a delivery is signed over the very bytes that are sent`() throws {
        let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
        try server.set(#""secrets":["\#(secret)"]"#)
        let site = try site("auth: { signature: { secret_file: 'SECRETS/secret' } }")
        try site.write(secret, to: "secret")
        #expect(try run(site).verified == 1)
        let seen = try #require(try server.requests("/submit").first)
        #expect(seen["signature"]?.canonical == #"{"count":1,"valid":[true]}"#)
        #expect(seen["headers"]?["webhook-id"] == seen["headers"]?["idempotency-key"])
    }

    @Test func `without a credential nothing is sent, and another destination is not held up`() throws {
        let site = try Site(
            """
            verifier: { url: '\(server.url())', transfer: { ca_file: '\(server.authority)' } , auth: { bearer_file: '/absent' } },
            """)
        try site.capture()
        let report = try run(site)
        #expect(report.verified == 0 && report.left == 1)
        #expect(try server.requests().isEmpty)
    }

    @Test(arguments: ["auth: { bearer_command: 'sleep 60' }", "auth: { oauth2: TOKENS }"])
    func `a credential that does not come holds no run up beyond its deadline, nor beyond a request to end`(auth: String) throws
    {
        try server.set(#""token_delay":60"#)
        let tokens =
            "{ token_url: '\(server.url("/token", port: "plain"))', client_id: 'k', client_secret_file: 'SECRETS/secret' }"
        let site = try site(auth.split(separator: "TOKENS", omittingEmptySubsequences: false).joined(separator: tokens))
        try site.write("secret", to: "secret")
        let clock = ContinuousClock()
        for isAsked in [false, true] {
            var options = SyncOptions()
            if !isAsked { options.deadlineMilliseconds = 500 }
            let start = clock.now
            let result = try site.ledger.synchronizeAndWait(
                options, stop: { isAsked && start.duration(to: clock.now) > .milliseconds(500) ? .finish : .none })
            #expect(start.duration(to: clock.now) < .seconds(4))
            guard case .finished(let report) = result else {
                Issue.record("another run works")
                return
            }
            #expect(report.left == 1 && report.paused.isEmpty && report.verdict == .workLeft)
        }
        #expect(try server.requests("/submit").isEmpty)
    }

    @Test func `an untrusted endpoint pauses the destination and spends no attempt`() throws {
        let site = try Site(
            "verifier: { url: '\(server.url(port: "tls-other-name"))', transfer: { ca_file: '\(server.authority)' } }")
        try site.capture()
        #expect(try run(site).paused.map(\.text) == ["verifier"])
        #expect(try server.requests().isEmpty)
        try site.change("verifier: { url: '\(server.url())', transfer: { ca_file: '\(server.authority)' } }")
        #expect(try run(site).paused.map(\.text) == ["verifier"], "it is looked at again in a quarter of an hour")
    }
}
