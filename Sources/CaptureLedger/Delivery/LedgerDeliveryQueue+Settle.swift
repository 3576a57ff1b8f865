import Cryptography
package import DeliveryMachine
import EventStorage
import Outbox
package import SessionDomain
import Vault

extension LedgerDeliveryQueue {
    package func settle(_ endings: [ClaimEnding]) throws(DeliveryFault) -> Set<DeliveryID> {
        let (claims, clock) = (endings.map { claim(of: $0.claim) }, clock)
        let lost = try queued { () throws(LedgerError) in
            try ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<Set<DeliveryID>, LedgerError> in
                let offset = try context.offset(of: clock)
                var lost: Set<DeliveryID> = []
                for (ending, claim) in zip(endings, claims)
                where !(try context.settle(ending, claim, offset: offset)) {
                    lost.insert(ending.claim.id)
                }
                return .success(lost)
            }
        }
        for ending in endings {
            if !lost.contains(ending.claim.id), ending.settlement.destroysMedia {
                // The event that says so is durable; a crash before this line leaves the file to `doctor --fix`.
                try queued { () throws(LedgerError) in
                    try ledger.removeMedia(of: ending.claim.capture, in: ending.claim.session)
                }
            }
            forget(ending.claim)
        }
        return lost
    }
}

extension WriteContext {
    /// One transaction: the work, the attempt, the outcome's events, the destination's changes. False when the claim is another's.
    func settle(
        _ ending: ClaimEnding, _ held: LedgerDeliveryQueue.Claim?, offset: Int64
    ) throws(LedgerError) -> Bool {
        guard let held else { return false }
        let (claim, settlement, number, holder) = (ending.claim, ending.settlement.moved(by: offset), held.number, held.holder)
        let work = try translated { () throws(StorageError) in try outbox.work(number) }
        guard let work, work.fence == claim.fence, work.holder == holder, let session = try session(claim.session) else {
            return false
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
        if settlement.destroysMedia { try recordDestruction(claim, session, settlement) }
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
