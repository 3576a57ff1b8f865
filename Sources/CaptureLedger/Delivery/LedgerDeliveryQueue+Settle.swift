import Cryptography
package import DeliveryMachine
import EventStorage
import Outbox
package import SessionDomain
import Vault

extension LedgerDeliveryQueue {
    package func settle(_ endings: [ClaimEnding]) throws(DeliveryFault) -> Set<DeliveryID> {
        let (claims, clock) = (endings.map { claim(of: $0.claim) }, clock)
        let settled = try queued { () throws(LedgerError) in
            try ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<Settled, LedgerError> in
                let offset = try context.offset(of: clock)
                var settled = Settled()
                for (ending, claim) in zip(endings, claims) { try context.settle(ending, claim, offset: offset, &settled) }
                return .success(settled)
            }
        }
        // The events that say so are durable; after a crash before this line the next opening goes on here.
        try queued { () throws(LedgerError) in
            try ledger.destroy(settled.destructions)
            if settled.homeless.isEmpty { return }
            let keys = try ledger.keys
            try unlocked { () throws(VaultError) in for id in settled.homeless { _ = try keys.remove(.evidence, id) } }
        }
        for ending in endings { forget(ending.claim) }
        return settled.lost
    }
}

/// What a batch of settlements left to be done.
struct Settled: Sendable {
    /// Deliveries whose claim is another's by now.
    var lost: Set<DeliveryID> = []
    var destructions: [MediaDestruction] = []
    /// Answers that were archived while their session was erased: nothing names them.
    var homeless: [ObjectID] = []
}

extension WriteContext {
    /// One transaction: the work, the attempt, the outcome's events, the destination's changes.
    func settle(
        _ ending: ClaimEnding, _ held: LedgerDeliveryQueue.Claim?, offset: Int64, _ settled: inout Settled
    ) throws(LedgerError) {
        guard let held, try settle(ending.claim, ending.settlement.moved(by: offset), held, &settled) else {
            settled.lost.insert(ending.claim.id)
            return
        }
    }

    /// False when the claim is another's.
    private func settle(
        _ claim: ClaimedDelivery, _ asked: Settlement, _ held: LedgerDeliveryQueue.Claim, _ settled: inout Settled
    ) throws(LedgerError) -> Bool {
        let (number, holder) = (held.number, held.holder)
        var settlement = asked
        let work = try translated { () throws(StorageError) in try outbox.work(number) }
        guard let work, work.fence == claim.fence, work.holder == holder, let session = try session(claim.session) else {
            return false
        }
        if session.fold.state.isErased, let id = settlement.attempt?.evidence.flatMap({ UUID128($0.id) }) {
            settlement.attempt?.evidence = nil
            settled.homeless.append(ObjectID(id))
        }
        let (action, next, explanation) = Self.plan(settlement)
        var evidence: Digest256?
        if let attempt = settlement.attempt {
            let row = try translated { () throws(StorageError) in
                try outbox.append(
                    attempt,
                    OutboxWriter.AttemptContext(
                        deliveryNumber: number, delivery: claim.id, destination: claim.destination.text, fence: claim.fence,
                        action: action, nextAttemptAtMilliseconds: next))
            }
            evidence = Digest256(words: SHA256.digest(of: row))
        }
        if let outcome = settlement.outcome { try apply(outcome, claim, settlement, evidence) }
        if case .parked(let cause) = settlement.state { try park(claim, cause, settlement, evidence) }
        if settlement.destroysMedia {
            try recordDestruction(claim, session, settlement)
            settled.destructions.append(MediaDestruction(capture: claim.capture, session: claim.session))
        }
        let address = settlement.work.statusAddress
        let sealedAddress =
            session.fold.state.isErased
            ? nil
            : try address.map { (text) throws(LedgerError) in
                try sealNote(Array(text.utf8), session)
            }
        return try translated { () throws(StorageError) in
            for change in settlement.destinationChanges { try outbox.apply(change, to: claim.destination.text) }
            return try outbox.settle(
                number, fence: claim.fence, settlement.work, statusAddress: sealedAddress,
                nextAttemptAtMilliseconds: next ?? 0, explanation: explanation)
        }
    }

    private static func plan(_ settlement: Settlement) -> (action: String, next: Int64?, explanation: String?) {
        switch settlement.state {
        case .waiting(let until, let because): ("retry", until, because.rawValue)
        case .delivered: ("deliver", nil, nil)
        case .parked(let cause): ("park", nil, cause.rawValue)
        }
    }

    private func apply(
        _ outcome: DeliveryOutcome, _ claim: ClaimedDelivery, _ settlement: Settlement, _ evidence: Digest256?
    ) throws(LedgerError) {
        let answer: ApplyAnswer
        switch outcome {
        case .verified(let payload, let score, let drop):
            answer = ApplyAnswer(
                deliveryID: claim.id, piece: claim.piece, captureID: claim.capture, destination: claim.destination.text,
                outcome: .verified, score: score, drop: drop, evidence: evidence, attempts: settlement.work.attempts,
                secret: JSONValue.members([.init("payload", .string(String(decoding: payload, as: UTF8.self)))]).canonicalBytes)
        case .rejected(let reason, let staffReason, let score, let drop):
            var members: [JSONValue.Member] = [.init("reason", .string(reason))]
            if let staffReason { members.append(.init("staff_reason", .string(staffReason))) }
            answer = ApplyAnswer(
                deliveryID: claim.id, piece: claim.piece, captureID: claim.capture, destination: claim.destination.text,
                outcome: .rejected, score: score, drop: drop, evidence: evidence, attempts: settlement.work.attempts,
                secret: JSONValue.members(members).canonicalBytes)
        }
        try perform(.applyAnswer(answer), "answer", claim)
    }

    private func park(
        _ claim: ClaimedDelivery, _ cause: ParkCause, _ settlement: Settlement, _ evidence: Digest256?
    ) throws(LedgerError) {
        let parking = ParkDelivery(
            deliveryID: claim.id, piece: claim.piece, captureID: claim.capture, destination: claim.destination.text,
            cause: cause.rawValue, evidence: evidence, attempts: settlement.work.attempts)
        try perform(.parkDelivery(parking), "park", claim)
    }

    private func recordDestruction(
        _ claim: ClaimedDelivery, _ session: OpenSession, _ settlement: Settlement
    ) throws(LedgerError) {
        let purge = PurgeMedia(
            piece: claim.piece, captureID: claim.capture, cause: settlement.outcome == nil ? "delivery_ended" : "answered",
            bytes: claim.media.bytes, commitment: nil)
        try perform(.purgeMedia(purge), "purge", claim)
        try translated { () throws(StorageError) in
            try writer.insertMediaDestruction(claim.capture, session: session.row.number)
        }
    }

    /// A command of the worker's. What the domain refuses (the session was erased meanwhile, say) is not an error here: the attempt is
    /// on record, and there is nobody to tell.
    private func perform(_ command: SessionCommand, _ name: String, _ claim: ClaimedDelivery) throws(LedgerError) {
        guard let id = CommandID("\(name)-\(claim.id.text)-\(claim.fence)") else { return }
        let body = Ledger.body(name, [.init("delivery", .string(claim.id.text)), .init("fence", .integer(claim.fence))])
        _ = try perform(
            CommandRequest(session: claim.session, command: command, commandID: id, actor: "sync", body: body))
    }
}
