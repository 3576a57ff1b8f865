import SessionDomain

extension Judgement {
    /// UNKNOWN: from now on the status address is asked first, where there is one, and the clock of its age runs.
    mutating func assumeArrived() {
        guard ended.kind == .send else { return }
        startAge()
        settlement.work.isUnclear = true
    }

    mutating func retryAnswered() {
        if rule.explanation == .failed { through() }
        spend()
        retry(rule.explanation)
    }

    /// Spends neither attempt nor age, however long it lasts. The longer nobody answers the rarer the tries, up to about a
    /// minute: an outage's end is noticed soon.
    mutating func tryLater() {
        let rounds = 1 + min(5, state.failuresInARow / max(1, destination.inFlightLimit))
        wait(BackOff.delay(afterAttempt: rounds, policy, using: &random), rule.explanation)
    }

    /// A status address that knows nothing of the delivery, or will never say.
    mutating func sendAgain() {
        settlement.work.statusAddress = nil
        settlement.work.isUnclear = false
        if destination.destroysMediaAfterSending { return park(.mediaDestroyed, rule.explanation) }
        spend()
        retry(rule.explanation)
    }

    /// The caller says whether another credential is at hand than the one that was refused. One that could not be asked for
    /// says nothing about the next: its service may be away for a moment, and no person is needed for that.
    mutating func renewCredential() {
        guard credential.hasAnother || credential.fault != nil else { return pause(rule.explanation, .credential) }
        if let fault = credential.fault, fault != .stopped {
            change(
                .pause(
                    DeliveryDecider(destination).pause(
                        withoutCredential: state, fingerprint: credential.fingerprint, nowMilliseconds: now)))
        }
        if isMediaHandedOver { return park(.mediaDestroyed, rule.explanation) }
        switch credential.fault {
        case .stopped?: wait(0, .stopped)
        case .some: wait(0, .credentialUnavailable)
        case nil:
            // it can be had again, which is what the pause waited for
            if state.pause?.reason == .credentialUnavailable { change(.resume) }
            wait(0, .credentialRenewed)
        }
    }

    mutating func pause(_ explanation: Explanation, _ end: PauseEnd) {
        let asked = settlement.attempt?.retryAfterMilliseconds ?? 0
        change(
            .pause(
                DestinationPause(
                    reason: explanation, sinceMilliseconds: state.pause?.sinceMilliseconds ?? now,
                    probeAtMilliseconds: end == .probe ? now + max(policy.probeIntervalMilliseconds, asked) : nil,
                    credentialFingerprint: end == .credential ? credential.fingerprint : nil)))
        if isMediaHandedOver { return park(.mediaDestroyed, rule.explanation) }
        wait(0, rule.explanation)
    }
}
