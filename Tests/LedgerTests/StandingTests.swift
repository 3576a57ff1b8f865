import EventStorage
import Outbox
import SQLite
import SessionDomain
import TestSupport
import Testing

@testable import CaptureLedger

/// What waits is counted in a few passes over indexes; here it is counted again delivery by delivery.
@Suite struct StandingTests {
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `what waits, what is held and what is open are what each delivery and each session says`(seed: UInt64) throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        var history = VariedHistory(ledger, seed: seed)
        try history.run(steps: 150)
        var random = SeededRandom(seed: seed)
        var videos: [SessionID] = []
        for _ in 0..<4 {
            let video = try temporary.start([.hologram]) { $0.checks = .off }
            _ = try ledger.startHologram(video, CommandOptions())
            _ = try temporary.capture(.hologram, "hologram.mp4", video, confirm: true)
            videos.append(video)
        }
        for session in history.sessions + videos {
            if random.one(in: 3) { _ = try? ledger.pauseDeliveries(of: session) }
            if random.one(in: 4) { _ = try? ledger.requestErasure(session, window: 3_600_000) }
        }
        try tried(ledger, every: 1 + seed % 3)

        let paused = Set(try ledger.sessionPauses().map(\.session))
        let erasing = Set(try ledger.erasureRequests().map(\.session))
        let waiting = try ledger.deliveries(limit: 100_000).filter { $0.status == .waiting }
        func isHeld(_ row: DeliveryRow) -> Bool {
            row.blocked != nil || paused.contains(row.session) || erasing.contains(row.session)
        }
        let standing: DeliveryStanding = try ledger.standing()
        for name in Set(waiting.map(\.destination)).union(standing.entries.map(\.destination)) {
            let (all, entry) = (waiting.filter { $0.destination == name }, standing.entries.first { $0.destination == name })
            let free = all.filter { !isHeld($0) }
            #expect(entry?.blocked == all.count - free.count)
            #expect(entry?.waiting?.count == (free.isEmpty ? nil : free.count))
            #expect(entry?.waiting?.oldest == free.first?.id)
            #expect(entry?.waiting?.oldestConfirmedAtMilliseconds == free.first?.confirmedAtMilliseconds)
            let bound = all.filter { $0.blocked == DeliveryFold.waitsForTransaction }
            #expect(entry?.withoutTransaction == bound.count && entry?.firstWithoutTransaction == bound.first?.number)
        }
        let backlog = try ledger.backlog()
        #expect(backlog.waiting == waiting.count)
        #expect(backlog.nextDueAtMilliseconds == waiting.filter { !isHeld($0) }.map { $0.nextAttemptAtMilliseconds ?? 0 }.min())
        let attention = try ledger.attention()
        let views = try (history.sessions + videos).map { try ledger.session($0).flow }.filter {
            $0.status == .active || $0.status == .suspended
        }
        #expect(attention.capturing == views.count { $0.phase == .capturing })
        #expect(attention.recaptures == views.count { $0.phase == .needsRecapture })
        #expect(attention.waitingForVerification == views.count { $0.phase == .waitingForVerification })
        #expect(attention.suspended == views.count { $0.status == .suspended })
        let lost = waiting.count { $0.blocked == DeliveryFold.waitsForTransaction }
        #expect(attention.needs.first { $0.kind == "transaction" }?.count == (lost == 0 ? nil : lost))
    }

    /// As after a claim that was given back: rows of work, with a time of their own; of every delivery, or of some.
    private func tried(_ ledger: Ledger, every step: UInt64) throws {
        _ = try ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
            try translated { () throws(StorageError) in
                try stored { () throws(SQLiteError) in
                    try context.connection.execute(
                        """
                        INSERT INTO delivery_work
                            (delivery_no, claims, attempts, fence, next_attempt_at_ms, contract_breaks, unclear)
                        SELECT delivery_no, 1, 0, 1, 9000 - delivery_no, 0, 0 FROM delivery WHERE delivery_no % \(step) = 0
                        ON CONFLICT DO NOTHING
                        """)
                }
            }
            return .success(())
        }
    }
}
