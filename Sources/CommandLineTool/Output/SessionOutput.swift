import CaptureLedger
import SessionDomain

extension SessionView {
    var json: JSONValue {
        let object: JSONValue = [
            "id": .string(session.text), "status": .string(flow.status.rawValue), "phase": .string(flow.phase.rawValue),
            "version": .integer(flow.version), "current_piece": .text(flow.currentPiece?.rawValue),
            "pieces": .array(flow.pieces.map(json(of:))), "progress": progress,
            "started_at_ms": .integer(startedAtMilliseconds), "changed_at_ms": .integer(changedAtMilliseconds),
            "ended_at_ms": .whole(endedAtMilliseconds), "context": .text(configuration?.analyticsContext),
        ]
        return object.adding("exit_class", flow.exitClass.map { .string($0.rawValue) })
    }

    private func json(of piece: FlowView.PieceView) -> JSONValue {
        let object: JSONValue = [
            "piece": .string(piece.piece.rawValue), "status": .string(piece.status.rawValue),
            "attempts": .whole(piece.attempts),
            "capture_id": .text(piece.captureID?.text),
        ]
        return object.adding("failure", piece.failure.map { .string($0.rawValue) })
            .adding("score", piece.score.map { .double($0) })
            .adding("checks", checks(of: piece))
            .adding("payload", payloads[piece.piece].map { (try? JSONValue.parse($0)) ?? .string($0) })
    }

    /// What the checks said about the latest capture; nil where nothing was asked.
    private func checks(of piece: FlowView.PieceView) -> JSONValue? {
        guard let judgement = judgements[piece.piece] else { return piece.waitsForChecks ? ["outcome": "waiting"] : nil }
        let object: JSONValue = [
            "outcome": judgement.failure == nil ? "passed" : "failed", "findings": judgement.findings.json,
        ]
        return object.adding("policy_version", judgement.policyVersion.map { .string($0) })
            .adding("page", judgement.page.map(\.json)).adding("fields", judgement.fields.map(\.json))
            .adding("crop", judgement.crop.map(\.json))
    }

    private var progress: JSONValue {
        switch flow.progress {
        case .segments(let count, let filled): ["style": "segments", "count": .whole(count), "filled": .whole(filled)]
        case .steps(let count, let filled): ["style": "steps", "count": .whole(count), "filled": .whole(filled)]
        case .fraction(let value): ["style": "fraction", "value": .double(value)]
        case .hidden: ["style": "hidden"]
        }
    }

    /// Several lines for a person: where the session stands, its pieces, and what comes next.
    var words: String {
        let rows = flow.pieces.map { piece in
            [
                piece.piece.rawValue, Words.plain(piece.status.rawValue),
                piece.attempts == 0 ? "" : Words.count(piece.attempts, "capture"),
                piece.failure.map { "\(Words.plain($0.rawValue)): \($0.text.staff)" } ?? "",
            ]
        }
        return "Session \(session.text): \(flow.status.rawValue), version \(flow.version)\n" + Words.table(rows) + "\n" + next
    }

    private var next: String {
        switch flow.phase {
        case .capturing:
            flow.currentPiece.map { "Next: capture \($0.rawValue)." } ?? "Next: confirm what was captured."
        case .needsRecapture: "Next: capture \(flow.currentPiece?.rawValue ?? "the piece") again."
        case .waitingForVerification: "You may go: everything is captured, verification waits for sync."
        case .finished: "Nothing is left to do."
        }
    }
}

extension CommandReceipt {
    var json: JSONValue {
        [
            "command_id": .string(commandID.text), "positions": .array(positions.map { .integer($0) }),
            "repeated": .bool(isRepeat),
        ]
    }

    var words: String {
        if isRepeat { return "This command was done before; nothing was added." }
        guard let first = positions.first, let last = positions.last else { return "Nothing had to be added." }
        return first == last ? "Stored at position \(first)." : "Stored at positions \(first) to \(last)."
    }
}
