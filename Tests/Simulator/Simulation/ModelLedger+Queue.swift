package import DeliveryMachine
package import SessionDomain

/// The promises of `DeliveryQueue`, for workers that are named by the lock they hold.
extension ModelLedger {
    package func claim(
        _ quotas: [ClaimQuota], holder: Int, now: Int64, fixing: (ClaimedDelivery) -> FrozenBody? = { _ in nil }
    ) -> [ClaimedDelivery] {
        // at once and never by time: a slow worker that lives keeps its own
        for number in deliveries.indices {
            if let other = deliveries[number].holder, other != holder, !isHolderAlive(other) { deliveries[number].holder = nil }
        }
        var claims: [ClaimedDelivery] = []
        for quota in quotas {
            var left = quota.limit
            if let total = quota.total {
                left = min(left, total - deliveries.count { $0.holder != nil && $0.destination == quota.destination })
            }
            for number in open where left > 0 && isReady(number, quota, now) {
                deliveries[number].claims += 1
                deliveries[number].fence += 1
                deliveries[number].holder = holder
                if deliveries[number].frozen == nil { deliveries[number].frozen = fixing(describe(number)) }
                claims.append(describe(number))
                left -= 1
            }
        }
        return claims
    }

    private func isReady(_ number: Int, _ quota: ClaimQuota, _ now: Int64) -> Bool {
        let delivery = deliveries[number]
        guard delivery.destination == quota.destination, !delivery.isBlocked else { return false }
        guard delivery.nextAttemptAt <= now || delivery.nextAttemptAt - now > quota.longestWaitMilliseconds else {
            return false
        }
        if delivery.holder != nil { return false }
        guard delivery.isStrict else { return true }
        return !sessions[delivery.session].deliveries.contains {
            deliveries[$0].status == .waiting && deliveries[$0].ordinal < delivery.ordinal
        }
    }

    private func describe(_ number: Int) -> ClaimedDelivery {
        let delivery = deliveries[number]
        let session = sessions[delivery.session]
        var hologram: HologramFacts?
        if delivery.piece == .hologram, let transaction = session.transactionID,
            let configuration = session.state.configuration?.value, let card = configuration.hologramCardType
        {
            hologram = HologramFacts(
                rotate: delivery.rotation, cardType: card.rawValue, transactionID: transaction,
                passMark: configuration.hologramPassMark)
        }
        return ClaimedDelivery(
            id: delivery.id, destination: delivery.destination, session: session.id, piece: delivery.piece,
            capture: delivery.capture, captureAttempt: delivery.captureAttempt, source: delivery.source, media: delivery.media,
            hologram: hologram, fence: delivery.fence, claims: delivery.claims, work: delivery.work, frozen: delivery.frozen)
    }

    package func settle(_ endings: [ClaimEnding], now: Int64) -> Set<DeliveryID> {
        var lost: Set<DeliveryID> = []
        for ending in endings where !settle(ending.claim, ending.settlement, now) { lost.insert(ending.claim.id) }
        return lost
    }

    private func settle(_ claim: ClaimedDelivery, _ settlement: Settlement, _ now: Int64) -> Bool {
        guard let number = held(claim) else { return false }
        let session = deliveries[number].session
        // what the domain refuses is no error: the attempt is on record, and there is nobody to tell
        if let outcome = settlement.outcome {
            deliveries[number].outcomes += 1
            _ = try? perform(.applyAnswer(answer(outcome, claim, settlement)), in: session, now: now)
        }
        if case .parked(let cause) = settlement.state {
            let parking = ParkDelivery(
                deliveryID: claim.id, piece: claim.piece, captureID: claim.capture, destination: claim.destination.text,
                cause: cause.rawValue, evidence: nil, attempts: settlement.work.attempts)
            _ = try? perform(.parkDelivery(parking), in: session, now: now)
        }
        if settlement.destroysMedia {
            let purge = PurgeMedia(
                piece: claim.piece, captureID: claim.capture, cause: settlement.outcome == nil ? "delivery_ended" : "answered",
                bytes: claim.media.bytes, commitment: nil)
            _ = try? perform(.purgeMedia(purge), in: session, now: now)
            deliveries[number].isMediaDestroyed = true
        }
        apply(settlement.destinationChanges, to: claim.destination)
        deliveries[number].work = settlement.work
        if sessions[session].state.isErased { deliveries[number].work.statusAddress = nil }
        deliveries[number].nextAttemptAt = 0
        if case .waiting(let until, _) = settlement.state { deliveries[number].nextAttemptAt = until }
        deliveries[number].claims = 0
        deliveries[number].holder = nil
        return true
    }

