import CaptureLedger
import SessionDomain

extension CaptureResultReceipt {
    func json(piece: Piece) -> JSONValue {
        switch outcome {
        case .captured(let id, let attempt):
            let capture: JSONValue = [
                "id": .string(id.text), "piece": .string(piece.rawValue), "attempt": .whole(attempt), "media": mediaJSON,
            ]
            let object: JSONValue = [
                "capture": capture, "outcome": check?.failure == nil ? "accepted" : "failed_checks",
                "failure": .text(check?.failure?.rawValue), "findings": check?.findings.json ?? [], "receipt": receipt.json,
            ]
            guard let check else { return object }
            var checked = object.adding("detail", check.detail.map { .string($0) })
                .adding("policy_version", check.policyVersion.map { .string($0) })
                .adding("page", check.page.map(\.json)).adding("fields", check.fields.map(\.json))
                .adding("crop", check.crop.map(\.json))
            if let text = check.failure?.text {
                checked = checked.adding("message", .string(text.user)).adding("remedy", .string(text.remedy))
            }
            if case .unchecked(let obstacle) = check.standing { checked = checked.adding("unchecked", obstacle.json) }
            return checked
        case .refused(let code, let detail, let message, let remedy):
            return [
                "capture": ["id": .null, "piece": .string(piece.rawValue), "attempt": .null, "media": mediaJSON],
                "outcome": "refused", "failure": .string(code.rawValue), "findings": [], "receipt": receipt.json,
                "detail": .text(detail), "message": .string(message), "remedy": .string(remedy),
            ]
        }
    }

    private var mediaJSON: JSONValue {
        guard let media else { return .null }
        return [
            "type": .string(media.type), "bytes": .integer(media.bytes), "width": .whole(media.width),
            "height": .whole(media.height), "orientation": .whole(media.orientation),
            "flags": .array(media.flags.map { .string($0) }),
        ]
    }

    func words(piece: Piece) -> String {
        switch outcome {
        case .captured(let id, let attempt):
            let what = media.map { " \($0.type), \($0.width)×\($0.height), \(Words.bytes($0.bytes))." } ?? ""
            let captured = "Captured \(piece.rawValue), attempt \(attempt):\(what) Sealed as \(id.text)."
            return ([captured] + checkLines(piece) + [receipt.words]).joined(separator: "\n")
        case .refused(let failure, _, _, _):
            return "Refused \(piece.rawValue): \(Words.plain(failure.rawValue)). No attempt was counted.\n\(receipt.words)"
        }
    }

    private func checkLines(_ piece: Piece) -> [String] {
        guard let check else { return [] }
        let table = check.findings.isEmpty ? [] : [check.findings.words(piece)]
        if check.failure == .scannerNotReady {
            return [
                "It could not be checked: the scanner is not ready. Capture it again, or have check --pending go on with it."
            ]
        }
        if let failure = check.failure {
            return ["It failed its checks: \(Words.plain(failure.rawValue)). It is kept and never sent; capture it again."]
                + table
        }
        switch check.standing {
        case .judged: return ["It passed its checks."] + table
        case .unchecked(let obstacle): return ["It could not be checked yet. \(obstacle.words)"]
        case .notAwaited: return []
        }
    }

    /// 65 for one that cannot be used, 75 for one whose checks are still to come.
    var exit: ExitCode {
        if case .refused = outcome { return .refused }
        if check?.failure != nil { return .refused }
        if case .unchecked = check?.standing { return .workLeft }
        return .done
    }

    /// For people, on standard error.
    var note: String? {
        switch outcome {
        case .refused(let failure, _, let message, let remedy): return "\(failure.rawValue): \(message) \(remedy)"
        case .captured:
            guard let failure = check?.failure else { return nil }
            return "\(failure.rawValue): \(failure.text.user) \(failure.text.remedy)"
        }
    }
}
