/// What an ended request says about its endpoint as a whole: failures in a row, the circuit breaker, a pause's next probe.
extension Judgement {
    mutating func noteSign() {
        switch rule.sign {
        case .works: alive()
        case .fails: failed()
        case .unclear: break
        }
        putProbeOff()
    }

    private mutating func alive() {
        if state.failuresInARow != 0 { change(.failuresInARow(0)) }
        if state.contractBreakWitness != nil { change(.contractBreakWitness(nil)) }
        // what the endpoint itself asked for holds although something that was under way got through
        if let breaker = state.breaker, breaker.reason != .throttled || !isOpen(breaker) { change(.breaker(nil)) }
    }

    /// One delivery that fails again and again while nothing else is tried says little: its first failures count, so that
    /// it does not hold up the others (F17).
    private mutating func failed() {
        let counts = rule.certainty == .notSent || claim.work.attempts < destination.breaker.attemptsThatCount
        let failures = state.failuresInARow + (counts ? 1 : 0)
        if counts { change(.failuresInARow(failures)) }
        let isDue = failures >= destination.breaker.failureLimit
        if let breaker = state.breaker {
            // what was under way when it opened says nothing new
            if isOpen(breaker) { return }
            if breaker.openings > 0 || isDue { open(breaker.openings + 1) } else { change(.breaker(nil)) }
        } else if isDue, counts {
            open(1)
        }
    }

    private mutating func open(_ openings: Int) {
        let time = BackOff.opening(openings, destination.breaker, using: &random)
        change(.breaker(Breaker(untilMilliseconds: now + time, openings: openings)))
    }

    /// The whole destination waits as long as the endpoint says, across runs; when it says nothing, as long as this delivery
    /// would, and at least a moment that grows while nothing gets through.
    mutating func throttle() {
        spend()
        retry(rule.explanation)
        change(.failuresInARow(state.failuresInARow + 1))
        var until = now
        if let asked = settlement.attempt?.retryAfterMilliseconds {
            until += asked
            if case .waiting(let next, _) = settlement.state { until = max(until, min(next, until + 60_000)) }
        } else {
            let window = BackOff.window(afterAttempt: state.failuresInARow + 1, policy)
            let longest = min(window, destination.breaker.capMilliseconds)
            until += longest / 2 + Int64.random(in: 0...(longest / 2), using: &random)
        }
        if let breaker = state.breaker, isOpen(breaker) { until = max(until, breaker.untilMilliseconds) }
        change(
            .breaker(Breaker(untilMilliseconds: until, openings: state.breaker?.openings ?? 0, reason: .throttled)))
    }

    private func isOpen(_ breaker: Breaker) -> Bool {
        DeliveryDecider(destination).isOpen(breaker, nowMilliseconds: now)
    }

    /// A probe that did not lift its pause: the next one is as far off as the first was, and lets another delivery go first.
    private mutating func putProbeOff() {
        guard var pause = state.pause, pause.probeAtMilliseconds != nil else { return }
        let asked = settlement.attempt?.retryAfterMilliseconds ?? 0
        var next = now + max(policy.probeIntervalMilliseconds, asked)
        var settles = false
        for change in settlement.destinationChanges {
            switch change {
            case .resume: return
            case .pause(let other):
                settles = true
                next = other.probeAtMilliseconds ?? next
            default: break
            }
        }
        if !settles {
            pause.probeAtMilliseconds = next
            change(.pause(pause))
        }
        if case .waiting(let until, let because) = settlement.state, until <= next, rule.action != .goOnLater {
            settlement.state = .waiting(untilMilliseconds: next + 1, because: because)
        }
    }
}
