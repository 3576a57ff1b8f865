import SessionDomain

/// Decides what a claim's next step is and what an ended request means. Pure: times and chance are given.
package struct DeliveryDecider: Sendable {
    package let destination: Destination

    package init(_ destination: Destination) { self.destination = destination }

    package enum Step: Sendable {
        /// Send these bytes; those of a first send are to be stored before.
        case send(FrozenBody, isFirst: Bool)
        /// Ask what became of an earlier request.
        case ask(url: String)
        /// No request is to be made.
        case settle(Settlement)
    }

    package func begin(_ claim: ClaimedDelivery, nowMilliseconds: Int64) -> Step {
        // an earlier claim died with the bytes fixed: they may have gone out, and sending them again is what strict forbids
        if destination.destroysMediaAfterSending, claim.claims > 1, claim.frozen != nil, claim.work.statusAddress == nil {
            return .settle(
                Settlement(work: claim.work, state: .parked(.mediaDestroyed), attempt: nil, destroysMedia: true))
        }
        if claim.claims > destination.retry.claimLimit {
            return .settle(Settlement(work: claim.work, state: .parked(.quarantined), attempt: nil))
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

    /// Our own media cannot be reached at present. That is no reason to give up what may be whole: nothing was sent, nothing is
    /// spent, and it is looked for again.
    package func settlement(withoutMediaFor claim: ClaimedDelivery, nowMilliseconds: Int64) -> Settlement {
        let later = nowMilliseconds + destination.retry.lookAgainMilliseconds
        return Settlement(
            work: claim.work, state: .waiting(untilMilliseconds: later, because: .mediaUnavailable), attempt: nil)
    }

    /// An answer came and could not be kept: it does not count, and the endpoint is asked again with the same key. A video
    /// that may be sent only once was sent: it can only be asked about.
    package func settlementWithoutEvidence(of claim: ClaimedDelivery, nowMilliseconds: Int64) -> Settlement {
        var work = claim.work
        let hasAsked = work.statusAddress != nil || (work.isUnclear && destination.statusURL != nil)
        work.isUnclear = true
        if destination.destroysMediaAfterSending, !hasAsked, destination.statusURL == nil {
            return Settlement(work: work, state: .parked(.mediaDestroyed), attempt: nil, destroysMedia: true)
        }
        let later = nowMilliseconds + destination.retry.pollMilliseconds
        return Settlement(
            work: work, state: .waiting(untilMilliseconds: later, because: .evidenceUnavailable), attempt: nil,
            destroysMedia: destination.destroysMediaAfterSending && !hasAsked)
    }

    /// The credential of the destination cannot be had: nothing was sent, nothing is spent, and the destination waits for
    /// another credential, or for the next look.
    package func settlement(
        withoutCredentialFor claim: ClaimedDelivery, state: DestinationState, fingerprint: String?, nowMilliseconds: Int64
    ) -> Settlement {
        let pause = pause(withoutCredential: state, fingerprint: fingerprint, nowMilliseconds: nowMilliseconds)
        return Settlement(
            work: claim.work, state: .waiting(untilMilliseconds: nowMilliseconds, because: .credentialUnavailable),
            attempt: nil, destinationChanges: [.pause(pause)])
    }

    func pause(
        withoutCredential state: DestinationState, fingerprint: String?, nowMilliseconds: Int64
    ) -> DestinationPause {
        DestinationPause(
            reason: .credentialUnavailable, sinceMilliseconds: state.pause?.sinceMilliseconds ?? nowMilliseconds,
            probeAtMilliseconds: nowMilliseconds + destination.retry.lookAgainMilliseconds, credentialFingerprint: fingerprint)
    }
}
