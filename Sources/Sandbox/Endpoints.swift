/// The state behind both endpoints. It decides and counts; it knows no connection and no clock.
struct Endpoints: Sendable {
    var scenario: SandboxScenario {
        didSet { counters = [:] }
    }
    private(set) var record = SandboxRecord()
    private var counters: [String: Int] = [:]
    private var keysSeen: Set<String> = []
    private var entries: [String: KeyEntry] = [:]
    private var pending: [String: PendingOutcome] = [:]
    private var tokens = 0

    /// What is known of an idempotency key.
    private struct KeyEntry {
        var fingerprint: String?
        var isInProgress = false
        var first: FirstAnswer?
    }

    /// What a submission that was taken in is answered, again and again.
    private enum FirstAnswer {
        case outcome(SandboxJSON)
        case later(token: String)
    }

    /// What a status address has to say.
    private struct PendingOutcome {
        let destination: SandboxDestination
        let captureID: String?
        let key: String
        let later: SandboxScenario.Later
        let body: SandboxJSON
        let isFailed: Bool
        var pollsLeft: Int
    }

    init(_ scenario: SandboxScenario) { self.scenario = scenario }

    /// One request on its way; given back to ``depart(_:)`` when it ends.
    struct Arrival: Sendable {
        let destination: SandboxDestination
        let key: String?
        let traceparent: String?
        let requestNumber: Int
        let keyNumber: Int
        let isConflict: Bool
    }

    /// What to answer and how it is written down.
    struct Decision {
        var reply: Reply
        var delayMilliseconds = 0
        var request: SandboxRecord.Request
    }

    enum Reply {
        case outcome(SandboxJSON, isReplayed: Bool)
        case accepted(token: String, captureID: String?, retryAfter: String?, isReplayed: Bool)
        case refused(Refusal)
        case status(Int, [SandboxScenario.HeaderField])
        case drop(isReset: Bool)
        indirect case cutShort(Reply)
        indirect case spoilt(Reply, SandboxScenario.Body)
    }

    // MARK: - a submission

    /// The head is there: the key is taken, and rules that act before reading are looked for.
    mutating func arrive(
        _ destination: SandboxDestination, _ headers: RequestHeaders
    ) -> (arrival: Arrival, early: SandboxScenario.Rule?) {
        if let key = headers.key { keysSeen.insert(key) }
        record.keys = keysSeen.count
        let name = headers.key.map { "\(destination.rawValue) \($0)" }
        let isConflict = name.map { entries[$0, default: KeyEntry()].isInProgress } ?? false
        if let name { entries[name, default: KeyEntry()].isInProgress = true }
        let arrival = Arrival(
            destination: destination, key: headers.key, traceparent: headers.traceparent,
            requestNumber: count("request \(destination.rawValue)"), keyNumber: name.map { count("key \($0)") } ?? 0,
            isConflict: isConflict)
        let early = scenario.rules.first { rule in
            rule.actsBeforeReading && matches(rule.match, arrival, nil, [:])
        }
        return (arrival, early)
    }

    /// The request is over, answered or not: its key may be used again.
    mutating func depart(_ arrival: Arrival) {
        if let key = arrival.key, !arrival.isConflict { entries[name(arrival, key)]?.isInProgress = false }
    }

    /// The body is complete.
    mutating func decide(_ arrival: Arrival, _ body: Result<Submission, Refusal>) -> Decision {
        let submission: Submission
        switch body {
        case .failure(let refusal): return refuse(arrival, nil, refusal)
        case .success(let complete): submission = complete
        }
        guard let key = arrival.key else { return refuse(arrival, submission, .malformed("Idempotency-Key is not one UUID.")) }
        if arrival.isConflict {
            return refuse(
                arrival, submission, Refusal(status: 409, code: "in_progress", detail: "A request with this key is in progress."))
        }
        var entry = entries[name(arrival, key), default: KeyEntry()]
        if let fingerprint = entry.fingerprint, fingerprint != submission.fingerprint {
            return refuse(
                arrival, submission,
                Refusal(status: 422, code: "key_reused", detail: "This key was used with another body before."))
        }
        entry.fingerprint = submission.fingerprint
        let numbers: [SandboxScenario.Scope: Int] = [
            .piece: count("piece \(arrival.destination.rawValue) \(submission.piece)"),
            .session: count("session \(submission.sessionID ?? "-") \(submission.piece)"),
            .capture: count("capture \(submission.captureName)"),
        ]
        let rule = scenario.rules.first { !$0.actsBeforeReading && matches($0.match, arrival, submission, numbers) }
        let decision = takeIn(submission, arrival, key, rule, &entry)
        entries[name(arrival, key)] = entry
        return decision
    }

