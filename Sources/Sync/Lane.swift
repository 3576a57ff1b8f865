import DeliveryMachine

/// One destination's part of a run: what it may do now, what is claimed for it, and what only this run remembers.
final class Lane {
    let decider: DeliveryDecider
    /// As the queue had it at the last claim, with what was judged since.
    var state = DestinationState()
    /// Claimed, their bytes fixed, and not begun: so that no transfer waits for the queue.
    var prepared: ArraySlice<Prepared> = []
    var underWay = 0
    /// Of the credential, as it was when the queue was asked last, or the credential renewed.
    var fingerprint: String?
    var rate: RequestRate?
    /// What a dead worker held is worked on one at a time: if one of them killed it, the others do not pay for the next time.
    /// Nobody knows before the first claim.
    var isCareful = true
    /// The last claim was filled: there may be more.
    var mayHaveMore = true
    /// Raised when the credential was renewed, which happens once a run.
    var credentialEdition = 0
    var hasAskedForCredential = false
    /// Why asking for another credential came to nothing in this run.
    var renewalFault: DeliveryFault.Code?
    /// A credential was refused in this run for good: another one waits for the next run. One that is new at every look would
    /// else be tried, and refused, for ever.
    var isCredentialRefused = false

    init(_ decider: DeliveryDecider) { self.decider = decider }

    /// A claim whose next step is a request.
    struct Prepared {
        let claim: ClaimedDelivery
        let url: String
        /// nil for a question about the status.
        let body: FrozenBody?
    }

    /// How many may begin now, whatever is prepared.
    func room(nowMilliseconds: Int64) -> Int {
        decider.quota(state, underWay: underWay, fingerprint: fingerprint, nowMilliseconds: nowMilliseconds)
    }

    /// Paused, or its breaker is open: what is prepared would only wait.
    func isClosed(nowMilliseconds: Int64) -> Bool {
        decider.quota(state, underWay: 0, fingerprint: fingerprint, nowMilliseconds: nowMilliseconds) == 0
    }

    /// How many to claim: what may begin now, and some ahead.
    func wanted(nowMilliseconds: Int64) -> Int {
        let busy = underWay + prepared.count
        let open = decider.quota(state, underWay: 0, fingerprint: fingerprint, nowMilliseconds: nowMilliseconds)
        if isCareful || open <= 1 { return min(1, open) - min(1, busy) }
        return max(0, open + ahead - busy)
    }

    /// What all workers together may have claimed.
    func total(fingerprint: String?, nowMilliseconds: Int64) -> Int {
        let open = decider.quota(state, underWay: 0, fingerprint: fingerprint, nowMilliseconds: nowMilliseconds)
        return open <= 1 ? open : open + ahead
    }

    /// Few enough left that the queue should be asked before the last of them begins: more are had by then, and some begin
    /// while it answers.
    var runsLow: Bool {
        mayHaveMore ? prepared.count < max(decider.destination.inFlightLimit, ahead / 2) : prepared.isEmpty
    }

    /// Claims beyond those that may begin. None where bytes that are fixed count as sent once a worker died with them (S80),
    /// and few where requests are rationed.
    private var ahead: Int {
        let destination = decider.destination
        if destination.destroysMediaAfterSending { return 0 }
        let most = min(128, destination.inFlightLimit * 8)
        guard let perSecond = destination.requestsPerSecond else { return most }
        return min(most, Int(max(0, perSecond)))
    }
}
