/// How much of a destination may be used now: pauses, the circuit breaker and throttles, requests under way.
extension DeliveryDecider {
    /// How many requests the destination may have now, beside those under way.
    ///
    /// - Parameter fingerprint: of the credential in use.
    package func quota(_ state: DestinationState, underWay: Int, fingerprint: String?, nowMilliseconds: Int64) -> Int {
        // a probe of a pause waits as well for what the endpoint asked for (`Retry-After`)
        if let breaker = state.breaker, isOpen(breaker, nowMilliseconds: nowMilliseconds) { return 0 }
        if let pause = state.pause, !isLifted(pause, fingerprint: fingerprint) {
            return isProbeDue(pause, nowMilliseconds: nowMilliseconds) && underWay == 0 ? 1 : 0
        }
        if state.breaker != nil { return underWay == 0 ? 1 : 0 }
        return max(0, destination.inFlightLimit - underWay)
    }

    /// Another credential than the one that was refused, or that could not be had, lifts the pause at once.
    package func isLifted(_ pause: DestinationPause, fingerprint: String?) -> Bool {
        (pause.reason == .unauthorized || pause.reason == .credentialUnavailable)
            && pause.credentialFingerprint != fingerprint
    }

    /// When the destination may be used again; nil when it may be now, or when no time will do it.
    package func opensAt(_ state: DestinationState, fingerprint: String?, nowMilliseconds: Int64) -> Int64? {
        var times: [Int64] = []
        if let breaker = state.breaker, isOpen(breaker, nowMilliseconds: nowMilliseconds) {
            times.append(breaker.untilMilliseconds)
        }
        if let pause = state.pause, !isLifted(pause, fingerprint: fingerprint),
            !isProbeDue(pause, nowMilliseconds: nowMilliseconds)
        {
            guard let probe = pause.probeAtMilliseconds else { return nil }
            times.append(probe)
        }
        return times.max()
    }

    /// False once its time has come, and for a time that lies too far ahead to be believed: the clock went back.
    func isOpen(_ breaker: Breaker, nowMilliseconds: Int64) -> Bool {
        breaker.untilMilliseconds > nowMilliseconds && isBelieved(breaker.untilMilliseconds, nowMilliseconds)
    }

    private func isProbeDue(_ pause: DestinationPause, nowMilliseconds: Int64) -> Bool {
        guard let probe = pause.probeAtMilliseconds else { return false }
        return probe <= nowMilliseconds || !isBelieved(probe, nowMilliseconds)
    }

    private func isBelieved(_ time: Int64, _ now: Int64) -> Bool {
        let (ahead, overflow) = time.subtractingReportingOverflow(now)
        return !overflow && ahead <= destination.retry.longestWaitMilliseconds
    }
}
