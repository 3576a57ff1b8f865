import DeliveryMachine
import SessionDomain
import TestSupport
import Testing

@testable import CaptureLedger

/// The worker's side, with a scripted endpoint in place of a network.
final class RandomDeliveries {
    let ledger: Ledger
    let queue: LedgerDeliveryQueue

    init(_ ledger: Ledger) {
        self.ledger = ledger
        queue = LedgerDeliveryQueue(ledger)
    }
}

extension RandomLedger {
    /// Claims a few deliveries, does something else meanwhile, and settles them in one way or another, or not at all.
    func deliver() throws {
        if deliveries == nil || random.one(in: 6) {
            deliveries = nil
            deliveries = RandomDeliveries(ledger)
        }
        let deliveries = try #require(deliveries)
        let quotas = ["verifier", "hologram"].map { name in
            ClaimQuota(destination: DestinationName(name), limit: Int.random(in: 1...3, using: &random))
        }
        let claims = try deliveries.queue.claim(quotas, nowMilliseconds: clock.now, fixing: Self.body)
        for claim in claims {
            #expect(!model.erased.contains(claim.session))
            #expect(model.media[claim.capture]?.sha256 == claim.media.sha256)
        }
        for claim in claims {
            if random.one(in: 6) { try command() }
            if random.one(in: 12) { try capture() }
            if random.one(in: 40) { try erase() }
            try work(on: claim, deliveries.queue)
        }
    }

    private func work(on claim: ClaimedDelivery, _ queue: LedgerDeliveryQueue) throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return  // the worker dies
        case 1: try queue.release([claim])
        default:
            let isErased = model.erased.contains(claim.session)
            do throws(DeliveryFault) {
                #expect(claim.frozen == Self.body(claim))
                let kept = EvidenceArchive(ledger).archive([EndedClaim(claim: claim, result: answer(claim))])
                guard let evidence = try kept.first?.get() else {
                    throw DeliveryFault(.evidenceUnavailable, message: "No answer was kept.", remedy: "")
                }
                let settlement = settlement(claim, evidence)
                #expect(try queue.settle([ClaimEnding(claim: claim, settlement: settlement)]).isEmpty || isErased)
                if settlement.destroysMedia { model.purged.insert(claim.capture) }
                done["settled", default: 0] += 1
            } catch {
                // Nothing more can be kept of a person who was erased meanwhile; anything else is a fault.
                guard isErased else { throw error }
                done["settled too late", default: 0] += 1
            }
        }
    }

    private static func body(_ claim: ClaimedDelivery) -> FrozenBody {
        FrozenBody(
            contentType: "multipart/form-data", head: Array("head of \(claim.id.text)".utf8), mediaForm: .raw,
            mediaBytes: claim.media.bytes, mediaSHA256: claim.media.sha256, tail: [])
    }

    private func answer(_ claim: ClaimedDelivery) -> TransferResult {
        TransferResult(
            token: claim.id, curlCode: 0, status: 200, headers: [Header("content-type", "application/json")],
            body: Array("{\"n\":\(random.next() % 1_000)}".utf8), bytesSent: claim.media.bytes,
            startedAtMilliseconds: clock.now, finishedAtMilliseconds: clock.now)
    }

    private func settlement(_ claim: ClaimedDelivery, _ evidence: EvidenceReference) -> Settlement {
        var work = claim.work
        work.attempts += 1
        work.firstSentAtMilliseconds = work.firstSentAtMilliseconds ?? clock.now
        let attempt = AttemptRecord(
            kind: .send, startedAtMilliseconds: clock.now, finishedAtMilliseconds: clock.now, certainty: .answered, curlCode: 0,
            status: 200, bytesSent: claim.media.bytes, bytesReceived: 10, explanation: .answered,
            tableVersion: ClassificationTable.version, evidence: evidence)
        var settlement = Settlement(work: work, state: .delivered, attempt: attempt)
        let drop: [Piece] = random.one(in: 5) ? [pick(Piece.allCases)] : []
        let score = claim.piece == .hologram ? Double.random(in: 0...1, using: &random) : nil
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<5: settlement.outcome = .verified(payload: Array(#"{"ok":true}"#.utf8), score: score, drop: drop)
        case 5..<8:
            settlement.outcome = .rejected(reason: "too dark", staffReason: "no light", score: score, drop: drop)
        case 8: settlement.state = .parked(pick([.failedPermanently, .refusedByEndpoint, .mediaExpired]))
        case 9:
            settlement.work.statusAddress = "http://127.0.0.1:9/\(claim.id.text)"
            settlement.state = .waiting(untilMilliseconds: clock.now + 500, because: .accepted)
        default:
            settlement.work.isUnclear = true
            settlement.state = .waiting(untilMilliseconds: clock.now + 2_000, because: .endpointFailed)
        }
        settlement.destroysMedia = claim.piece == .hologram && settlement.outcome != nil
        settlement.destinationChanges =
            settlement.outcome == nil ? [.failuresInARow(1)] : [.lastDeliveredAt(milliseconds: clock.now)]
        return settlement
    }
}
