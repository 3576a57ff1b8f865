import CaptureLedger
import Cryptography
import DeliveryMachine
import Glibc
import SessionDomain
import TestSupport
import Testing

@testable import CaptureLedgerSync

@Suite(.serialized) struct SignatureTests {
    private static let shared = Result { try TransportServer() }
    private let server: TransportServer
    private let first = "whsec_" + Base64.encode(Array(0..<32))
    private let second = "whsec_" + Base64.encode(Array(100..<124))

    init() throws {
        server = try Self.shared.get()
        try server.reset()
    }

    private func site(_ signature: String) throws -> Site {
        let site = try Site("verifier: { url: '\(server.url(port: "plain"))', auth: { signature: { \(signature) } } }")
        try site.write(first + "\n", to: "first")
        try site.write(second, to: "second")
        return site
    }

    @Test func `the endpoint's own code finds the signature right over the bytes that arrived`() throws {
        try server.set(#""secrets":["\#(first)","\#(second)"]"#)
        let site = try site("secret_file: 'SECRETS/first'")
        for size in [0, 1, 5, 64 << 10, 3_000_001] as [Int64] {
            var request = request(server.url(port: "plain"), token: Claims.verifier(9).id)
            request.body = rawBody(PatternReader(byteCount: size))
            request.headers = try site.headers(site.authority(), request)
            #expect(request.headers.last(named: "webhook-id") == request.token.text)
            #expect(try perform(request).status == 200)
            let seen = try #require(try server.requests().last)
            #expect(seen["bytes"]?.asInteger == size)
            #expect(seen["signature"]?.canonical == #"{"count":1,"valid":[true,false]}"#)
        }
    }

    @Test func `during a rotation two secrets give two signatures`() throws {
        try server.set(#""secrets":["\#(first)","\#(second)"]"#)
        let site = try site("secret_file: 'SECRETS/first', next_secret_file: 'SECRETS/second'")
        var request = request(server.url(port: "plain"))
        request.headers = try site.headers(site.authority(), request)
        #expect(try perform(request).status == 200)
        #expect(try server.requests().last?["signature"]?.canonical == #"{"count":2,"valid":[true,true]}"#)
    }

    /// The example of the Standard Webhooks specification.
    @Test func `the specification's example comes out`() throws {
        let site = try site("secret_file: 'SECRETS/example'")
        try site.write("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", to: "example")
        let code = HMAC.code(
            key: try #require(WebhookSigner.key(in: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")),
            Array(#"msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}"#.utf8))
        #expect(Base64.encode(code.bytes) == "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func `signing 200 MB takes no memory`() throws {
        let site = try site("secret_file: 'SECRETS/first'")
        let authority = try site.authority()
        var request = request(server.url(port: "plain"))
        request.body = rawBody(PatternReader(byteCount: 200 << 20))
        var usage = rusage()
        unsafe getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        let before = usage.ru_maxrss
        #expect(try site.headers(authority, request).last(named: "webhook-signature")?.hasPrefix("v1,") == true)
        unsafe getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        #expect(usage.ru_maxrss - before < 8 << 10)
    }

    @Test(arguments: ["", "whsec_", "whsec_!!!!", "AAAA", "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"])
    func `what is no signing secret is refused, and is not in the error`(secret: String) throws {
        let site = try site("secret_file: 'SECRETS/bad'")
        try site.write(secret, to: "bad")
        let fault = try #require(throws: DeliveryFault.self) { try site.headers(site.authority()) }
        #expect(fault.code == .credentialUnavailable && (secret.count < 8 || !fault.message.contains(secret)))
    }

    @Test func `media that stops opening while it is signed is told as that`() throws {
        final class Broken: MediaReader {
            let byteCount: Int64 = 10 << 20
            func read(at offset: Int64, limit: Int) throws(DeliveryFault) -> ArraySlice<UInt8> {
                if offset > 1 << 20 { throw DeliveryFault(.mediaUnreadable, message: "altered", remedy: "verify") }
                return [UInt8](repeating: 7, count: min(limit, 64 << 10))[...]
            }
        }
        let site = try site("secret_file: 'SECRETS/first'")
        var request = request(server.url(port: "plain"))
        request.body = rawBody(Broken())
        let fault = try #require(throws: DeliveryFault.self) { try site.headers(site.authority(), request) }
        #expect(fault.code == .mediaUnreadable)
    }
}
