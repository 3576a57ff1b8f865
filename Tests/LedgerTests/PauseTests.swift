import DeliveryMachine
import EventStorage
import Outbox
import SessionDomain
import Testing

@testable import CaptureLedger

/// What a person stops, starts and sends again.
@Suite struct PauseTests {
    private static let verifier = ClaimQuota(destination: DestinationName("verifier"), limit: 99)

    @Test func `a session's deliveries wait while a person has paused them, and nobody else's do`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let sessions = try (0..<3).map { _ in try confirm(ledger) }
        var options = CommandOptions()
        options.commandID = try commandID("pause-1")
        options.actor = "ops"
        let receipt = try ledger.pauseDeliveries(of: sessions[1], options)
        #expect(receipt.positions.count == 1 && !receipt.isRepeat)
        // the same command, and the same wish again: one event
        #expect(try ledger.pauseDeliveries(of: sessions[1], options).positions == receipt.positions)
        #expect(try ledger.pauseDeliveries(of: sessions[1]).positions.isEmpty)
        #expect(throws: LedgerError.self) { try ledger.pauseDeliveries(of: sessions[0], options) }
        #expect(try ledger.sessionPauses().map(\.session) == [sessions[1]])
        let queue = LedgerDeliveryQueue(ledger)
        let now = ledger.clock.nowMilliseconds()
        #expect(try queue.claim([Self.verifier], nowMilliseconds: now).map(\.session) == [sessions[0], sessions[2]])
        #expect(try ledger.backlog().waiting == 3)
        #expect(try ledger.resumeDeliveries(of: sessions[1]).positions.count == 1)
        #expect(try ledger.resumeDeliveries(of: sessions[1]).positions.isEmpty)
        #expect(try queue.claim([Self.verifier], nowMilliseconds: now).map(\.session) == [sessions[1]])
        let types = try ledger.events(after: 0).map(\.type)
        #expect(types.filter { $0.contains("deliveries") } == ["session_deliveries_paused", "session_deliveries_resumed"])
        let paused = try #require(try stored(ledger).first { $0.encoded.type == 110 })
        #expect(paused.actor == "ops" && paused.commandID == "pause-1" && paused.encoded.reason == "by_operator")
        ledger.closeAndWait()
        try Oracle.findsNothingWrong(temporary.path)
    }

    @Test func `a person's pause and resumption of a destination are on record once each, the machine's never`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let queue = LedgerDeliveryQueue(ledger)
        let machine = DestinationPause(reason: .unauthorized, sinceMilliseconds: 1, probeAtMilliseconds: nil)
        try queue.apply([.pause(machine), .breaker(Breaker(untilMilliseconds: 9, openings: 2))], to: Self.verifier.destination)
        #expect(try ledger.lastPosition() == 0)
        for _ in 0..<2 { try ledger.pause(destination: "verifier") }
        for _ in 0..<2 { try ledger.resume(destination: "verifier") }
        #expect(try ledger.events(after: 0).map(\.type) == ["destination_paused", "destination_resumed"])
        #expect(try queue.state(of: Self.verifier.destination) == DestinationState())
        try queue.apply([.pause(machine), .resume], to: Self.verifier.destination)
        #expect(try ledger.lastPosition() == 2)
        ledger.closeAndWait()
        try Oracle.findsNothingWrong(temporary.path)
    }

    @Test func `F18 parked deliveries are found by filter and requeued with one event each, once a command`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let sessions = try (0..<8).map { _ in try confirm(ledger) }
        let queue = LedgerDeliveryQueue(ledger)
        let now = ledger.clock.nowMilliseconds()
        let claims = try queue.claim([Self.verifier], nowMilliseconds: now)
        for (index, claim) in claims.enumerated() {
            var work = claim.work
            work.attempts = 25
            work.isUnclear = true
            let cause: ParkCause = index < 5 ? .failedPermanently : .refusedByEndpoint
            _ = try queue.settle([
                ClaimEnding(claim: claim, settlement: Settlement(work: work, state: .parked(cause), attempt: nil))
            ])
        }
        var filter = DeliveryFilter()
        filter.status = .parked
        #expect(try ledger.deliveries(filter).count == 8)
        filter.cause = "failed_permanently"
        #expect(try ledger.deliveries(filter).map(\.session) == Array(sessions[..<5]))
        filter.session = sessions[2]
        #expect(try ledger.deliveries(filter).map(\.session) == [sessions[2]])
        filter.session = SessionID(Identifiers.fresh(atMilliseconds: 1))
        #expect(try ledger.deliveries(filter).isEmpty)
        filter.session = nil
        for (change, count) in [
            ({ $0.destination = "hologram" }, 0), ({ $0.piece = .passportBack }, 0), ({ $0.piece = .selfie }, 5),
            ({ $0.sinceMilliseconds = .max }, 0), ({ $0.sinceMilliseconds = 0 }, 5), ({ $0.limit = 2 }, 2),
        ] as [((inout DeliveryFilter) -> Void, Int)] {
            var narrow = filter
            change(&narrow)
            #expect(try ledger.deliveries(narrow).count == count)
        }

        try ledger.pause(destination: "verifier")
        var options = CommandOptions()
        options.commandID = try commandID("again")
        filter.limit = 3
        let before = try ledger.lastPosition()
        let first = try ledger.requeue(filter, options)
        #expect(first.count(.requeued) == 3 && first.cursor != nil)
        filter.cursor = try #require(first.cursor)
        let second = try ledger.requeue(filter, options)
        #expect(second.count(.requeued) == 2 && second.cursor == nil)
        let types = try ledger.events(after: before).map(\.type)
        #expect(types == [String](repeating: "piece_delivery_requeued", count: 5))
        // the first page once more, by the same command: nothing parked is left of it, and what waits is not touched
        filter.cursor = 0
        filter.limit = 100
        #expect(try ledger.requeue(filter, options).done.isEmpty)
        filter.status = .waiting
        filter.cause = nil
        #expect(try ledger.requeue(filter, options).count(.repeated) == 5)
        #expect(try ledger.lastPosition() == before + 5)
        // fresh counters; what is known about lost answers stays, and so does the pause
        #expect(try ledger.pauses().map(\.destination) == ["verifier"])
        let again = try queue.claim([Self.verifier], nowMilliseconds: ledger.clock.nowMilliseconds())
        #expect(again.count == 5 && again.allSatisfy { $0.work.attempts == 0 && $0.work.isUnclear && $0.claims == 1 })
        ledger.closeAndWait()
        try Oracle.findsNothingWrong(temporary.path)
    }

    @Test func `S67 who asks for a waiting delivery again has it sent now, and is told so`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        _ = try confirm(ledger)
        let queue = LedgerDeliveryQueue(ledger)
        let now = ledger.clock.nowMilliseconds()
        let claim = try #require(try queue.claim([Self.verifier], nowMilliseconds: now).first)
        let row = { try #require(try ledger.deliveries().first) }
        #expect(try ledger.requeueing(row(), CommandOptions()).effect == .underWay)
        var work = claim.work
        work.attempts = 7
        work.firstSentAtMilliseconds = now
        let waiting = Settlement(
            work: work, state: .waiting(untilMilliseconds: now + 3_600_000, because: .endpointFailed), attempt: nil)
        _ = try queue.settle([ClaimEnding(claim: claim, settlement: waiting)])
        #expect(try queue.claim([Self.verifier], nowMilliseconds: now).isEmpty)
        #expect(try ledger.requeueing(row(), CommandOptions()).effect == .dueNow)
        let later = ledger.clock.nowMilliseconds()
        let again = try #require(try queue.claim([Self.verifier], nowMilliseconds: later).first)
        // sent sooner, and as old as it was
        #expect(again.work.attempts == 7 && again.work.firstSentAtMilliseconds == now)
    }

    private func confirm(_ ledger: Ledger) throws -> SessionID {
        var request = StartRequest(configuration: configuration([.selfie]))
        request.configuration.autoConfirm = true
        let session = try ledger.start(request).session
        _ = try ledger.capture(
            CaptureRequest(session: session, piece: .selfie, path: fixture("jpeg/tiny-baseline.jpg"), source: .camera))
        return session
    }

    private func stored(_ ledger: Ledger) throws -> [StoredEvent] {
        try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.events.events(after: 0, limit: 1_000) }
        }
    }
}
