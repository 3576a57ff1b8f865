import EventCoding
import SessionDomain
import TestSupport
import Testing

/// The reader of facts meets what an altered ledger may hold.
@Suite struct HostileFactsTests {
    @Test(arguments: [
        "", "{", "}", "[]", "null", "{}}", "{\"at_ms\"}", "{\"at_ms\":}", "{\"at_ms\":1", "{\"at_ms\":1,}", "{\"at_ms\":1}x",
        "{\"at_ms\":1}{}", "{,\"at_ms\":1}", "{\"at_ms\":1 2}", "{\"at_ms\":01}", "{\"at_ms\":-}", "{\"at_ms\":1.5}",
        "{\"at_ms\":99999999999999999999}", "{\"at_ms\":\"1\"}", "{\"at_ms\":[1}", "{\"at_ms\":{]}",
        "{\"at_ms\":1,\"at_ms\":1}",
        "{\"b\":1,\"at_ms\":1}", "{\"at_ms\":\"", "{\"at_ms\":\"\\", "{ \"at_ms\":1}", "{\"at_ms\" :1}",
    ])
    func `facts that were not written here are a typed failure`(facts: String) {
        let stored = Self.suspended(facts)
        #expect(throws: CodingFailure.self) { try EventCoder.decode(stored, configuration: { _ in nil }) }
    }

    @Test(arguments: [
        ("{\"at_ms\":0}", Int64(0)), ("{\"at_ms\":-1}", -1), ("{\"at_ms\":9223372036854775807}", .max),
        ("{\"at_ms\":-9223372036854775808}", .min), ("{\"a\":{\"x\":[1,\"}\\\"]\"]},\"at_ms\":7,\"b\":\"\\\\\"}", 7),
    ])
    func `whole numbers are read exactly, whatever stands beside them`(facts: String, milliseconds: Int64) throws {
        #expect(
            try EventCoder.decode(Self.suspended(facts), configuration: { _ in nil })
                == .sessionSuspended(SessionSuspended(suspendedAtMilliseconds: milliseconds)))
    }

    @Test func `texts with escapes and beyond ASCII are read exactly`() throws {
        for destination in ["", "a\"b\\c\n\u{1}", "é😀", "short", String(repeating: "long ", count: 50)] {
            let event = SessionEvent.pieceConfirmed(
                PieceConfirmed(
                    piece: .selfie, captureID: EventSamples.capture, destination: destination, confirmedAtMilliseconds: 1))
            let stored = EventCoder.encode(event, internConfiguration: { $0 })
            #expect(try EventCoder.decode(stored, configuration: { _ in nil }) == event)
        }
    }

    @Test func `cut or altered facts never crash the reader`() {
        var random = SeededRandom(seed: SeededRandom.seed(for: "altered facts"))
        let interner = Interner()
        for stored in EventSamples.encoded(interner) {
            let units = Array(stored.facts.utf8)
            for count in units.indices {
                var cut = stored
                cut.facts = String(decoding: units[..<count], as: UTF8.self)
                #expect(throws: CodingFailure.self) {
                    _ = try EventCoder.decode(cut, configuration: interner.text)
                    _ = try EventCoder.decodeLedgerEvent(cut)
                }
            }
            for _ in 0..<100 where !units.isEmpty {
                var altered = units
                for _ in 0...Int.random(in: 0...2, using: &random) {
                    altered[Int.random(in: 0..<units.count, using: &random)] = UInt8.random(in: 0...127, using: &random)
                }
                var event = stored
                event.facts = String(decoding: altered, as: UTF8.self)
                _ = try? EventCoder.decode(event, configuration: interner.text)
                _ = try? EventCoder.decodeLedgerEvent(event)
            }
        }
    }

    private static func suspended(_ facts: String) -> EncodedEvent {
        EncodedEvent(
            type: EventType.sessionSuspended.code, schemaVersion: 1, piece: nil, captureID: nil, source: nil, outcome: nil,
            reason: nil, durationMilliseconds: nil, facts: facts)
    }
}
