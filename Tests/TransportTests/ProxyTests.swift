import CurlTransport
import DeliveryMachine
import Glibc
import SystemCalls
import TestSupport
import Testing

@Suite(.serialized) struct ProxyTests {
    private static let shared = Result { try TransportServer() }
    private let server: TransportServer
    private let credential = ProxyCredential(user: "kiosk", password: "pass:word")

    init() throws {
        server = try Self.shared.get()
        try server.reset()
    }

    private func through(
        _ url: String, proxy: String? = nil, credential: ProxyCredential? = nil, allowed: [String] = []
    ) throws -> TransferResult {
        try exchange(url, headers: [Header("Authorization", "Bearer secret")]) {
            $0.authorityFile = server.authority
            $0.proxy = proxy ?? server.url("", port: "proxy")
            $0.proxyCredential = credential
            $0.allowedAddresses = allowed
        }
    }

    @Test func `an https endpoint is reached by CONNECT, and the proxy learns its host alone`() throws {
        let result = try through(server.url())
        #expect(result.curlCode == 0 && result.status == 200)
        let connects = try server.connects()
        #expect(connects.count == 1)
        #expect(connects[0]["target"]?.asString == "localhost:\(server.port("tls"))")
        #expect(connects[0]["credential"] == .null)
    }

    @Test func `a proxy gets its own credential, and the endpoint does not see it`() throws {
        try server.set(#""proxy_credential":"kiosk:pass:word""#)
        let refused = try through(server.url())
        #expect(refused.curlCode == 97 && certainty(refused) == .notSent && refused.localFault?.code == .configuration)
        #expect(try server.requests().isEmpty)
        let result = try through(server.url(), credential: credential)
        #expect(result.status == 200)
        let headers = try #require(try server.requests().first?["headers"])
        #expect(headers["authorization"]?.asString == "Bearer secret" && headers["proxy-authorization"] == nil)
    }

    @Test func `a certificate is checked behind a proxy as before it`() throws {
        #expect(try through(server.url(port: "tls-other-name")).curlCode == 60)
        #expect(try server.requests().isEmpty)
    }

    @Test func `a proxy whose name leads to a private address is refused unless it is allowed`() throws {
        let proxy = "http://proxy.localhost:\(server.port("proxy"))"
        let refused = try through(server.url(), proxy: proxy)
        #expect(refused.localFault?.code == .addressRefused)
        #expect(try server.connects().isEmpty)
        #expect(try through(server.url(), proxy: proxy, allowed: ["127.0.0.1"]).status == 200)
    }

    @Test func `what the environment says of proxies and passwords is ignored`() async throws {
        let folder = try FileSystem.makeTemporaryFolder()
        let netrc = try FileDescriptor(opening: folder + "/.netrc", .createNew)
        try netrc.write(Array("machine localhost login kiosk password fromNetrc\n".utf8))
        let (url, authority) = (server.url(), server.authority)
        await #expect(processExitsWith: .success) {
            [url = url as String, authority = authority as String, folder = folder as String] in
            for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
                unsafe setenv(name, "http://127.0.0.1:1", 1)
            }
            unsafe setenv("HOME", folder, 1)
            unsafe setenv("NETRC", folder + "/.netrc", 1)
            let result = try exchange(url) { $0.authorityFile = authority }
            #expect(result.curlCode == 0 && result.status == 200)
        }
        #expect(try server.requests().count == 1)
        #expect(try server.requests().first?["headers"]?["authorization"] == nil)
        // nor does it keep a proxy of the settings from being used
        let proxy = server.url("", port: "proxy")
        await #expect(processExitsWith: .success) {
            [url = url as String, authority = authority as String, proxy = proxy as String] in
            unsafe setenv("no_proxy", "*", 1)
            let result = try exchange(url) {
                $0.authorityFile = authority
                $0.proxy = proxy
            }
            #expect(result.status == 200)
        }
        #expect(try server.connects().count == 1)
    }

    @Test func `a proxy that is none is told so`() throws {
        let result = try through(server.url(), proxy: "socks5://127.0.0.1:1")
        #expect(result.localFault?.code == .configuration && certainty(result) == .notSent)
    }
}
