import SessionDomain

/// Answers with a 2xx status.
extension Judgement {
    mutating func deliver() {
        guard let outcome = answer?.outcome else { return breakContract() }
        through()
        change(.lastDeliveredAt(milliseconds: now))
        settlement.work.statusAddress = nil
        settlement.work.isUnclear = false
        settlement.state = .delivered
        settlement.outcome = outcome
        settlement.destroysMedia = destination.kind == .hologram
        settlement.attempt?.explanation = outcome.isRejection(of: claim) ? .rejected : .verified
        startAge()
        settlement.work.attempts += 1
    }

    /// An answer that fits: what kept the destination paused is over.
    mutating func through() {
        if state.pause?.probeAtMilliseconds != nil { change(.resume) }
    }

    /// 202: ask again after a while that grows with the time it has taken already.
    mutating func poll() {
        through()
        if let address = answer?.statusAddress { settlement.work.statusAddress = address }
        settlement.work.isUnclear = true
        if isMediaHandedOver { settlement.destroysMedia = true }
        startAge()
        if isTooOld(true) { return park(.failedPermanently, .tooOld) }
        let age = max(0, now - (settlement.work.firstSentAtMilliseconds ?? now))
        wait(min(max(policy.pollMilliseconds, age / 4), policy.capMilliseconds), rule.explanation)
    }

    /// Two different deliveries in a row: the endpoint, or what stands in its place, is broken, and the destination pauses.
    /// One delivery again and again while others get through: that delivery is parked.
    mutating func breakContract() {
        if state.pause != nil || (state.contractBreakWitness != nil && state.contractBreakWitness != claim.id) {
            change(.contractBreakWitness(claim.id))
            return pause(.contractBreak, .probe)
        }
        spend()
        settlement.work.contractBreaks += 1
        if state.contractBreakWitness == nil { change(.contractBreakWitness(claim.id)) }
        let othersGetThrough =
            if let first = settlement.work.firstSentAtMilliseconds, let last = state.lastDeliveredAtMilliseconds {
                last >= first
            } else { false }
        if settlement.work.contractBreaks >= policy.contractBreakLimit, othersGetThrough {
            return park(.contractBreak, rule.explanation)
        }
        retry(rule.explanation)
    }
}
