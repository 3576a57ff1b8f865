import DeliveryMachine
import Outbox
import SessionDomain
import Testing

@testable import CaptureLedger

/// Late and duplicate answers, and everything that can come between a claim and its settlement, in every order.
@Suite struct SettlingOrderTests {
    private enum Step: CaseIterable {
        /// The worker that lost the claim comes back with an answer.
        case lateWorker
        /// The worker that has the claim settles it.
        case worker
        /// And once more, as after a lost acknowledgement.
        case workerAgain
        case supersede, requeue, withdraw, erase, park
    }

    @Test(arguments: [
        [Step.lateWorker, .worker, .workerAgain, .supersede, .requeue],
        [.lateWorker, .worker, .supersede, .withdraw], [.lateWorker, .worker, .requeue, .erase],
        [.lateWorker, .park, .worker, .requeue], [.park, .supersede, .requeue, .withdraw],
    ])
    private func `F2 F3 F12 whatever comes in whatever order, one answer counts and nothing is undone`(steps: [Step]) throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        for order in permutations(steps) { try play(order, on: ledger) }
        let rows = try ["flow", "delivery"].map { try dump(ledger, $0) }
        _ = try ledger.rebuild()
        #expect(try ["flow", "delivery"].map { try dump(ledger, $0) } == rows)
        let erased = try ledger.sessions(status: "erased", limit: 1_000).map(\.session.text)
        ledger.closeAndWait()
        try Oracle.findsNothingWrong(temporary.path, erased: erased)
    }

    private func play(_ order: [Step], on ledger: Ledger) throws {
        var start = StartRequest(configuration: configuration([.selfie]))
        start.configuration.autoConfirm = true
        let session = try ledger.start(start).session
        try capture(session, ledger)
        let delivery = try #require(try ledger.deliveries(of: session).first)
        let now = ledger.clock.nowMilliseconds()
        let (first, second) = (LedgerDeliveryQueue(ledger), LedgerDeliveryQueue(ledger))
        let lost = try #require(try first.claim([Self.all], nowMilliseconds: now).first { $0.id == delivery.id })
        first.close()
        let claim = try #require(try second.claim([Self.all], nowMilliseconds: now).first { $0.id == delivery.id })

        var settled = false
        for step in order {
            switch step {
            case .lateWorker: #expect(try first.settle([ending(lost, verified: false)]) == [lost.id])
            case .worker, .workerAgain, .park:
                let ending =
                    step == .park
                    ? ClaimEnding(
                        claim: claim,
                        settlement: Settlement(work: claim.work, state: .parked(.failedPermanently), attempt: nil))
                    : ending(claim, verified: step == .worker)
                #expect(try second.settle([ending]).isEmpty == !settled)
                settled = true
            case .supersede: try? capture(session, ledger)
            case .requeue: _ = try? ledger.requeue(delivery, CommandOptions())
            case .withdraw: _ = try? ledger.cancel(session, CommandOptions())
            case .erase: _ = try ledger.erase(session)
            }
        }
        second.close()
        let attempts = try ledger.attempts(of: delivery)
        #expect(attempts.count <= 1 && attempts.allSatisfy { $0.fence == claim.fence }, "\(order)")
        let types = try ledger.timeline(session).map(\.type)
        #expect(types.count { $0 == "session_completed" } <= 1, "\(order)")
        #expect(types.count { $0 == "piece_verified" || $0 == "piece_rejected" } <= 1, "\(order)")
        let after = try #require(try ledger.deliveries(of: session).first)
        #expect(after.claims == 0 || !settled, "\(order)")
        if order.contains(.erase) { #expect(after.status != .waiting, "\(order)") }
    }

    private func capture(_ session: SessionID, _ ledger: Ledger) throws {
        _ = try ledger.capture(
            CaptureRequest(session: session, piece: .selfie, path: fixture("jpeg/tiny-baseline.jpg"), source: .camera))
    }

    private static let all = ClaimQuota(destination: DestinationName("verifier"), limit: 1_000)

    private func ending(_ claim: ClaimedDelivery, verified: Bool) -> ClaimEnding {
        var work = claim.work
        work.attempts += 1
        let attempt = AttemptRecord(
            kind: .send, startedAtMilliseconds: 1, finishedAtMilliseconds: 2, certainty: .answered, curlCode: 0, status: 200,
            bytesSent: 1, bytesReceived: 1, explanation: .answered, tableVersion: 1)
        let outcome: DeliveryOutcome =
            verified
            ? .verified(payload: Array("{}".utf8), score: nil, drop: [])
            : .rejected(reason: "dark", staffReason: nil, score: nil, drop: [])
        return ClaimEnding(
            claim: claim, settlement: Settlement(work: work, state: .delivered, attempt: attempt, outcome: outcome))
    }
}
