import SessionDomain

/// One judging of one ended request: the row of the table says what, the steps write it into the settlement.
struct Judgement {
    let destination: Destination
    let claim: ClaimedDelivery
    let state: DestinationState
    let ended: EndedRequest
    let answer: ReadAnswer?
    let rule: ClassificationRule
    let credential: CredentialFacts
    let now: Int64
    var random: SeededGenerator
    var settlement: Settlement

    init(
        destination: Destination, claim: ClaimedDelivery, state: DestinationState, ended: EndedRequest,
        credential: CredentialFacts, now: Int64, chance: UInt64
    ) {
        self.destination = destination
        self.claim = claim
        self.state = state
        self.ended = ended
        self.credential = credential
        self.now = now
        random = SeededGenerator(seed: chance)
        answer = ended.answer(of: claim, from: destination)
        rule = ended.rule(answer)
        let result = ended.result
        let attempt = AttemptRecord(
            kind: ended.kind, startedAtMilliseconds: result.startedAtMilliseconds,
            finishedAtMilliseconds: result.finishedAtMilliseconds, certainty: rule.certainty, curlCode: result.curlCode,
            status: result.status, bytesSent: result.bytesSent, bytesReceived: Int64(result.body.count),
            explanation: rule.explanation,
            retryAfterMilliseconds: RetryAfter.milliseconds(result.headers, nowMilliseconds: now),
            tableVersion: ClassificationTable.version, evidence: ended.evidence)
        settlement = Settlement(work: claim.work, state: .delivered, attempt: attempt)
    }

    mutating func decide() {
        if rule.certainty == .unknown { assumeArrived() }
        switch rule.action {
        case .deliver: deliver()
        case .poll: poll()
        case .retry, .retryOnNewConnection: retryAnswered()
        case .throttle: throttle()
        case .contractBreak: breakContract()
        case .sendAgain: sendAgain()
        case .tryLater: tryLater()
        case .goOnLater: wait(0, rule.explanation)
        case .renewCredential: renewCredential()
        case .pause(let end): pause(rule.explanation, end)
        case .park(let cause):
            spend()
            park(cause, rule.explanation)
        }
        // strict: what may have arrived is never sent again, also where our own copy stopped opening half-way
        if rule.certainty == .unknown, ended.kind == .send, destination.destroysMediaAfterSending {
            park(.mediaDestroyed, rule.explanation)
        }
        noteSign()
    }

    // MARK: what the steps are made of

    var policy: RetryPolicy { destination.retry }

    mutating func change(_ change: DestinationChange) { settlement.destinationChanges.append(change) }

    /// The request reached the endpoint, or may have: an attempt and the clock of its age. What a paused destination causes
    /// spends neither.
    mutating func spend() {
        guard state.pause == nil, rule.certainty != .notSent else { return }
        settlement.work.attempts += 1
        startAge()
    }

    mutating func startAge() {
        if settlement.work.firstSentAtMilliseconds == nil {
            settlement.work.firstSentAtMilliseconds = ended.result.startedAtMilliseconds
        }
    }

    /// `Retry-After` is honoured whatever the status is.
    mutating func wait(_ milliseconds: Int64, _ explanation: Explanation) {
        settlement.attempt?.explanation = explanation
        var delay = milliseconds
        if let asked = settlement.attempt?.retryAfterMilliseconds, asked > 0 {
            delay = max(delay, asked + BackOff.spread(after: asked, policy, using: &random))
        }
        settlement.state = .waiting(untilMilliseconds: now + delay, because: explanation)
    }

    /// Tries again after the back-off, unless a cap was reached or the media may not be sent a second time.
    mutating func retry(_ explanation: Explanation) {
        if isMediaHandedOver { return park(.mediaDestroyed, explanation) }
        if settlement.work.attempts >= policy.attemptLimit { return park(.failedPermanently, .attemptsSpent) }
        if isTooOld(settlement.work.attempts >= policy.ageAttemptFloor) { return park(.failedPermanently, .tooOld) }
        wait(BackOff.delay(afterAttempt: settlement.work.attempts, policy, using: &random), explanation)
    }

    /// Nothing more is tried. A hologram's video goes with it (S80), unless it is our own copy that is in question.
    mutating func park(_ cause: ParkCause, _ explanation: Explanation) {
        settlement.attempt?.explanation = explanation
        settlement.state = .parked(cause)
        settlement.destroysMedia = destination.kind == .hologram && cause != .mediaUnreadable
    }

    /// Strict mode: the endpoint has had the last byte, so the video no longer exists.
    var isMediaHandedOver: Bool {
        destination.destroysMediaAfterSending && ended.kind == .send && ended.result.bytesSent >= ended.bodyLength
    }
}
