import EventCoding
import Foundation
import SessionDomain
import TestSupport
import Testing

@Suite struct CodingTests {
    @Test func `there is a sample of every event type`() {
        let types = Set(EventSamples.encoded(Interner()).map(\.type))
        #expect(types == Set(EventType.allCases.map(\.code)))
    }

    @Test func `every event reads back as it was written`() throws {
        let interner = Interner()
        for event in EventSamples.session {
            let stored = EventCoder.encode(event, internConfiguration: interner.intern)
            #expect(try EventCoder.decode(stored, configuration: interner.text) == event)
            #expect(try EventCoder.decodeLedgerEvent(stored) == nil)
        }
        for event in EventSamples.ledger {
            let stored = EventCoder.encode(event)
            #expect(try EventCoder.decodeLedgerEvent(stored) == event)
            #expect(try EventCoder.decode(stored, configuration: interner.text) == nil)
        }
    }

    @Test func `facts are canonical`() throws {
        for stored in EventSamples.encoded(Interner()) {
            #expect(try JSONValue.parse(stored.facts).canonical == stored.facts)
        }
    }

    @Test func `what is written equals the golden files`() throws {
        let groups = Dictionary(grouping: EventSamples.encoded(Interner()), by: Golden.name)
        for (name, events) in groups { #expect(try Golden.read(name) == events, "\(name)") }
    }

    @Test func `every golden file of every version can be read`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Golden.folder.path).filter {
            $0.hasSuffix(".json") && !$0.hasPrefix("session_of_")
        }
        var versions: [Int: Set<Int>] = [:]
        let frozen = FrozenConfiguration(Sample.configuration([.selfie]))
        for name in names {
            for stored in try Golden.read(name) {
                #expect(Golden.name(stored) == name)
                versions[stored.type, default: []].insert(stored.schemaVersion)
                let session = try EventCoder.decode(stored, frozen: { _ in frozen })
                let ledger = try EventCoder.decodeLedgerEvent(stored)
                #expect((session == nil) != (ledger == nil), "\(name)")
            }
        }
        for type in EventType.allCases { #expect(versions[type.code] == Set(1...type.schemaVersion), "\(type.name)") }
    }

    @Test func `S95 an unknown type and a newer version are skipped, not refused`() throws {
        var stored = EventCoder.encode(EventSamples.session[2], internConfiguration: { $0 })
        stored.schemaVersion += 1
        stored.facts = "{\"of_the_future\":1}"
        #expect(try EventCoder.decode(stored, configuration: { _ in nil }) == nil)
        stored.type = 99
        #expect(try EventCoder.decode(stored, configuration: { _ in nil }) == nil)
        stored.type = 199
        #expect(try EventCoder.decodeLedgerEvent(stored) == nil)
    }

    @Test func `a field that a newer version added to the facts is ignored`() throws {
        var stored = EventCoder.encode(
            .pieceConfirmed(
                PieceConfirmed(
                    piece: .selfie, captureID: EventSamples.capture, destination: "verifier", confirmedAtMilliseconds: 5)),
            internConfiguration: { $0 })
        let event = try EventCoder.decode(stored, configuration: { _ in nil })
        stored.facts = "{\"at_ms\":5,\"destination\":\"verifier\",\"extra\":{\"a\":[1]}}"
        #expect(try EventCoder.decode(stored, configuration: { _ in nil }) == event)
    }

    @Test func `a damaged event is a typed failure that tells nothing of its content`() throws {
        let interner = Interner()
        for event in EventSamples.session {
            let stored = EventCoder.encode(event, internConfiguration: interner.intern)
            var damaged = stored
            damaged.facts = "{\"at_ms\":"
            #expect(throws: CodingFailure.self) { try EventCoder.decode(damaged, configuration: interner.text) }
            guard case .object(let members) = try JSONValue.parse(stored.facts) else { continue }
            for member in members {
                damaged.facts =
                    JSONValue.members(members.map { .init($0.key, $0 == member ? .array([.null]) : $0.value) }).canonical
                let failure = #expect(throws: CodingFailure.self) {
                    try EventCoder.decode(damaged, configuration: interner.text)
                }
                #expect(failure?.message.contains("null") == false)
            }
        }
    }

    @Test func `a configuration that is missing or unreadable is named`() throws {
        let stored = EventCoder.encode(EventSamples.session[0], internConfiguration: { _ in Sample.digest(1).hex })
        let missing = #expect(throws: CodingFailure.self) { try EventCoder.decode(stored, configuration: { _ in nil }) }
        #expect(missing?.code == .configurationMissing)
        let broken = #expect(throws: CodingFailure.self) { try EventCoder.decode(stored, configuration: { _ in "{" }) }
        #expect(broken?.code == .configurationInvalid)
    }

    @Test func `codes and names are unique`() {
        #expect(Set(EventType.allCases.map(\.name)).count == EventType.allCases.count)
        #expect(Set(OutcomeCode.allCases.map(\.name)).count == OutcomeCode.allCases.count)
        for type in EventType.allCases { #expect(EventType(name: type.name) == type) }
    }
}
