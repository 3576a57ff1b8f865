/// The state behind both endpoints. It decides and counts; it knows no connection and no clock.
struct Endpoints: Sendable {
    var scenario: SandboxScenario {
        didSet { counters = [:] }
    }
    var record = SandboxRecord()
    var counters: [String: Int] = [:]
    var keysSeen: Set<String> = []
    var entries: [String: KeyEntry] = [:]
    var pending: [String: PendingOutcome] = [:]
    var tokens = 0

    /// What is known of an idempotency key.
    struct KeyEntry {
        var fingerprint: String?
        var isInProgress = false
        var first: FirstAnswer?
    }

    /// What a submission that was taken in is answered, again and again.
    enum FirstAnswer {
        case outcome(SandboxJSON)
        case later(token: String)
    }

    /// What a status address has to say.
    struct PendingOutcome {
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
        /// What the key is answered from now on, for a record that is read again; see ``restore(_:)``.
        var kept: [SandboxJSON.Member] = []
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
                arrival, submission,
                Refusal(status: 409, code: "in_progress", detail: "A request with this key is in progress."))
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

    func refuse(_ arrival: Arrival, _ submission: Submission?, _ refusal: Refusal) -> Decision {
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

    func requestRecord(_ arrival: Arrival, _ submission: Submission?) -> SandboxRecord.Request {
        SandboxRecord.Request(
            destination: arrival.destination, key: arrival.key, sessionID: submission?.sessionID, piece: submission?.piece,
            captureID: submission?.captureID, digest: submission?.digest, bytes: submission?.bytes ?? 0, status: 0,
            isEffect: false, isReplayed: false, fingerprint: submission?.fingerprint, traceparent: arrival.traceparent)
    }

    mutating func note(_ request: SandboxRecord.Request) { record.requests.append(request) }

    /// Forgets requests, keys and effects; the scenario begins anew.
    mutating func reset() {
        let inProgress = entries.filter { $0.value.isInProgress }.keys
        self = Endpoints(scenario)
        for name in inProgress { entries[name] = KeyEntry(isInProgress: true) }
    }
}
