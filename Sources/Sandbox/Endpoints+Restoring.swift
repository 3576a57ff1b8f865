extension Endpoints {
    /// Takes up one line of an earlier run's record. What the scenario counts begins anew.
    ///
    /// - Throws: `record_unreadable`.
    mutating func restore(_ line: String) throws(SandboxError) {
        guard let json = try? SandboxJSON(reading: Array(line.utf8)), let event = json["event"]?.text else {
            throw .unreadableRecord
        }
        switch event {
        case "request": try restoreRequest(json)
        case "probe": try restoreProbe(json)
        case "reset": reset()
        default: throw .unreadableRecord
        }
    }

    private mutating func restoreRequest(_ json: SandboxJSON) throws(SandboxError) {
        guard let request = SandboxRecord.Request(json) else { throw .unreadableRecord }
        note(request)
        guard let key = request.key else { return }
        keysSeen.insert(key)
        record.keys = keysSeen.count
        let name = "\(request.destination.rawValue) \(key)"
        if let fingerprint = request.fingerprint, request.problem == nil {
            entries[name, default: KeyEntry()].fingerprint = fingerprint
        }
        if request.isEffect {
            record.effects[request.effectName, default: 0] += 1
        }
        guard let answer = json["answer"] else { return }
        let isFailed = json["failed"] == true
        if let later = SandboxScenario.Later(json["later"]), let token = json["later"]?["token"]?.text {
            tokens += 1
            pending[token] = PendingOutcome(
                destination: request.destination, captureID: request.captureID, key: name, later: later, body: answer,
                isFailed: isFailed, pollsLeft: later.polls)
            if !later.isLost { entries[name, default: KeyEntry()].first = .later(token: token) }
        } else {
            entries[name, default: KeyEntry()].first = .outcome(answer)
        }
    }

    private mutating func restoreProbe(_ json: SandboxJSON) throws(SandboxError) {
        guard let token = json["token"]?.text else { throw .unreadableRecord }
        _ = probe(token)
    }
}

extension SandboxScenario.Later {
    /// As a record keeps it.
    func members(_ token: String) -> [SandboxJSON.Member] {
        [
            .init(
                "later",
                [
                    "token": .string(token), "polls": .integer(polls), "retry_after": .optional(retryAfter),
                    "lost": .bool(isLost),
                ])
        ]
    }

    fileprivate init?(_ json: SandboxJSON?) {
        guard let polls = json?["polls"]?.integer else { return nil }
        self.init(polls: polls, retryAfter: json?["retry_after"]?.text, isLost: json?["lost"] == true)
    }
}

extension SandboxRecord.Request {
    /// As it was submitted; a video goes by its digest.
    fileprivate var effectName: String {
        guard let sessionID, let piece, let captureID else { return digest ?? "" }
        return "\(sessionID)/\(piece)/\(captureID)"
    }

    fileprivate init?(_ json: SandboxJSON) {
        guard let destination = json["destination"]?.text.flatMap({ SandboxDestination(rawValue: $0) }),
            let status = json["status"]?.integer, let bytes = json["bytes"]?.integer
        else { return nil }
        self.init(
            destination: destination, key: json["key"]?.text, sessionID: json["session_id"]?.text,
            piece: json["piece"]?.text, captureID: json["capture_id"]?.text, digest: json["digest"]?.text, bytes: bytes,
            status: status, isEffect: json["effect"] == true, isReplayed: json["replayed"] == true,
            fingerprint: json["fingerprint"]?.text, traceparent: json["traceparent"]?.text,
            problem: json["problem"]?.text)
    }
}

extension SandboxError {
    fileprivate static let unreadableRecord = SandboxError(
        code: .recordUnreadable, message: "The file is there and holds no record of a sandbox.",
        remedy: "Name another file, or move that one away.")
}
