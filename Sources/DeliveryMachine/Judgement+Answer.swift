import SessionDomain

/// Answers with a 2xx status.
extension Judgement {
    private var reader: AnswerReader { AnswerReader(destination: destination, capture: claim.capture) }

    mutating func apply() {
        switch reader.read(ended.result) {
        case .outcome(let outcome): deliver(outcome)
        case .failed:
            through()
            spend()
            retry(.failed)
        case .contractBreak: breakContract()
        }
    }

    private mutating func deliver(_ outcome: DeliveryOutcome) {
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

    /// An answer that fits: whatever was suspected of the endpoint is settled.
    private mutating func through() {
        alive()
        if state.contractBreakWitness != nil { change(.contractBreakWitness(nil)) }
        if state.pause?.probeAtMilliseconds != nil { change(.resume) }
    }

    /// 202: ask again after a while that grows with the time it has taken already.
    mutating func poll() {
        let named = ended.result.headers.last(named: "location") ?? reader.statusAddress(ended.result)
        let base = claim.work.statusAddress ?? destination.url
        if let named {
            guard let address = Origin.resolve(named, against: base) else { return breakContract() }
            settlement.work.statusAddress = address
        } else if claim.work.statusAddress == nil, ended.kind == .send, destination.statusURL == nil {
            return breakContract()
        }
        through()
        startAge()
        settlement.work.isUnclear = true
        if isMediaHandedOver { settlement.destroysMedia = true }
        let age = now - (settlement.work.firstSentAtMilliseconds ?? now)
        if age > policy.ageLimitMilliseconds { return park(.failedPermanently, .tooOld) }
        wait(min(max(policy.pollMilliseconds, age / 4), policy.capMilliseconds), .accepted)
    }

    /// Two different deliveries in a row: the endpoint, or what stands in its place, is broken, and the destination pauses.
    /// One delivery again and again while others get through: that delivery is parked.
    private mutating func breakContract() {
        alive()
        if state.pause != nil || (state.contractBreakWitness != nil && state.contractBreakWitness != claim.id) {
            change(.contractBreakWitness(claim.id))
            return pause(.contractBreak)
        }
        spend()
        settlement.work.contractBreaks += 1
        if state.contractBreakWitness == nil { change(.contractBreakWitness(claim.id)) }
        let othersGetThrough =
            if let first = settlement.work.firstSentAtMilliseconds, let last = state.lastDeliveredAtMilliseconds {
                last >= first
            } else { false }
        if settlement.work.contractBreaks >= policy.contractBreakLimit, othersGetThrough {
            return park(.contractBreak, .contractBreak)
        }
        retry(.contractBreak)
    }
}