    private mutating func takeIn(
        _ submission: Submission, _ arrival: Arrival, _ key: String, _ rule: SandboxScenario.Rule?, _ entry: inout KeyEntry
    ) -> Decision {
        var request = requestRecord(arrival, submission)
        let reply: Reply
        if let first = entry.first {
            request.isReplayed = true
            switch first {
            case .outcome(let json): reply = .outcome(json, isReplayed: true)
            case .later(let token):
                reply = .accepted(
                    token: token, captureID: submission.captureID, retryAfter: pending[token]?.later.retryAfter, isReplayed: true)
            }
        } else {
            let answer = rule?.answer ?? .byDefault(submission)
            let body = answer.json(piece: submission.piece, captureID: submission.captureID)
            let isKept = rule?.fault?.keepsSubmission ?? true
            if let later = rule?.later {
                tokens += 1
                let token = "s\(tokens)"
                if isKept {
                    pending[token] = PendingOutcome(
                        destination: arrival.destination, captureID: submission.captureID, key: name(arrival, key), later: later,
                        body: body, isFailed: answer.isFailed, pollsLeft: later.polls)
                    if !later.isLost { entry.first = .later(token: token) }
                }
                reply = .accepted(
                    token: token, captureID: submission.captureID, retryAfter: later.retryAfter, isReplayed: false)
            } else {
                if isKept, !answer.isFailed { entry.first = .outcome(body) }
                reply = .outcome(body, isReplayed: false)
            }
            request.isEffect = entry.first != nil && !answer.isFailed
            if request.isEffect { record.effects[submission.effectName, default: 0] += 1 }
        }
        let spoilt = reply.spoilt(by: rule?.fault)
        request.status = spoilt.status
        return Decision(reply: spoilt, delayMilliseconds: rule?.delayMilliseconds ?? 0, request: request)
    }

    private func refuse(_ arrival: Arrival, _ submission: Submission?, _ refusal: Refusal) -> Decision {
        var request = requestRecord(arrival, submission)
        request.status = refusal.status
        request.problem = refusal.detail
        return Decision(reply: .refused(refusal), request: request)
    }

    /// A request that got no further than its head or the middle of its body.
    func cutOff(_ arrival: Arrival, status: Int, _ problem: String) -> SandboxRecord.Request {
        var request = requestRecord(arrival, nil)
        request.status = status
        request.problem = problem
        return request
    }

    private func requestRecord(_ arrival: Arrival, _ submission: Submission?) -> SandboxRecord.Request {
        SandboxRecord.Request(
            destination: arrival.destination, key: arrival.key, sessionID: submission?.sessionID, piece: submission?.piece,
            captureID: submission?.captureID, digest: submission?.digest, bytes: submission?.bytes ?? 0, status: 0,
            isEffect: false, isReplayed: false, fingerprint: submission?.fingerprint, traceparent: arrival.traceparent)
    }

    mutating func note(_ request: SandboxRecord.Request) { record.requests.append(request) }

    // MARK: - a status address

    mutating func probe(_ token: String) -> (reply: Reply, probe: SandboxRecord.Probe) {
        guard var outcome = pending[token], !outcome.later.isLost else {
            let reply = Reply.refused(Refusal(status: 404, code: "unknown_submission", detail: "No such submission."))
            let known = pending[token]
            return (reply, note(.init(destination: known?.destination, captureID: known?.captureID, status: 404)))
        }
        if outcome.pollsLeft > 0 {
            outcome.pollsLeft -= 1
            pending[token] = outcome
            let reply = Reply.accepted(
                token: token, captureID: outcome.captureID, retryAfter: outcome.later.retryAfter, isReplayed: false)
            return (reply, note(.init(destination: outcome.destination, captureID: outcome.captureID, status: 202)))
        }
        // a failed outcome frees its key for the next attempt, once it is known
        if outcome.isFailed { entries[outcome.key]?.first = nil }
        return (
            .outcome(outcome.body, isReplayed: false),
            note(.init(destination: outcome.destination, captureID: outcome.captureID, status: 200))
        )
    }

    private mutating func note(_ probe: SandboxRecord.Probe) -> SandboxRecord.Probe {
        record.probes.append(probe)
        return probe
    }

    // MARK: - counting

    /// Forgets requests, keys and effects; the scenario begins anew.
    mutating func reset() {
        let inProgress = entries.filter { $0.value.isInProgress }.keys
        self = Endpoints(scenario)
        for name in inProgress { entries[name] = KeyEntry(isInProgress: true) }
    }

    private func name(_ arrival: Arrival, _ key: String) -> String { "\(arrival.destination.rawValue) \(key)" }

    private mutating func count(_ scope: String) -> Int {
        counters[scope, default: 0] += 1
        return counters[scope, default: 0]
    }

    private func matches(
        _ match: SandboxScenario.Match, _ arrival: Arrival, _ submission: Submission?, _ numbers: [SandboxScenario.Scope: Int]
    ) -> Bool {
        if let destination = match.destination, destination != arrival.destination { return false }
        if let piece = match.piece, piece != submission?.piece { return false }
        if let session = match.sessionID, session != submission?.sessionID { return false }
        if let capture = match.captureID, capture != submission?.captureID { return false }
        guard let nth = match.nth else { return true }
        let number =
            switch match.scope {
            case .request: arrival.requestNumber
            case .key: arrival.keyNumber
            case .piece, .session, .capture: numbers[match.scope] ?? 0
            }
        return nth.contains(number)
    }
}
