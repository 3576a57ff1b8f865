import DeliveryMachine
import EventStorage
import Outbox
import SessionDomain
import Synchronization
import Testing

@testable import CaptureLedger

/// What a shift leaves behind, by the store's clock.
@Suite struct HandoverTests {
    @Test func `a handover begins exactly at its time, and names what failed and what was given up`() throws {
        let now = Mutex<Int64>(1_790_000_000_000)
        let answers = Mutex<[ScriptedJudge.Answer]>([.failed(.glare), .passed])
        let judge = ScriptedJudge({ _ in answers.withLock { $0.isEmpty ? .passed : $0.removeFirst() } })
        let temporary = try TemporaryLedger(clock: LedgerClock(nowMilliseconds: { now.withLock { $0 } }), judge: judge)
        let ledger = temporary.ledger
        // before the shift
        let early = try temporary.start([.selfie])
        _ = try ledger.cancel(early, CommandOptions())
        now.withLock { $0 += 60_000 }
        let begin = now.withLock { $0 }
        let session = try temporary.start([.selfie, .passportFront])
        _ = try temporary.capture(.selfie, "selfie.jpg", session, source: .file, confirm: true)
        _ = try temporary.capture(.selfie, "selfie-orientation-8.jpg", session, source: .file, confirm: true)
        let row = try #require(try ledger.deliveries(of: session).first)
        let parking = ParkDelivery(
            deliveryID: row.id, piece: .selfie, captureID: row.capture, destination: row.destination,
            cause: "failed_permanently", evidence: nil, attempts: 25)
        _ = try ledger.perform(.parkDelivery(parking), "park", [], session, CommandOptions())

        let told = try ledger.handover(since: begin)
        #expect(told.count("session_started") == 1 && told.count("session_cancelled") == 0)
        #expect(told.failedChecks == ["glare": 1] && told.parked == ["failed_permanently": 1])
        #expect(told.count("piece_captured") == 2 && told.verified.isEmpty && told.rejected.isEmpty)
        #expect(try ledger.handover(since: begin + 1).events.isEmpty)
        #expect(try ledger.handover(since: 0).count("session_started") == 2)
        #expect(try ledger.handover(since: 0).count("session_cancelled") == 1)

        let needs = try ledger.attention().needs
        #expect(needs.map(\.kind) == ["parked"])
        #expect(needs.first?.situation.who == .operator && needs.first?.count == 1)
        #expect(needs.first?.situation.commands.last == "sync requeue --cause failed_permanently")
    }

    @Test func `a session that needs a recapture, or waits for checks or a transaction, is somebody's to do`() throws {
        let temporary = try TemporaryLedger(judge: ScriptedJudge())
        let ledger = temporary.ledger
        let rejected = try temporary.start([.selfie]) { $0.checks = .off }
        _ = try temporary.capture(.selfie, "selfie.jpg", rejected, confirm: true)
        let row = try #require(try ledger.deliveries(of: rejected).first)
        let answer = ApplyAnswer(
            deliveryID: row.id, piece: .selfie, captureID: row.capture, destination: row.destination, outcome: .rejected,
            score: nil, drop: [], evidence: nil, attempts: 1, secret: nil)
        _ = try ledger.perform(.applyAnswer(answer), "answer", [], rejected, CommandOptions())
        let deferred = try temporary.start([.passportFront]) { $0.checks = .deferred }
        _ = try temporary.capture(.passportFront, "passport-front.jpg", deferred, confirm: true)
        let video = try temporary.start([.hologram]) { $0.checks = .off }
        _ = try ledger.startHologram(video, CommandOptions())
        _ = try temporary.capture(.hologram, "hologram.mp4", video, confirm: true)
        let standing = try ledger.attention()
        #expect(standing.recaptures == 1 && standing.unchecked == 1)
        let kinds = Dictionary(uniqueKeysWithValues: standing.needs.map { ($0.kind, $0.situation) })
        #expect(kinds["recapture"]?.who == .user && kinds["recapture"]?.commands == ["session list --needs recapture"])
        #expect(kinds["checks"]?.who == .operator && kinds["checks"]?.commands == ["check --pending"])
        #expect(kinds["transaction"]?.who == .host)
        #expect(kinds["transaction"]?.commands == ["hologram bind \(video.text) --transaction-id T"])
    }

    @Test func `S25 a reminder is due at its minute by the store's clock, and the latest wish counts`() throws {
        let now = Mutex<Int64>(1_790_000_000_000)
        let temporary = try TemporaryLedger(clock: LedgerClock(nowMilliseconds: { now.withLock { $0 } }))
        let ledger = temporary.ledger
        func due() throws -> [SessionID] { try ledger.remindersDue(by: now.withLock { $0 }).map(\.session) }
        func ask(_ session: SessionID, _ piece: Piece?, at time: Int64?) throws {
            _ = try ledger.record(
                .reminderRequested, piece: piece, remindAtMilliseconds: time, in: session, CommandOptions())
        }
        let first = try temporary.start([.selfie, .passportFront]) { $0.checks = .off }
        let second = try temporary.start([.selfie]) { $0.checks = .off }
        try ask(first, .selfie, at: 1_790_000_060_000)
        try ask(second, .selfie, at: nil)
        #expect(try due() == [second])
        now.withLock { $0 = 1_790_000_059_999 }
        #expect(try due() == [second])
        now.withLock { $0 = 1_790_000_060_000 }
        #expect(try due() == [second, first])
        // a later wish replaces it
        try ask(first, .selfie, at: 1_790_000_120_000)
        #expect(try due() == [second])
        now.withLock { $0 = 1_790_000_120_000 }
        #expect(try due() == [second, first])
        _ = try ledger.suspend(first, CommandOptions())
        #expect(try due() == [second, first])
        _ = try ledger.exit(second, CommandOptions())
        #expect(try due() == [first])
        _ = try ledger.resume(first, CommandOptions())
        _ = try temporary.capture(.selfie, "selfie.jpg", first)
        #expect(try due() == [])
    }
}
