extension SandboxScenario {
    /// Reads the JSON form strictly: whatever is not known is an error that says what was probably meant.
    ///
    /// - Throws: `scenario_invalid`, naming the place.
    package init(json bytes: [UInt8]) throws(SandboxError) {
        let value: SandboxJSON
        do { value = try SandboxJSON(reading: bytes) } catch {
            throw .scenario("", "is not JSON: \(error.reason), at byte \(error.position)")
        }
        let object = try ScenarioObject(value, "", known: ["schema", "require_authorization", "rules"])
        guard try object.integer("schema", atLeast: 1) ?? 1 == 1 else {
            throw .scenario("schema", "is not 1", "This version reads schema 1.")
        }
        self.init(requiredAuthorization: try object.text("require_authorization"))
        for (index, element) in try object.array("rules").enumerated() {
            rules.append(try Rule(element, "rules[\(index)]"))
        }
    }

    package init(json text: String) throws(SandboxError) { try self.init(json: Array(text.utf8)) }
}

extension SandboxScenario.Rule {
    private static let answers = ["verified", "rejected", "failed", "score", "raw"]
    private static let faults = ["drop", "status", "body"]
    private static let others = [
        "destination", "piece", "session_id", "capture_id", "nth", "per", "delay_ms", "later", "retry_after", "headers",
        "store", "before_reading", "reset", "comment",
    ]

    init(_ json: SandboxJSON, _ path: String) throws(SandboxError) {
        let object = try ScenarioObject(json, path, known: Self.answers + Self.faults + Self.others)
        for group in [Self.answers, Self.faults] {
            let given = group.filter { object.has($0) }
            if given.count > 1 {
                throw .scenario(path, "has both '\(given[0])' and '\(given[1])'", "Keep one of them.")
            }
        }
        self.init(
            try SandboxScenario.Match(object), answer: try SandboxScenario.Answer(object),
            later: try SandboxScenario.Later(object), fault: try SandboxScenario.Fault(object),
            delayMilliseconds: try object.integer("delay_ms", atLeast: 0) ?? 0)
        try fitDestination(path)
        if actsBeforeReading {
            let usesBody = match.piece != nil || match.sessionID != nil || match.captureID != nil
            if usesBody || (match.nth != nil && match.scope != .request && match.scope != .key) {
                throw .scenario(
                    path, "acts before the body is read, so it cannot know what the body says",
                    "Count with 'per': 'request' or 'key', and name no piece, session or capture.")
            }
            if answer != nil || later != nil {
                throw .scenario(path, "never gets as far as its answer", "Leave the answer out.")
            }
        }
    }

    /// An answer belongs to one destination, and so does the rule.
    private mutating func fitDestination(_ path: String) throws(SandboxError) {
        let fitting: SandboxDestination? =
            switch answer {
            case .verified, .rejected, .failed: .verifier
            case .score: .hologram
            case .raw, nil: nil
            }
        if let fitting, let given = match.destination, given != fitting {
            throw .scenario(path, "gives an answer that the \(given.rawValue) endpoint does not give")
        }
        match.destination = match.destination ?? fitting
    }
}

extension SandboxScenario.Match {
    init(_ object: ScenarioObject) throws(SandboxError) {
        self.init(
            destination: try object.choice("destination", SandboxDestination.self),
            piece: try object.choice("piece", among: knownPieces), sessionID: try object.text("session_id")?.lowercased(),
            captureID: try object.text("capture_id")?.lowercased(), nth: try SandboxScenario.Nth(object),
            per: try object.choice("per", SandboxScenario.Scope.self) ?? .piece)
        if object.has("per"), nth == nil {
            throw .scenario(object.path("per"), "counts nothing without 'nth'", "Add 'nth' or leave 'per' out.")
        }
    }
}

