import CurlTransport
import DeliveryMachine
import Glibc
import Sandbox
import SessionDomain
import TestSupport
import Testing

/// The double that the other tests trust keeps the same promises as the real transport.
@Suite struct TransportConformanceTests {
    private func request(_ number: Int, _ media: [UInt8], to url: String) throws -> TransferRequest {
        let claim = Claims.hologram(number, bytes: Int64(media.count))
        let frozen = try #require(BodyWriter.body(for: claim, kind: .hologram))
        return TransferRequest(
            token: claim.id, method: .post, url: url,
            headers: [Header("Idempotency-Key", claim.id.text), Header("Content-Type", frozen.contentType)],
            body: RequestBody(frozen, media: BytesReader(media)), settings: TransferSettings())
    }

    @Test(arguments: [false, true])
    func `the libcurl transport keeps every promise, also on a thread of its own`(hasThread: Bool) throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let absent = try Sandbox()
        let nowhere = absent.hologramURL
        absent.stop()
        let broken = try TransportConformance.broken(
            { () -> any Transport in if hasThread { try CurlTransportThread { 0 } } else { try CurlMultiTransport { 0 } } },
            request: { try request($0, $1, to: sandbox.hologramURL) },
            nowhere: { try request($0, $1, to: nowhere) })
        #expect(broken == [])
    }

    @Test func `a request goes on while its worker does something else`() throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let transport = try CurlTransportThread { 0 }
        try transport.start(try request(1, [1, 2, 3], to: sandbox.hologramURL))
        let end = ContinuousClock.now + .seconds(20)
        // Nobody calls `wait`.
        while sandbox.record().requests.isEmpty, ContinuousClock.now < end { sched_yield() }
        #expect(sandbox.record().requests.count == 1)
        #expect(transport.transfersUnderWay == 1)
        #expect(try transport.wait(milliseconds: 20_000).map(\.status) == [200])
        #expect(transport.transfersUnderWay == 0)
    }

    @Test func `the scripted transport keeps every promise`() throws {
        let broken = try TransportConformance.broken(
            {
                ScriptedTransport(now: { 0 }, idle: { _ in }) {
                    $0.request.url.hasPrefix("http://nowhere") ? .broken(code: 7, bytesSent: 0) : .answer(200, "{}")
                }
            }, request: { try request($0, $1, to: "http://127.0.0.1/") },
            nowhere: { try request($0, $1, to: "http://nowhere.invalid/") })
        #expect(broken == [])
    }
}
