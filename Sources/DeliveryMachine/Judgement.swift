import SessionDomain

/// One judging of one ended request: the steps write into the settlement.
struct Judgement {
    let destination: Destination
    let claim: ClaimedDelivery
    let state: DestinationState
    let ended: EndedRequest
    let now: Int64
    let chance: UInt64
    var settlement: Settlement

    init(
        destination: Destination, claim: ClaimedDelivery, state: DestinationState, ended: EndedRequest, now: Int64,
        chance: UInt64
    ) {
        self.destination = destination
        self.claim = claim
        self.state = state
        self.ended = ended
        self.now = now
        self.chance = chance
        let result = ended.result
        let attempt = AttemptRecord(
            kind: ended.kind, startedAtMilliseconds: result.startedAtMilliseconds,
            finishedAtMilliseconds: result.finishedAtMilliseconds, certainty: ended.certainty, curlCode: result.curlCode,
            status: result.status, bytesSent: result.bytesSent, bytesReceived: Int64(result.body.count), explanation: .answered,
            retryAfterMilliseconds: RetryAfter.milliseconds(result.headers, nowMilliseconds: now),
            tableVersion: ClassificationTable.version, evidence: ended.evidence)
        settlement = Settlement(work: claim.work, state: .delivered, attempt: attempt)
    }

    // MARK: what the steps are made of

    var policy: RetryPolicy { destination.retry }

    mutating func change(_ change: DestinationChange) { settlement.destinationChanges.append(change) }

    /// The request reached the endpoint, or may have: an attempt and the clock of its age. What a paused destination causes
    /// spends neither.
    mutating func spend() {
        guard state.pause == nil else { return }
        settlement.work.attempts += 1
        startAge()
    }

    mutating func startAge() {
        if settlement.work.firstSentAtMilliseconds == nil {
            settlement.work.firstSentAtMilliseconds = ended.result.startedAtMilliseconds
        }
    }

    mutating func wait(_ milliseconds: Int64, _ explanation: Explanation) {
        settlement.attempt?.explanation = explanation
        let asked = settlement.attempt?.retryAfterMilliseconds ?? 0
        settlement.state = .waiting(untilMilliseconds: now + max(milliseconds, asked), because: explanation)
    }

    /// Tries again after the back-off, unless a cap was reached or the media may not be sent a second time.
    mutating func retry(_ explanation: Explanation) {
        if isMediaHandedOver { return park(.mediaDestroyed, explanation) }
        if settlement.work.attempts >= policy.attemptLimit { return park(.failedPermanently, .attemptsSpent) }
        if let first = settlement.work.firstSentAtMilliseconds, now - first > policy.ageLimitMilliseconds {
            return park(.failedPermanently, .tooOld)
        }
        var random = SeededGenerator(seed: chance)
        wait(BackOff.delay(afterAttempt: settlement.work.attempts, policy, using: &random), explanation)
    }

    /// Nothing more is tried. A hologram's video goes with it (S80), unless it is our own copy that is in question.
    mutating func park(_ cause: ParkCause, _ explanation: Explanation) {
        settlement.attempt?.explanation = explanation
        settlement.state = .parked(cause)
        settlement.destroysMedia = destination.kind == .hologram && cause != .mediaUnreadable
    }

    mutating func pause(_ explanation: Explanation, liftedByCredential: Bool = false, byPerson: Bool = false) {
        change(
            .pause(
                DestinationPause(
                    reason: explanation, sinceMilliseconds: state.pause?.sinceMilliseconds ?? now,
                    probeAtMilliseconds: liftedByCredential || byPerson ? nil : now + policy.probeIntervalMilliseconds,
                    credentialFingerprint: liftedByCredential ? destination.credentialFingerprint : nil)))
        if isMediaHandedOver { return park(.mediaDestroyed, explanation) }
        settlement.attempt?.explanation = explanation
        settlement.state = .waiting(untilMilliseconds: now, because: explanation)
    }

    /// Strict mode: the endpoint has had the last byte, so the video no longer exists.
    var isMediaHandedOver: Bool {
        destination.destroysMediaAfterSending && ended.kind == .send && ended.result.bytesSent >= ended.bodyLength
    }
}
