import EventStorage
import SessionDomain
import TestSupport
import Testing

@testable import CaptureLedger

/// Two clocks, neither of which is believed blindly.
@Suite struct TimeTests {
    private static let now: Int64 = 1_790_000_000_000
    private static let year2020: Int64 = 1_577_836_800_000

    @Test func `the store's time never goes back, and says when its clock did`() throws {
        let clock = TurnedClock()
        let temporary = try TemporaryLedger(clock: LedgerClock { clock.now })
        let session = try temporary.ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        clock.advance(10)
        _ = try temporary.ledger.suspend(session, CommandOptions())
        let latest = clock.now
        clock.advance(-86_400_000)
        _ = try temporary.ledger.resume(session, CommandOptions())

        // another process, whose clock is as far behind
        var options = LedgerOptions()
        options.clock = LedgerClock { clock.now }
        let reopened = try Ledger.open(folder: temporary.path, options: options)
        defer { reopened.closeAndWait() }
        _ = try reopened.suspend(session, CommandOptions())
        clock.advance(86_400_000 + 5)
        _ = try reopened.resume(session, CommandOptions())

        let events = try stored(reopened)
        #expect(events.map(\.recordedAtMilliseconds) == [latest - 10, latest, latest, latest, latest + 5])
        #expect(events.map(\.flags) == [[], [], .storeClockBehind, .storeClockBehind, []])
        #expect(try reopened.session(session, asOf: .time(milliseconds: latest)).flow.version == 4)
    }

    @Test func `F4 a thousand random instants of clients come back as they went in`() throws {
        var random = SeededRandom(seed: SeededRandom.seed(for: "instants"))
        let temporary = try TemporaryLedger(clock: LedgerClock { Self.now })
        let instants = (0..<1_000).map { _ in Int64.random(in: Self.year2020...Self.now + 86_400_000, using: &random) }
        try append(instants, to: temporary.ledger)
        let events = try stored(temporary.ledger).dropFirst()
        #expect(events.map(\.occurredAtMilliseconds) == instants)
        #expect(events.allSatisfy { $0.flags == [] })
    }

    @Test func `F4 an instant before 2020 or more than a day ahead is left out and flagged, never made up`() throws {
        let temporary = try TemporaryLedger(clock: LedgerClock { Self.now })
        let kept = [Self.year2020, Self.now, Self.now + 86_400_000]
        let unbelievable = [Self.year2020 - 1, Self.now + 86_400_001, 0, -1, .min, .max, Self.now / 1_000, Self.now * 1_000]
        try append(kept + unbelievable, to: temporary.ledger)
        let events = try stored(temporary.ledger).dropFirst()
        #expect(events.map(\.occurredAtMilliseconds) == kept + unbelievable.map { _ in nil })
        #expect(events.map(\.flags) == kept.map { _ in [] } + unbelievable.map { _ in .clientClockSkewed })
    }

    @Test func `F19 ten thousand events of one millisecond have ten thousand ids and keep their order`() throws {
        let temporary = try TemporaryLedger(clock: LedgerClock { Self.now })
        try append([Int64?](repeating: nil, count: 9_999), to: temporary.ledger)
        let events = try stored(temporary.ledger)
        #expect(events.count == 10_000)
        #expect(Set(events.map(\.eventID)).count == 10_000)
        #expect(events.map(\.position) == Array(1...10_000))
        #expect(events.map(\.version) == Array(1...10_000))
        #expect(Set(events.map(\.recordedAtMilliseconds)) == [Self.now])
        #expect(events.dropFirst().map(\.commandID) == (1...9_999).map { "command-\($0)" })
    }

    /// A session, then one pause or resumption for each of the client's instants, all in one transaction.
    private func append(_ instants: [Int64?], to ledger: Ledger) throws {
        let session = try ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        let requests = try instants.enumerated().map { index, instant in
            CommandRequest(
                session: session, command: index.isMultiple(of: 2) ? .suspend : .resume,
                commandID: try commandID("command-\(index + 1)"), occurredAtMilliseconds: instant, body: [])
        }
        try ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
            for request in requests {
                if case .failure(let refusal) = try context.perform(request) { return .failure(refusal) }
            }
            return .success(())
        }
    }

    private func stored(_ ledger: Ledger) throws -> [StoredEvent] {
        try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.events.events(after: 0, limit: 20_000) }
        }
    }
}
