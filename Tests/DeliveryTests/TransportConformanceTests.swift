import CurlTransport
import DeliveryMachine
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

    @Test func `the libcurl transport keeps every promise`() throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let absent = try Sandbox()
        let nowhere = absent.hologramURL
        absent.stop()
        let broken = try TransportConformance.broken(
            { try CurlMultiTransport { 0 } }, request: { try request($0, $1, to: sandbox.hologramURL) },
            nowhere: { try request($0, $1, to: nowhere) })
        #expect(broken == [])
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
