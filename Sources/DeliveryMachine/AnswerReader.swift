import SessionDomain

/// What a complete answer with a 2xx status says.
enum AnswerMeaning: Hashable {
    case outcome(DeliveryOutcome)
    /// No decision was reached: the same capture is sent again (S14).
    case failed
    /// Not what the contract allows: HTML from a captive portal, an empty body, no outcome, another capture's answer.
    case contractBreak
}

struct AnswerReader {
    let destination: Destination
    let capture: CaptureID

    func read(_ result: TransferResult) -> AnswerMeaning {
        guard !result.headers.contradictLength, let document = try? JSONValue.parse(result.body) else { return .contractBreak }
        return switch destination.kind {
        case .verifier: verifier(document)
        case .hologram: hologram(document)
        }
    }

    /// The address in the body of a 202, when it has no `Location`.
    func statusAddress(_ result: TransferResult) -> String? {
        guard let document = try? JSONValue.parse(result.body) else { return nil }
        return JSONPointer.value(at: destination.mapping.statusAddress, in: document)?.asString
    }

    private func verifier(_ document: JSONValue) -> AnswerMeaning {
        let mapping = destination.mapping
        if let pointer = mapping.captureID {
            guard let echo = JSONPointer.value(at: pointer, in: document)?.asString, CaptureID(echo) == capture else {
                return .contractBreak
            }
        }
        guard let outcome = JSONPointer.value(at: mapping.outcome, in: document)?.plainText,
            let drop = pieces(JSONPointer.value(at: mapping.dropPieces, in: document))
        else { return .contractBreak }
        if mapping.failedValues.contains(outcome) { return .failed }
        if mapping.verifiedValues.contains(outcome) {
            let payload = JSONPointer.value(at: mapping.payload, in: document) ?? .null
            return .outcome(.verified(payload: payload.canonicalBytes, score: nil, drop: drop))
        }
        guard mapping.rejectedValues.contains(outcome) else { return .contractBreak }
        var reason = ""
        if let pointer = mapping.reason {
            guard let text = JSONPointer.value(at: pointer, in: document)?.asString else { return .contractBreak }
            reason = text
        }
        let staffReason = JSONPointer.value(at: mapping.staffReason, in: document)?.asString
        return .outcome(.rejected(reason: reason, staffReason: staffReason, score: nil, drop: drop))
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
    private func hologram(_ document: JSONValue) -> AnswerMeaning {
        guard let entries = document["controlResults"]?.asArray,
            let entry = entries.first(where: { $0["entryType"]?.asString == "HOLOGRAM" }),
            let score = entry["entryScore"]?.asDouble, score.isFinite
        else { return .contractBreak }
        return .outcome(.verified(payload: document.canonicalBytes, score: score, drop: []))
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

extension [Header] {
    /// Two lengths that differ: whoever reads only one of them reads another message. libcurl accepts it (measured).
    fileprivate var contradictLength: Bool {
        Set(filter { $0.name.lowercased() == "content-length" }.map(\.value)).count > 1
    }
}
