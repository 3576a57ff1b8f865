import DeliveryMachine
import Glibc
import SessionDomain
import TestSupport
import Testing

@testable import CurlTransport

@Suite struct ReadAheadTests {
    /// Ends with a fault behind so many bytes.
    private final class FailingReader: MediaReader {
        private let base: PatternReader
        private let limit: Int64
        init(_ base: PatternReader, at limit: Int64) { (self.base, self.limit) = (base, limit) }
        static let fault = DeliveryFault(.mediaUnreadable, message: "It does not open.", remedy: "None.")
        var byteCount: Int64 { base.byteCount }
        func read(at offset: Int64, limit count: Int) throws(DeliveryFault) -> ArraySlice<UInt8> {
            if offset >= limit { throw Self.fault }
            return try base.read(at: offset, limit: Int(min(Int64(count), limit - offset)))
        }
    }

    private func body(_ kind: Destination.Kind, _ media: any MediaReader) throws -> RequestBody {
        let claim =
            kind == .hologram ? Claims.hologram(1, bytes: media.byteCount) : Claims.verifier(1, bytes: media.byteCount)
        return RequestBody(try #require(BodyWriter.body(for: claim, kind: kind)), media: media)
    }

    /// All of a body from `offset` on, read the plain way.
    private func plain(_ body: RequestBody, from offset: Int64 = 0) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let more = try body.read(at: offset + Int64(bytes.count), limit: 1 << 20)
            if more.isEmpty { return bytes }
            bytes += more
        }
    }

    private func read(_ ahead: ReadAhead, at offset: Int64, room: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: room)
        let count = try unsafe bytes.withUnsafeMutableBytes { target in try unsafe ahead.read(at: offset, into: target) }
        return Array(bytes.prefix(count))
    }

    @Test(arguments: [Destination.Kind.verifier, .hologram], [0, 1, 65_537, 1_048_576, 5_000_003])
    func `a body that is read ahead is the body, whatever the room`(kind: Destination.Kind, count: Int64) throws {
        let wanted = try plain(body(kind, PatternReader(byteCount: count)))
        for seed in SeededRandom.seeds(for: "read-ahead") {
            var random = SeededRandom(seed: seed)
            let ahead = ReadAhead(try body(kind, PatternReader(byteCount: count)))
            var bytes: [UInt8] = []
            while bytes.count < wanted.count {
                let room = Int.random(in: 1...(Bool.random(using: &random) ? 2 << 20 : 70_000), using: &random)
                let more = try read(ahead, at: Int64(bytes.count), room: room)
                try #require((1...room).contains(more.count))
                bytes += more
            }
            #expect(bytes == wanted)
            #expect(try read(ahead, at: Int64(wanted.count), room: 10).isEmpty)
        }
    }

    @Test func `a rewind to any place goes on from there`() throws {
        let wanted = try plain(body(.hologram, PatternReader(byteCount: 4_000_000)))
        for seed in SeededRandom.seeds(for: "rewind") {
            var random = SeededRandom(seed: seed)
            let ahead = ReadAhead(try body(.hologram, PatternReader(byteCount: 4_000_000)))
            for _ in 0..<60 {
                var offset = Bool.random(using: &random) ? 0 : Int.random(in: 0..<wanted.count, using: &random)
                for _ in 0..<Int.random(in: 1...4, using: &random) where offset < wanted.count {
                    let more = try read(ahead, at: Int64(offset), room: 1 << 20)
                    try #require(!more.isEmpty && wanted[offset...].starts(with: more), "at \(offset)")
                    offset += more.count
                }
            }
        }
    }

    @Test(arguments: [0, 1, 1_500_000, 3_000_000])
    func `what does not open ends the body where it does, and not before`(place: Int64) throws {
        let whole = try plain(body(.verifier, PatternReader(byteCount: 5_000_000)))
        let broken = try body(.verifier, FailingReader(PatternReader(byteCount: 5_000_000), at: place))
        let ahead = ReadAhead(broken)
        var bytes: [UInt8] = []
        let fault = try #require(throws: DeliveryFault.self) {
            while true { bytes += try read(ahead, at: Int64(bytes.count), room: 300_000) }
        }
        #expect(fault == FailingReader.fault)
        #expect(whole.starts(with: bytes) && bytes.count <= broken.frozen.head.count + Int(place))
        #expect(bytes.count + 65_536 + broken.frozen.head.count >= Int(place), "what opened was not sent")
    }
}
