import CurlTransport
import DeliveryMachine
import TestSupport
import Testing

@Suite struct ConnectionTests {
    let server: TransportServer

    init() throws { server = try TransportServer() }

    @Test func `connections that many requests had are kept for as many later, over a quiet time between`() throws {
        let transport = try CurlMultiTransport { 0 }
        let url = server.url("/submit", port: "plain")
        let many = { (first: Int) in
            for number in first..<first + 8 { try transport.start(request(url, token: Claims.verifier(number).id)) }
            var ended = 0
            for _ in 0..<60 where ended < 8 { ended += try transport.wait(milliseconds: 1_000).count { $0.status == 200 } }
            #expect(ended == 8)
        }
        try many(1)
        for _ in 0..<8 { #expect(try exchange(url, over: transport).status == 200) }
        try many(9)
        let clients = try server.requests().map { $0["client"] }
        #expect(clients.count == 24 && Set(clients).count == 8, "\(Set(clients).count) connections for 8 requests at once")
    }
}