extension SandboxScenario.Nth {
    init?(_ object: ScenarioObject) throws(SandboxError) {
        let path = object.path("nth")
        switch object["nth"] {
        case nil: return nil
        case .array(let elements):
            var numbers: [Int] = []
            for element in elements {
                guard let number = element.integer, number >= 1 else {
                    throw .scenario(path, "holds something else than 1, 2, 3 …")
                }
                numbers.append(number)
            }
            self = .only(numbers)
        case .some(let value):
            if case .object = value {
                let range = try ScenarioObject(value, path, known: ["from", "to"])
                self = .range(from: try range.integer("from", atLeast: 1) ?? 1, to: try range.integer("to", atLeast: 1))
            } else if let number = value.integer, number >= 1 {
                self = .only([number])
            } else {
                throw .scenario(path, "is neither a number from 1 on, nor a list of them, nor {\"from\", \"to\"}")
            }
        }
    }
}

extension SandboxScenario.Answer {
    init?(_ object: ScenarioObject) throws(SandboxError) {
        if let inner = try object.object("verified", known: ["payload", "drop_pieces"]) {
            self = .verified(payload: inner["payload"], dropPieces: try inner.pieces("drop_pieces"))
        } else if let inner = try object.object("rejected", known: ["reason", "staff_reason", "drop_pieces"]) {
            self = .rejected(
                reason: try inner.text("reason") ?? "The picture cannot be used. Please take it again.",
                staffReason: try inner.text("staff_reason"), dropPieces: try inner.pieces("drop_pieces"))
        } else if let inner = try object.object("failed", known: ["message"]) {
            self = .failed(message: try inner.text("message") ?? "The verifier reached no decision.")
        } else if let value = object["score"] {
            guard case .number(let digits) = value else { throw .scenario(object.path("score"), "is not a number") }
            self = .score(digits)
        } else if let value = object["raw"] {
            self = .raw(value)
        } else {
            return nil
        }
    }
}

extension SandboxScenario.Later {
    init?(_ object: ScenarioObject) throws(SandboxError) {
        guard let inner = try object.object("later", known: ["polls", "retry_after", "lost"]) else { return nil }
        self.init(
            polls: try inner.integer("polls", atLeast: 0) ?? 1, retryAfter: try inner.textOrNumber("retry_after"),
            isLost: try inner.flag("lost"))
    }
}

extension SandboxScenario.Fault {
    init?(_ object: ScenarioObject) throws(SandboxError) {
        try Self.refuseStray(object)
        if let drop = try object.choice("drop", SandboxScenario.Drop.self) {
            let isReset = try object.flag("reset")
            if isReset, drop == .whileAnswering {
                throw .scenario(object.path("reset"), "cannot be had while answering", "Leave it out, or use 'after_storing'.")
            }
            self = .drop(drop, isReset: isReset)
        } else if let status = try object.integer("status", atLeast: 200) {
            guard status <= 599 else { throw .scenario(object.path("status"), "is not a status from 200 to 599") }
            var headers = try object.headers("headers")
            if let value = try object.textOrNumber("retry_after") { headers.append(.init("Retry-After", value)) }
            self = .status(
                status, headers: headers, isStored: try object.flag("store"), isBeforeReading: try object.flag("before_reading")
            )
        } else if let body = try object.choice("body", SandboxScenario.Body.self) {
            self = .body(body, isStored: try object.flag("store"))
        } else {
            return nil
        }
    }

    /// Members that mean something only beside others.
    private static func refuseStray(_ object: ScenarioObject) throws(SandboxError) {
        let companions = [
            "reset": ["drop"], "store": ["status", "body"], "before_reading": ["status"], "headers": ["status"],
            "retry_after": ["status"],
        ]
        for (name, needed) in companions.sorted(by: { $0.key < $1.key }) where object.has(name) {
            if !needed.contains(where: { object.has($0) }) {
                throw .scenario(
                    object.path(name), "means something only with \(needed.map { "'\($0)'" }.joined(separator: " or "))")
            }
        }
    }
}
