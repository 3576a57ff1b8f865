import EventCoding
import EventStorage
import SessionDomain
import TestSupport
import Testing

@testable import CaptureLedger

@Suite struct AsOfTests {
    @Test func `as of every version, position and time a session is what its prefix folds to`() throws {
        for seed in SeededRandom.seeds(for: "as of") {
            let temporary = try TemporaryLedger()
            var history = VariedHistory(temporary.ledger, seed: seed)
            try history.run(steps: 90)
            let last = try temporary.ledger.lastPosition()
            for session in history.sessions {
                let events = try stored(session, in: temporary.ledger)
                for (index, event) in events.enumerated() {
                    let expected = try view(of: events[...index], in: temporary.ledger)
                    let byVersion = try temporary.ledger.session(session, asOf: .version(event.version))
                    #expect(byVersion.flow == expected, "seed \(seed), version \(event.version)")
                    #expect(byVersion.lastPosition == event.position && byVersion.newestVersion == Int64(events.count))
                    // up to the position before the session's next event it stands like this
                    let until = index + 1 < events.count ? events[index + 1].position - 1 : last
                    for position in [event.position, until] {
                        #expect(try temporary.ledger.session(session, asOf: .position(position)).flow == expected)
                    }
                    let sameTime = events.prefix { $0.recordedAtMilliseconds <= event.recordedAtMilliseconds }
                    let byTime = try temporary.ledger.session(
                        session, asOf: .time(milliseconds: event.recordedAtMilliseconds))
                    #expect(try byTime.flow == view(of: sameTime, in: temporary.ledger))
                }
            }
        }
    }

    @Test func `a moment before the session began or beyond the log is an error that says what there is`() throws {
        let now = TurnedTime(1_800_000_000_000)
        let temporary = try TemporaryLedger(clock: LedgerClock { now.value })
        let ledger = temporary.ledger
        _ = try ledger.start(StartRequest(configuration: configuration([.selfie])))
        now.value += 5_000
        let session = try ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        for (moment, code, part) in [
            (AsOf.version(2), "no_such_version", "version 1"), (.position(3), "no_such_position", "position 2"),
            (.position(1), "not_begun", "2027-01-15T08:00:05.000Z"),
            (.time(milliseconds: now.value - 1), "not_begun", "position 2"),
        ] {
            #expect {
                _ = try ledger.session(session, asOf: moment)
            } throws: {
                ($0 as? LedgerError)?.code.rawValue == code && ($0 as? LedgerError)?.message.contains(part) == true
            }
        }
        #expect(try ledger.session(session, asOf: .time(milliseconds: .max)).flow.version == 1)
        #expect {
            _ = try ledger.session(SessionID(Identifiers.fresh(atMilliseconds: 1)), asOf: .position(1))
        } throws: {
            ($0 as? LedgerError)?.code.rawValue == "no_such_session"
        }
    }

    @Test func `a moment is read with its zone or not at all`() {
        for (text, milliseconds) in [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-30T06:05:59Z", 1_796_018_759_000),
            ("2026-11-30 06:05:59.123 UTC", 1_796_018_759_123), ("2026-11-30T09:05:59+03:00", 1_796_018_759_000),
            ("2026-11-30T00:35-0530", 1_796_018_700_000), ("2024-02-29T23:59:60Z", 1_709_251_200_000),
            ("1969-12-31T23:59:59.999999999Z", -1), ("2026-11-30t06:05:59,5z", 1_796_018_759_500),
        ] as [(String, Int64)] {
            #expect(TimeText.milliseconds(text) == milliseconds, "\(text)")
        }
        for text in [
            "", "2026", "2026-11-30", "2026-11-30T06:05:59", "2026-02-29T00:00:00Z", "2026-13-01T00:00Z", "2026-11-31T00:00Z",
            "2026-11-30T24:00Z", "2026-11-30T06:05:59Zx", "2026-11-30T06:60Z", "26-11-30T06:05:59Z", "2026-11-30T06:05:59.Z",
            "2026-11-30T06:05:59+3", "１２３４-11-30T06:05:59Z",
        ] {
            #expect(TimeText.milliseconds(text) == nil, "\(text)")
        }
        #expect(TimeText.lacksZone("2026-11-30T06:05:59") && !TimeText.lacksZone("2026-11-30T06:05:59Z"))
        var random = SeededRandom(seed: SeededRandom.seed(for: "moments"))
        for _ in 0..<2_000 {
            let moment = Int64.random(in: -62_135_596_800_000...253_402_300_799_999, using: &random)
            #expect(TimeText.milliseconds(TimeText.text(moment)) == moment)
        }
    }

    /// The prefix folded by the domain alone.
    private func view(of events: ArraySlice<StoredEvent>, in ledger: Ledger) throws -> FlowView? {
        var state = SessionState.initial
        for event in events {
            let decoded = try EventCoder.decode(event.encoded) { digest in
                try? ledger.read { (context) throws(LedgerError) in
                    try translated { () throws(StorageError) in try context.events.configuration(digest) }
                } ?? nil
            }
            state.apply(try #require(decoded))
        }
        return FlowView(state)
    }

    private func stored(_ session: SessionID, in ledger: Ledger) throws -> [StoredEvent] {
        try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                guard let row = try context.events.session(session) else { return [] }
                return try context.events.events(ofSession: row.number)
            }
        }
    }
}

/// A wall clock that a test sets.
final class TurnedTime: @unchecked Sendable {
    var value: Int64
    init(_ value: Int64) { self.value = value }
}
