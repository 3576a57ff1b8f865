import CurlTransport
import DeliveryMachine
import Glibc
import Sandbox
import SessionDomain
import Synchronization
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

    @Test(arguments: [0, 1, 3])
    func `the libcurl transport keeps every promise, also on threads of its own`(threads: Int) throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let absent = try Sandbox()
        let nowhere = absent.hologramURL
        absent.stop()
        let broken = try TransportConformance.broken(
            { () -> any Transport in
                if threads > 0 { try CurlTransportThreads(threads: threads) { 0 } } else { try CurlMultiTransport { 0 } }
            },
            request: { try request($0, $1, to: sandbox.hologramURL) },
            nowhere: { try request($0, $1, to: nowhere) })
        #expect(broken == [])
    }

    @Test func `a request goes on while its worker does something else`() throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let transport = try CurlTransportThreads { 0 }
        try transport.start(try request(1, [1, 2, 3], to: sandbox.hologramURL))
        let end = ContinuousClock.now + .seconds(20)
        // Nobody calls `wait`.
        while sandbox.record().requests.isEmpty, ContinuousClock.now < end { sched_yield() }
        #expect(sandbox.record().requests.count == 1)
        #expect(transport.transfersUnderWay == 1)
        #expect(try transport.wait(milliseconds: 20_000).map(\.status) == [200])
        #expect(transport.transfersUnderWay == 0)
    }

    /// On which threads the media of requests was read.
    private final class Witness: Sendable {
        private let seen = Mutex<[UInt: Set<Int>]>([:])
        var threads: [UInt: Set<Int>] { seen.withLock { $0 } }
        func see(_ media: Int) { _ = seen.withLock { $0[UInt(pthread_self()), default: []].insert(media) } }
    }

    private final class WitnessedReader: MediaReader {
        private let number: Int
        private let witness: Witness
        private let base = PatternReader(byteCount: 300_000)
        init(_ number: Int, _ witness: Witness) { (self.number, self.witness) = (number, witness) }
        var byteCount: Int64 { base.byteCount }
        func read(at offset: Int64, limit: Int) throws(DeliveryFault) -> ArraySlice<UInt8> {
            witness.see(number)
            return try base.read(at: offset, limit: limit)
        }
    }

    private func spread(_ change: (inout TransferSettings) -> Void = { _ in }) throws -> [UInt: Set<Int>] {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let witness = Witness()
        let transport = try CurlTransportThreads(threads: 3) { 0 }
        var next = 0
        func start() throws {
            next += 1
            let claim = Claims.verifier(next, bytes: 300_000)
            let frozen = try #require(BodyWriter.body(for: claim, kind: .verifier))
            var request = TransferRequest(
                token: claim.id, method: .post, url: sandbox.verifierURL,
                headers: [Header("Idempotency-Key", claim.id.text), Header("Content-Type", frozen.contentType)],
                body: RequestBody(frozen, media: WitnessedReader(next, witness)), settings: TransferSettings())
            change(&request.settings)
            try transport.start(request)
        }
        var ended: [DeliveryID] = []
        for _ in 0..<6 { try start() }
        while transport.transfersUnderWay > 0 {
            let results = try transport.wait(milliseconds: 20_000)
            try #require(!results.isEmpty && results.allSatisfy { $0.curlCode == 0 && $0.bytesSent > 300_000 })
            ended += results.map(\.token)
            for _ in results where next < 60 { try start() }
        }
        #expect(ended.count == 60 && Set(ended).count == 60)
        return witness.threads
    }

    @Test func `requests are spread over the threads, each read on one, and all end with the one worker`() throws {
        let threads = try spread()
        #expect(threads.count == 3)
        #expect(threads.values.allSatisfy { $0.count >= 10 }, "\(threads.mapValues(\.count))")
        #expect(threads.values.reduce(0) { $0 + $1.count } == 60, "a request was read on two threads")
    }

    @Test func `requests that share a limit of bytes a second, or a connection, go by one thread`() throws {
        let limited = try spread {
            $0.bandwidth = Bandwidth(destination: Claims.verifier, bytesPerSecond: 1_000_000_000)
        }
        #expect(limited.count == 1)
        #expect(try spread { $0.httpVersion = .http2 }.count == 1)
    }

    @Test func `a request is cancelled on the thread that it is on`() throws {
        // takes connections in, and answers none
        let listener = try Silence()
        let transport = try CurlTransportThreads(threads: 3) { 0 }
        let requests = try (1...6).map { try request($0, [1, 2, 3], to: listener.url) }
        for request in requests { try transport.start(request) }
        for (left, request) in zip((0..<6).reversed(), requests) {
            transport.cancel(request.token)
            let results = try transport.wait(milliseconds: 20_000)
            #expect(results.map(\.token) == [request.token] && results.first?.localFault?.code == .stopped)
            #expect(transport.transfersUnderWay == left)
        }
        transport.cancel(requests[0].token)
        #expect(try transport.wait(milliseconds: 1).isEmpty)
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

/// Listens on loopback and takes nobody in: the kernel makes the connection, and nothing answers.
private final class Silence {
    private let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let url: String

    init() throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        try #require(isListening)
        url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"
    }

    deinit { close(listener) }
}
