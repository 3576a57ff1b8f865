import SessionDomain

/// What a complete answer with a 2xx status says, as far as our own checks let it.
struct ReadAnswer: Hashable {
    let finding: AnswerFinding
    /// With the finding `outcome` only.
    var outcome: DeliveryOutcome?
    /// Where a 202 says that its outcome will be; nil leaves the address as it is.
    var statusAddress: String?

    init(_ finding: AnswerFinding, outcome: DeliveryOutcome? = nil, statusAddress: String? = nil) {
        self.finding = finding
        self.outcome = outcome
        self.statusAddress = statusAddress
    }
}

struct AnswerReader {
    let destination: Destination
    let capture: CaptureID

    /// - Parameter knownAddress: the status address that the delivery has already.
    func read(_ result: TransferResult, of kind: AttemptRecord.Kind, knownAddress: String?) -> ReadAnswer {
        if result.headers.contradict(bodyBytes: result.body.count) { return ReadAnswer(.lengthsDiffer) }
        let document = try? JSONValue.parse(result.body)
        if result.status == 202 { return accepted(result.headers, document, of: kind, knownAddress) }
        guard let document else { return ReadAnswer(.notJSON) }
        return switch destination.kind {
        case .verifier: verifier(document)
        case .hologram: hologram(document)
        }
    }

    private func accepted(
        _ headers: [Header], _ document: JSONValue?, of kind: AttemptRecord.Kind, _ known: String?
    ) -> ReadAnswer {
        let inBody = document.flatMap { JSONPointer.value(at: destination.mapping.statusAddress, in: $0)?.asString }
        guard let named = headers.last(named: "location") ?? inBody else {
            let canBeAsked = known != nil || destination.statusURL != nil || kind == .statusQuery
            return ReadAnswer(canBeAsked ? .statusAddress : .noStatusAddress)
        }
        guard let address = Origin.resolve(named, against: known ?? destination.url) else {
            return ReadAnswer(.foreignStatusAddress)
        }
        return ReadAnswer(.statusAddress, statusAddress: address)
    }

    private func verifier(_ document: JSONValue) -> ReadAnswer {
        let mapping = destination.mapping
        guard document.asMembers != nil || mapping.outcome.isEmpty else { return ReadAnswer(.noOutcome) }
        if let pointer = mapping.captureID {
            guard let echo = JSONPointer.value(at: pointer, in: document)?.asString, CaptureID(echo) == capture else {
                return ReadAnswer(.foreign)
            }
        }
        guard let outcome = JSONPointer.value(at: mapping.outcome, in: document)?.plainText,
            let drop = pieces(JSONPointer.value(at: mapping.dropPieces, in: document))
        else { return ReadAnswer(.noOutcome) }
        if mapping.failedValues.contains(outcome) { return ReadAnswer(.noDecision) }
        if mapping.verifiedValues.contains(outcome) {
            let payload = JSONPointer.value(at: mapping.payload, in: document) ?? .null
            return ReadAnswer(.outcome, outcome: .verified(payload: payload.canonicalBytes, score: nil, drop: drop))
        }
        guard mapping.rejectedValues.contains(outcome) else { return ReadAnswer(.noOutcome) }
        var reason = ""
        if let pointer = mapping.reason {
            guard let text = JSONPointer.value(at: pointer, in: document)?.asString else { return ReadAnswer(.noOutcome) }
            reason = text
        }
        let staffReason = JSONPointer.value(at: mapping.staffReason, in: document)?.asString
        return ReadAnswer(
            .outcome, outcome: .rejected(reason: reason, staffReason: staffReason, score: nil, drop: drop))
    }

    /// Pieces this version does not know are ignored, as unknown pieces are everywhere; nil for anything but a list of names.
    private func pieces(_ value: JSONValue?) -> [Piece]? {
        guard let value, value != .null else { return [] }
        guard let list = value.asArray else { return nil }
        var result: [Piece] = []
        for element in list {
            guard let name = element.asString else { return nil }
            if let piece = Piece(rawValue: name), !result.contains(piece) { result.append(piece) }
        }
        return result
    }

    /// S78. The whole answer is the payload: unknown entries and fields are kept. Whether a score is enough (S79) the
    /// domain decides, with the session's own pass mark.
    private func hologram(_ document: JSONValue) -> ReadAnswer {
        guard let entries = document["controlResults"]?.asArray,
            let entry = entries.first(where: { $0["entryType"]?.asString == "HOLOGRAM" }),
            let score = entry["entryScore"]?.asDouble, score.isFinite
        else { return ReadAnswer(.noScore) }
        return ReadAnswer(.outcome, outcome: .verified(payload: document.canonicalBytes, score: score, drop: []))
    }
}

extension JSONValue {
    /// A text, a truth value or a whole number, as the text that a mapping's values are compared with.
    fileprivate var plainText: String? {
        switch self {
        case .string(let text): text
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        default: nil
        }
    }
}