    private func answer(_ outcome: DeliveryOutcome, _ claim: ClaimedDelivery, _ settlement: Settlement) -> ApplyAnswer {
        var kind = AnswerOutcome.verified
        let mark: Double?
        let dropped: [Piece]
        switch outcome {
        case .verified(_, let score, let drop): (mark, dropped) = (score, drop)
        case .rejected(_, _, let score, let drop): (kind, mark, dropped) = (.rejected, score, drop)
        }
        return ApplyAnswer(
            deliveryID: claim.id, piece: claim.piece, captureID: claim.capture, destination: claim.destination.text,
            outcome: kind, score: mark, drop: dropped, evidence: nil, attempts: settlement.work.attempts, secret: nil)
    }

    package func release(_ claims: [ClaimedDelivery]) {
        for claim in claims {
            guard let number = number(of: claim.id), deliveries[number].fence == claim.fence else { continue }
            deliveries[number].claims -= 1
            deliveries[number].holder = nil
        }
    }

    package func withdrawn(_ claims: [ClaimedDelivery]) -> Set<DeliveryID> {
        Set(claims.filter { claim in held(claim).map { deliveries[$0].status != .waiting } ?? true }.map(\.id))
    }

    package func apply(_ changes: [DestinationChange], to destination: DestinationName) {
        for change in changes { destinations[destination, default: DestinationState()].apply(change) }
    }

    package func state(of destination: DestinationName) -> DestinationState { destinations[destination] ?? DestinationState() }

    package func backlog() -> Backlog {
        var backlog = Backlog()
        for delivery in deliveries {
            if delivery.status == .parked { backlog.parked += 1 }
            guard delivery.status == .waiting else { continue }
            backlog.waiting += 1
            backlog.oldestConfirmedAtMilliseconds = min(backlog.oldestConfirmedAtMilliseconds ?? .max, delivery.confirmedAt)
            if !delivery.isBlocked {
                backlog.destinations.insert(delivery.destination)
                backlog.nextDueAtMilliseconds = min(backlog.nextDueAtMilliseconds ?? .max, delivery.nextAttemptAt)
            }
        }
        return backlog
    }

    /// A person asked for it: due at once, with fresh counters.
    package func requeue(_ delivery: DeliveryID, now: Int64) throws(Rejection) {
        guard let number = number(of: delivery) else { return }
        let asked = RequeueDelivery(
            deliveryID: delivery, piece: deliveries[number].piece, captureID: deliveries[number].capture,
            destination: deliveries[number].destination.text)
        try perform(.requeueDelivery(asked), in: deliveries[number].session, now: now)
        deliveries[number].claims = 0
        deliveries[number].work.attempts = 0
        deliveries[number].work.contractBreaks = 0
        deliveries[number].work.firstSentAtMilliseconds = nil
        deliveries[number].nextAttemptAt = now
    }

    /// The delivery that this claim, and no later one, still holds.
    private func held(_ claim: ClaimedDelivery) -> Int? {
        guard let number = number(of: claim.id), deliveries[number].fence == claim.fence, deliveries[number].holder != nil
        else { return nil }
        return number
    }
}
