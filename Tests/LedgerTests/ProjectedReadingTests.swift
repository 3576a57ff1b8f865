import EventStorage
import Outbox
import SessionDomain
import TestSupport
import Testing

@testable import Benchmarks
@testable import CaptureLedger
@testable import Projections

/// Projections read a part of every event, without what nothing in a row depends on. The rows must be those of the whole events.
@Suite struct ProjectedReadingTests {
    private struct Derived: Equatable {
        var flows: [FlowRow?] = []
        var deliveries: [[DeliveryFold.Row]] = []
        var facts: [SessionFacts] = []
    }

    @Test func `S91 S95 what projections read of events leads to the rows that whole events lead to`() throws {
        let seed = SeededRandom.seed(for: "projected reading")
        let made = try TemporaryLedger()
        try MadeHistory(made.ledger, seed: seed).make(sessions: 150)
        try compare(made.ledger)
        let varied = try TemporaryLedger()
        var history = VariedHistory(varied.ledger, seed: seed)
        try history.run(steps: 150)
        try compare(varied.ledger)
    }

    private func compare(_ ledger: Ledger) throws {
        let (whole, read) = try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                var (whole, read) = (Derived(), Derived())
                let last = try context.events.lastPosition()
                let sessions = try context.events.lastSessionNumber()
                try SessionProjector(context).project(sessionsAbove: 0, through: sessions, at: last) {
                    (session) throws(StorageError) in
                    read.flows.append(FlowRow(&session.fold, sessionNumber: session.number, jumps: 0))
                    read.deliveries.append(session.deliveries.rows)
                    read.facts.append(session.facts)
                }
                for row in try context.events.sessions(after: 0, limit: Int(sessions)) {
                    var (fold, deliveries, facts) = (SessionFold(), DeliveryFold(), SessionFacts())
                    try context.events.forEachEvent(ofSession: row.number) { (stored) throws(StorageError) in
                        let event = try context.configurations.decode(stored.encoded)
                        let (position, time) = (stored.position, stored.recordedAtMilliseconds)
                        fold.apply(event, position: position, recordedAtMilliseconds: time)
                        guard let event else {
                            facts.applyUnknown(position: position, recordedAtMilliseconds: time)
                            return true
                        }
                        facts.apply(event, position: position, recordedAtMilliseconds: time, state: &fold.state)
                        deliveries.apply(event, position: position, state: &fold.state)
                        return true
                    }
                    facts.conclude(&fold.state)
                    whole.flows.append(FlowRow(&fold, sessionNumber: row.number, jumps: 0))
                    whole.deliveries.append(deliveries.rows)
                    whole.facts.append(facts)
                }
                return (whole, read)
            }
        }
        #expect(read.flows == whole.flows)
        #expect(read.deliveries == whole.deliveries)
        // findings name a region and a model that no row shows
        #expect(read.facts.map(Self.shown) == whole.facts.map(Self.shown))
        #expect(whole.flows.count > 10 && whole.facts.contains { !$0.captures.isEmpty })
    }

    private static func shown(_ facts: SessionFacts) -> SessionFacts {
        var facts = facts
        facts.findings = facts.findings.map { row in
            var finding = row.finding
            (finding.region, finding.model) = (nil, nil)
            return SessionFacts.FindingRow(
                position: row.position, number: row.number, capturePosition: row.capturePosition, piece: row.piece,
                finding: finding, policyVersion: row.policyVersion)
        }
        return facts
    }
}
