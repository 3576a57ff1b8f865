import CurlTransport
import DeliveryMachine
import Glibc
import TestSupport
import Testing

@Suite(.serialized) struct LimitTests {
    private static let shared = Result { try TransportServer() }
    private let server: TransportServer

    init() throws {
        server = try Self.shared.get()
        try server.reset()
    }

    /// Seconds that so many transfers of so many bytes took together.
    private func measure(_ count: Int, of bytes: Int64, rate: Int64?) throws -> Double {
        let transport = try CurlMultiTransport { 0 }
        let clock = ContinuousClock()
        let start = clock.now
        for number in 1...count {
            var request = request(server.url("/submit", port: "plain"), token: Claims.verifier(number).id) {
                $0.bandwidth = rate.map { Bandwidth(destination: Claims.verifier, bytesPerSecond: $0) }
            }
            request.body = rawBody(PatternReader(byteCount: bytes))
            try transport.start(request)
        }
        var ended = 0
        while ended < count {
            for result in try transport.wait(milliseconds: 1_000) {
                #expect(result.curlCode == 0 && result.status == 200 && result.bytesSent == bytes)
                ended += 1
            }
        }
        return start.duration(to: clock.now) / .seconds(1)
    }

    @Test(arguments: [(1, 3_000_000), (3, 1_000_000)])
    func `transfers of a destination share its bandwidth, which is kept within a tenth`(count: Int, bytes: Int64) throws {
        let seconds = try measure(count, of: bytes, rate: 1_000_000)
        #expect(abs(seconds - 3) < 0.3, "\(seconds) s for 3 MB at 1 MB/s")
        #expect(try server.requests().count == count)
    }

    @Test func `without a cap nothing is held back`() throws {
        #expect(try measure(3, of: 1_000_000, rate: nil) < 1.5)
    }

    @Test func `nobody starves: transfers that share a cap end together`() throws {
        let transport = try CurlMultiTransport { 0 }
        for number in 1...4 {
            var request = request(server.url("/submit", port: "plain"), token: Claims.verifier(number).id) {
                $0.bandwidth = Bandwidth(destination: Claims.verifier, bytesPerSecond: 1_000_000)
            }
            request.body = rawBody(PatternReader(byteCount: 400_000))
            try transport.start(request)
        }
        let clock = ContinuousClock()
        var first: ContinuousClock.Instant?
        var ended = 0
        while ended < 4 {
            let results = try transport.wait(milliseconds: 1_000)
            ended += results.count
            if first == nil, !results.isEmpty { first = clock.now }
        }
        // one after the other they would end 400 ms apart
        #expect(try #require(first).duration(to: clock.now) < .milliseconds(600))
    }

    @Test func `an answer in gzip is opened, and its limit counts what comes out`() throws {
        let opened = try exchange(server.url("/gzip", port: "plain"))
        #expect(opened.curlCode == 0 && opened.body == Array(#"{"a":1}"#.utf8))
        var usage = rusage()
        unsafe getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        let before = usage.ru_maxrss
        // 64 MiB of zeros in 300 kB
        let bomb = try exchange(server.url("/bomb", port: "plain"))
        #expect(bomb.localFault?.code == .answerTooLong && bomb.body.count <= 1 << 20)
        unsafe getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        #expect(usage.ru_maxrss - before < 16 << 10)
    }

    @Test func `a connection that nobody accepts, a stall and a whole transfer each have an end`() throws {
        let clock = ContinuousClock()
        let start = clock.now
        let silent = try exchange(server.url("/hang", port: "plain")) { $0.totalTimeoutMilliseconds = 300 }
        #expect(silent.curlCode == 28 && certainty(silent) == .unknown)
        let slow = try exchange(server.url("/hang", port: "plain")) {
            $0.lowSpeedBytesPerSecond = 1_000
            $0.lowSpeedSeconds = 1
        }
        #expect(slow.curlCode == 28 && certainty(slow) == .unknown)
        #expect(start.duration(to: clock.now) < .seconds(4))
    }
}
