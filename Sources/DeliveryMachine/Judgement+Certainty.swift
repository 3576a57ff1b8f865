import SessionDomain

extension Judgement {
    /// Spends neither attempt nor age, however long it lasts.
    mutating func notSent() {
        let result = ended.result
        switch result.localFault?.code {
        case .mediaUnreadable?, .mediaGone?: return park(.mediaUnreadable, .mediaUnreadable)
        case .addressRefused?, .configuration?: return pause(.addressRefused)
        case .stopped?: return wait(0, .stopped)
        default: break
        }
        if ClassificationTable.tlsIdentityCodes.contains(result.curlCode) { return pause(.untrusted) }
        failed()
        // the longer nobody answers the rarer the tries, up to about a minute: an outage's end is noticed soon
        let rounds = 1 + min(5, state.failuresInARow / max(1, destination.inFlightLimit))
        var random = SeededGenerator(seed: chance)
        wait(BackOff.delay(afterAttempt: rounds, policy, using: &random), .notConnected)
    }

    /// Must be assumed to have arrived: from now on the status address is asked first, where there is one.
    mutating func unknown() {
        if let fault = ended.result.localFault, fault.code == .mediaUnreadable || fault.code == .mediaGone {
            return park(.mediaUnreadable, .mediaUnreadable)
        }
        startAge()
        if ended.kind == .send {
            settlement.work.isUnclear = true
            if destination.destroysMediaAfterSending { return park(.mediaDestroyed, .answerLost) }
        }
        // our own deadline spends no attempt, or a video that outlasts it would be given up
        if ended.result.localFault?.code == .stopped { return wait(0, .stopped) }
        spend()
        failed()
        retry(.answerLost)
    }

    mutating func answered() {
        guard let rule = ClassificationTable.rule(forStatus: ended.result.status) else { return unknown() }
        if ended.kind == .statusQuery, let forgotten = forgetting(rule) { return forget(forgotten) }
        switch rule.action {
        case .apply: apply()
        case .poll: poll()
        case .retry, .throttle, .retryOnNewConnection:
            spend()
            failed()
            retry(rule.explanation)
        case .park(let cause):
            spend()
            alive()
            park(cause, rule.explanation)
        case .pause(let credential): pause(rule.explanation, liftedByCredential: credential)
        case .disable: pause(rule.explanation, byPerson: true)
        }
    }

    /// A status address that knows nothing of the delivery (404, 410), or will never say: it did not arrive.
    private func forgetting(_ rule: StatusRule) -> Explanation? {
        if ended.result.status == 404 || ended.result.status == 410 { return .didNotArrive }
        if case .park = rule.action { return rule.explanation }
        return nil
    }

    private mutating func forget(_ explanation: Explanation) {
        settlement.work.statusAddress = nil
        settlement.work.isUnclear = false
        alive()
        if destination.destroysMediaAfterSending { return park(.mediaDestroyed, explanation) }
        spend()
        retry(explanation)
    }

    /// The endpoint or the way to it failed, which says nothing about the delivery.
    private mutating func failed() {
        change(.failuresInARow(state.failuresInARow + 1))
        guard var pause = state.pause, pause.probeAtMilliseconds != nil else { return }
        pause.probeAtMilliseconds = now + policy.probeIntervalMilliseconds
        change(.pause(pause))
    }

    mutating func alive() {
        if state.failuresInARow != 0 { change(.failuresInARow(0)) }
    }
}
