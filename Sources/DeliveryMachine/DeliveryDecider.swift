import SessionDomain

/// Decides what a claim's next step is and what an ended request means. Pure: times and chance are given.
package struct DeliveryDecider: Sendable {
    package let destination: Destination

    package init(_ destination: Destination) { self.destination = destination }

    package enum Step: Sendable {
        /// Store the bytes when they are new, then send them.
        case send(FrozenBody, isFirst: Bool)
        /// Ask what became of an earlier request.
        case ask(url: String)
        /// No request is to be made.
        case settle(Settlement)
    }

    package func begin(_ claim: ClaimedDelivery, nowMilliseconds: Int64) -> Step {
        if claim.claims > destination.retry.claimLimit {
            return .settle(Settlement(work: claim.work, state: .parked(.quarantined), attempt: nil))
        }
        // an earlier claim died with the bytes fixed: they may have gone out, and sending them again is what strict forbids
        if destination.destroysMediaAfterSending, claim.claims > 1, claim.frozen != nil, claim.work.statusAddress == nil {
            return .settle(
                Settlement(work: claim.work, state: .parked(.mediaDestroyed), attempt: nil, destroysMedia: true))
        }
        if let address = claim.work.statusAddress { return .ask(url: address) }
        if claim.work.isUnclear, let template = destination.statusURL {
            return .ask(
                url: template.split(separator: "{key}", omittingEmptySubsequences: false).joined(separator: claim.id.text))
        }
        if let frozen = claim.frozen { return .send(frozen, isFirst: false) }
        if let body = BodyWriter.body(for: claim, kind: destination.kind) { return .send(body, isFirst: true) }
        return .settle(
            Settlement(
                work: claim.work,
                state: .waiting(
                    untilMilliseconds: nowMilliseconds + destination.retry.probeIntervalMilliseconds,
                    because: .transactionMissing), attempt: nil))
    }

    /// Our own media cannot be opened: nothing was sent and nothing will be.
    package func settlement(for fault: DeliveryFault, of claim: ClaimedDelivery) -> Settlement {
        let cause = fault.code == .mediaGone ? ParkCause.mediaExpired : .mediaUnreadable
        return Settlement(work: claim.work, state: .parked(cause), attempt: nil)
    }

    /// An answer came and could not be kept: it does not count, and the endpoint is asked again with the same key.
    package func settlementWithoutEvidence(of claim: ClaimedDelivery, nowMilliseconds: Int64) -> Settlement {
        var work = claim.work
        work.isUnclear = true
        let later = nowMilliseconds + destination.retry.pollMilliseconds
        return Settlement(
            work: work, state: .waiting(untilMilliseconds: later, because: .evidenceUnavailable), attempt: nil)
    }

    /// How many claims the destination may have now, beside those under way.
    package func quota(_ state: DestinationState, underWay: Int, nowMilliseconds: Int64) -> Int {
        guard let pause = state.pause, !isLifted(pause) else { return max(0, destination.inFlightLimit - underWay) }
        guard let probe = pause.probeAtMilliseconds, probe <= nowMilliseconds, underWay == 0 else { return 0 }
        return 1
    }

    /// Another credential than the one that was refused lifts the pause at once.
    package func isLifted(_ pause: DestinationPause) -> Bool {
        pause.reason == .unauthorized && pause.credentialFingerprint != destination.credentialFingerprint
    }
}
