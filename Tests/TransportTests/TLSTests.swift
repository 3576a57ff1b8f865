import CurlTransport
import DeliveryMachine
import TestSupport
import Testing

@Suite(.serialized) struct TLSTests {
    private static let shared = Result { try TransportServer() }
    private let server: TransportServer

    init() throws {
        server = try Self.shared.get()
        try server.reset()
    }

    /// What the destination does next, judged as the worker judges it.
    private func action(_ result: TransferResult) -> RuleAction {
        ClassificationTable.rule(
            for: RequestFacts(
                curlCode: result.curlCode, status: result.status, hasSentBytes: result.bytesSent > 0,
                fault: result.localFault?.code)
        ).action
    }

    @Test(arguments: [
        "tls-old", "tls-other-name", "tls-expired", "tls-not-yet", "tls-self-signed", "tls-unknown-authority",
        "tls-client-12", "tls-client-13",
    ])
    func `an endpoint that cannot be trusted, or that does not trust us, gets nothing and the destination pauses`(
        port: String
    ) throws {
        let result = try exchange(server.url(port: port)) { $0.authorityFile = server.authority }
        #expect(certainty(result) == .notSent && result.bytesSent == 0, "\(result.curlCode)")
        #expect(action(result) == .pause(.probe), "\(result.curlCode) \(result.localFault?.message ?? "")")
        #expect(try server.requests().isEmpty)
    }

    @Test func `the system's authorities do not vouch for a private one, and a CA file does`() throws {
        #expect(try exchange(server.url()).curlCode == 60)
        let trusted = try exchange(server.url()) { $0.authorityFile = server.authority }
        #expect(trusted.curlCode == 0 && trusted.status == 200)
        // a certificate that signs itself is its own authority
        let own = try exchange(server.url(port: "tls-self-signed")) {
            $0.authorityFile = server.folder + "/tls-self-signed.pem"
        }
        #expect(own.curlCode == 0 && own.status == 200)
        #expect(try exchange(server.url()) { $0.authorityFile = "/does/not/exist" }.curlCode == 77)
    }

    @Test func `the certificate is the host's that was asked for`() throws {
        let byName = try exchange(server.url(host: "localhost")) { $0.authorityFile = server.authority }
        #expect(byName.curlCode == 0)
        let byAddress = try exchange(server.url(host: "127.0.0.1")) { $0.authorityFile = server.authority }
        #expect(byAddress.curlCode == 0)
        let other = try exchange(server.url(host: "127.0.0.2")) { $0.authorityFile = server.authority }
        #expect(other.curlCode == 60 || other.curlCode == 7)
    }

    @Test(arguments: ["tls-client-12", "tls-client-13"])
    func `an endpoint that wants a client certificate gets the one of the settings`(port: String) throws {
        let result = try exchange(server.url(port: port)) {
            $0.authorityFile = server.authority
            $0.clientCertificateFile = server.folder + "/client.pem"
            $0.clientKeyFile = server.folder + "/client.pem"
        }
        #expect(result.curlCode == 0 && result.status == 200)
        let expired = try exchange(server.url(port: port)) {
            $0.authorityFile = server.authority
            $0.clientCertificateFile = server.folder + "/client-expired.pem"
            $0.clientKeyFile = server.folder + "/client-expired.pem"
        }
        #expect(certainty(expired) == .notSent && action(expired) == .pause(.probe), "\(expired)")
        let absent = try exchange(server.url(port: port)) {
            $0.authorityFile = server.authority
            $0.clientCertificateFile = "/does/not/exist"
            $0.clientKeyFile = "/does/not/exist"
        }
        #expect(absent.curlCode == 58 && action(absent) == .pause(.probe))
    }

    @Test func `a floor of 1.3 refuses an endpoint that speaks 1.2`() throws {
        let old = try exchange(server.url(port: "tls-12")) {
            $0.authorityFile = server.authority
            $0.minimumTLS = .tls13
        }
        #expect(certainty(old) == .notSent && action(old) == .pause(.probe))
        #expect(try exchange(server.url(port: "tls-12")) { $0.authorityFile = server.authority }.status == 200)
        let new = try exchange(server.url()) {
            $0.authorityFile = server.authority
            $0.minimumTLS = .tls13
        }
        #expect(new.status == 200)
    }

    @Test func `a pinned key is the endpoint's, or nothing is sent`() throws {
        let fits = try exchange(server.url()) {
            $0.authorityFile = server.authority
            $0.pinnedPublicKey = server.pin
        }
        #expect(fits.status == 200)
        let another = try exchange(server.url(port: "tls-12")) {
            $0.authorityFile = server.authority
            $0.pinnedPublicKey = "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        }
        #expect(another.curlCode == 90 && certainty(another) == .notSent && action(another) == .pause(.probe))
    }
}
