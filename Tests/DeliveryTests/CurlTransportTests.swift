import CurlTransport
import DeliveryMachine
import Glibc
import LocalHTTP
import Sandbox
import SessionDomain
import TestSupport
import Testing

@Suite struct CurlTransportTests {
    private func send(
        _ url: String, body: RequestBody? = nil, headers: [Header] = [], change: (inout TransferSettings) -> Void = { _ in },
        over transport: CurlMultiTransport? = nil
    ) throws -> TransferResult {
        let transport = try transport ?? CurlMultiTransport { 0 }
        var settings = TransferSettings()
        change(&settings)
        try transport.start(
            TransferRequest(
                token: Claims.verifier(1).id, method: body == nil ? .get : .post, url: url, headers: headers, body: body,
                settings: settings))
        var results: [TransferResult] = []
        for _ in 0..<60 where results.isEmpty { results = try transport.wait(milliseconds: 1_000) }
        #expect(transport.transfersUnderWay == 0)
        return try #require(results.first)
    }

    private func body(_ claim: ClaimedDelivery, _ media: any MediaReader) throws -> RequestBody {
        RequestBody(try #require(BodyWriter.body(for: claim, kind: .hologram)), media: media)
    }

    /// Highest resident memory of this process so far.
    private func peakKilobytes() -> Int {
        var usage = rusage()
        unsafe getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }

    @Test func `a video of 64 MB streams through in constant memory, with its exact length`() throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let count: Int64 = 64 << 20
        let claim = Claims.hologram(1, bytes: count)
        let body = try body(claim, PatternReader(byteCount: count))
        let before = peakKilobytes()
        let result = try send(
            sandbox.hologramURL, body: body,
            headers: [Header("Idempotency-Key", claim.id.text), Header("Content-Type", "application/json")])
        #expect(result.curlCode == 0 && result.status == 200)
        #expect(result.bytesSent == body.contentLength)
        #expect(sandbox.record().requests.first?.bytes == Int(count))
        #expect(peakKilobytes() - before < 32 << 10)
    }

    @Test func `connections are refused as not sent, and names that do not resolve too`() throws {
        let sandbox = try Sandbox()
        let url = sandbox.verifierURL
        sandbox.stop()
        let claim = Claims.hologram(1)
        let refused = try send(url, body: body(claim, BytesReader(Array("hello".utf8))))
        #expect(refused.curlCode == 7 && refused.bytesSent == 0)
        let unknown = try send("https://does-not-exist.invalid/", body: body(claim, BytesReader(Array("hello".utf8))))
        #expect([5, 6, 7, 28].contains(unknown.curlCode) && unknown.bytesSent == 0)
    }

    @Test(arguments: [
        "http://192.168.7.7/", "http://intern.example/", "https://10.1.2.3/", "https://169.254.169.254/latest/",
        "https://[fd00::1]/",
        "https://[::ffff:10.0.0.1]/", "https://100.64.0.1/", "https://0.0.0.0/", "https://[64:ff9b::a00:1]/",
        "ftp://127.0.0.1/", "file:///etc/passwd", "https://a@127.0.0.1/",
    ])
    func `private and unprotected addresses are refused before a byte leaves`(url: String) throws {
        let result = try send(url, body: body(Claims.hologram(1), BytesReader(Array("hello".utf8)))) {
            $0.connectTimeoutMilliseconds = 2_000
        }
        #expect(result.bytesSent == 0 && result.status == 0)
        #expect(result.localFault?.code == .addressRefused || result.localFault?.code == .configuration)
    }

    @Test func `a private address that is listed literally is connected to`() throws {
        // nobody answers there; what counts is that it is not we who refuse
        let result = try send("https://127.0.0.2:1/") { $0.allowedAddresses = ["127.0.0.2"] }
        #expect(result.localFault == nil && result.curlCode == 7)
    }

    @Test func `an answer beyond the limit ends the transfer`() throws {
        let sandbox = try Sandbox(scenario: SandboxScenario(rules: []))
        defer { sandbox.stop() }
        let result = try send(sandbox.controlURL + "/requests") { $0.answerLimitBytes = 8 }
        #expect(result.curlCode == 23)
        #expect(result.localFault?.code == .answerTooLong)
        #expect(result.body.count <= 8)
    }

    @Test func `one transport keeps its connection between requests`() throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let transport = try CurlMultiTransport { 0 }
        for _ in 0..<5 {
            let result = try send(sandbox.controlURL + "/requests", over: transport)
            #expect(result.curlCode == 0 && result.status == 200)
            #expect(result.headers.last(named: "content-type")?.hasPrefix("application/json") == true)
        }
    }

    @Test func `a line break in a header's value does not make another header`() throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let claim = Claims.hologram(1)
        _ = try send(
            sandbox.hologramURL, body: body(claim, BytesReader(Array("hello".utf8))),
            headers: [
                Header("Content-Type", "application/json"), Header("X", "a\r\nIdempotency-Key: \(claim.id.text)"),
            ])
        #expect(sandbox.record().requests.first?.key == nil)
    }

    @Test func `our own media that fails half-way ends the transfer and is named`() throws {
        final class Broken: MediaReader {
            let byteCount: Int64 = 10 << 20
            func read(at offset: Int64, limit: Int) throws(DeliveryFault) -> ArraySlice<UInt8> {
                if offset > 1 << 20 { throw DeliveryFault(.mediaUnreadable, message: "altered", remedy: "verify") }
                return [UInt8](repeating: 7, count: min(limit, 64 << 10))[...]
            }
        }
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let claim = Claims.hologram(1, bytes: 10 << 20)
        let result = try send(
            sandbox.hologramURL, body: body(claim, Broken()), headers: [Header("Content-Type", "application/json")])
        #expect(result.curlCode == 42 && result.localFault?.code == .mediaUnreadable)
        #expect(sandbox.record().effects.isEmpty)
    }

    @Test func `a cancelled transfer tells how much had left`() throws {
        let sandbox = try Sandbox(scenario: SandboxScenario(rules: [.init(delayMilliseconds: 5_000)]))
        defer { sandbox.stop() }
        let transport = try CurlMultiTransport { 0 }
        let claim = Claims.hologram(1)
        let body = try body(claim, BytesReader(Array("hello".utf8)))
        try transport.start(
            TransferRequest(
                token: claim.id, method: .post, url: sandbox.hologramURL,
                headers: [Header("Content-Type", "application/json"), Header("Idempotency-Key", claim.id.text)], body: body,
                settings: TransferSettings()))
        for _ in 0..<200 where sandbox.record().requests.isEmpty { _ = try transport.wait(milliseconds: 10) }
        transport.cancel(claim.id)
        let result = try #require(try transport.wait(milliseconds: 0).first)
        #expect(result.localFault?.code == .stopped && result.bytesSent == body.contentLength)
        #expect(ClassificationTable.certainty(curlCode: result.curlCode, status: 0, bytesSent: result.bytesSent) == .unknown)
    }

    @Test func `a whole transfer has an end even when a server says nothing`() throws {
        let sandbox = try Sandbox(scenario: SandboxScenario(rules: [.init(delayMilliseconds: 3_000)]))
        defer { sandbox.stop() }
        let claim = Claims.hologram(1)
        let result = try send(
            sandbox.hologramURL, body: body(claim, BytesReader(Array("hello".utf8))),
            headers: [Header("Content-Type", "application/json"), Header("Idempotency-Key", claim.id.text)]
        ) { $0.totalTimeoutMilliseconds = 300 }
        #expect(result.curlCode == 28 && result.bytesSent > 0)
    }
}
