import CurlTransport
import DeliveryMachine
import TestSupport
import Testing

@Suite(.serialized) struct AddressTests {
    private static let shared = Result { try TransportServer() }
    private let server: TransportServer

    init() throws {
        server = try Self.shared.get()
        try server.reset()
    }

    /// A name that resolves to this machine without being its literal name.
    private func disguised(_ path: String = "/submit") -> String { server.url(path, host: "endpoint.localhost") }

    @Test func `a name that resolves to this machine is refused unless its address is allowed`() throws {
        let refused = try exchange(disguised()) { $0.authorityFile = server.authority }
        #expect(refused.localFault?.code == .addressRefused && certainty(refused) == .notSent)
        #expect(try server.requests().isEmpty)
        // of two addresses one is allowed, and it is that one
        let allowed = try exchange(disguised()) { $0.allowedAddresses = ["127.0.0.1"] }
        #expect(allowed.localFault == nil && allowed.curlCode == 60)
        let range = try exchange(disguised()) { $0.allowedAddresses = ["127.0.0.0/8"] }
        #expect(range.localFault == nil && range.curlCode == 60)
        let other = try exchange(disguised()) { $0.allowedAddresses = ["10.0.0.0/8", "fd00::/8"] }
        #expect(other.localFault?.code == .addressRefused)
    }

    @Test func `an IPv6 address is judged by what it is, not refused for its length`() throws {
        let six = { server.url("/submit", port: "plain-6", host: $0) }
        #expect(try exchange(six("[::1]")).status == 200)
        #expect(try server.requests().map { $0["port"]?.asString } == ["plain-6"])
        // of two addresses that a name has only this one is allowed
        #expect(try exchange(six("endpoint.localhost")) { $0.allowedAddresses = ["endpoint.localhost", "::1"] }.status == 200)
        let refused = try exchange(six("endpoint.localhost")) { $0.allowedAddresses = ["endpoint.localhost"] }
        #expect(refused.localFault?.code == .addressRefused && certainty(refused) == .notSent)
        #expect(try server.requests().count == 2)
        // nobody listens there, which is another matter than an address that is refused
        let closed = try exchange("http://[::1]:1/")
        #expect(closed.localFault == nil && closed.curlCode == 7)
    }

    @Test func `what one destination may reach another does not reach over the same connection`() throws {
        let transport = try CurlMultiTransport { 0 }
        let url = server.url("/submit", port: "plain", host: "endpoint.localhost")
        let open: (inout TransferSettings) -> Void = { $0.allowedAddresses = ["endpoint.localhost", "127.0.0.1"] }
        #expect(try exchange(url, over: transport, open).status == 200)
        #expect(try exchange(url, over: transport, open).status == 200)
        let closed = try exchange(url, over: transport) { $0.allowedAddresses = ["endpoint.localhost"] }
        #expect(closed.localFault?.code == .addressRefused && certainty(closed) == .notSent)
        #expect(try server.requests().count == 2)
        #expect(Set(try server.requests().map { $0["client"] }).count == 1)
    }

    @Test func `a redirect to a private address is an answer, not a way`() throws {
        let result = try exchange(server.url("/redirect")) { $0.authorityFile = server.authority }
        #expect(result.curlCode == 0 && result.status == 302)
        #expect(try server.requests().count == 1)
    }

    @Test(arguments: [
        "https://10.0.0.1/", "https://[fd00::1]/", "https://169.254.169.254/", "https://2130706433/", "https://0x7f.1/",
        "https://[::ffff:10.0.0.1]/", "https://0/", "https://127.1/", "https://0177.0.0.1/", "https://10.0.0.1./",
    ])
    func `a private address is refused, however it is written, also behind a proxy`(url: String) throws {
        for proxy in [nil, server.url("", port: "proxy")] {
            let result = try exchange(url) {
                $0.proxy = proxy
                $0.connectTimeoutMilliseconds = 2_000
            }
            #expect(certainty(result) == .notSent)
            #expect(result.localFault?.code == .addressRefused || result.localFault?.code == .configuration, "\(proxy ?? "")")
        }
        #expect(try server.connects().isEmpty)
    }
}
