package import SessionDomain

extension SessionEvent {
    /// What happened, in one sentence for a person who knows what a passport page is and not what an event is. Nothing personal is in it.
    package var sentence: String {
        switch self {
        case .sessionStarted(let event): Self.started(event)
        case .sessionSuspended: "The session was paused."
        case .sessionResumed: "The session went on."
        case .captureRefused(let event):
            "A \(event.piece.phrase) was offered \(event.source.phrase) and not taken in. \(event.failure.text.staff)"
        case .pieceCaptured(let event): Self.captured(event)
        case .pieceChecked(let event): Self.checked(event)
        case .pieceConfirmed(let event):
            "The \(event.piece.phrase) was confirmed and waits to be sent to \(event.destination)."
        case .pieceRetaken(let event): "The \(event.piece.phrase) was not kept; it is taken again."
        case .pieceVerified(let event):
            event.late
                ? "\(event.destination) verified an earlier \(event.piece.phrase); that changes nothing."
                : "\(event.destination) verified the \(event.piece.phrase)\(Self.effort(event.attempts, event.score))."
        case .pieceRejected(let event):
            event.late
                ? "\(event.destination) rejected an earlier \(event.piece.phrase); that changes nothing."
                : "\(event.destination) rejected the \(event.piece.phrase)\(Self.effort(event.attempts, event.score)). \(event.failure.text.staff)"
        case .pieceDeliveryParked(let event): Self.parked(event)
        case .pieceDeliveryRequeued(let event): "The \(event.piece.phrase) is sent to \(event.destination) once more."
        case .pendingPiecesDropped(let event):
            "\(Self.list(event.pieces).capitalizedFirst) left the run, as the \(event.by.rawValue) asked."
        case .hologramRecordingStarted(let event): "Recording \(event.recording) of the hologram began."
        case .hologramRecordingCancelled(let event):
            "Recording \(event.recording) of the hologram ended without a video: \(event.cause.phrase)."
        case .guidanceObserved(let event): Self.guided(event)
        case .interactionRecorded(let event): event.interaction.sentence
        case .sessionCompleted(let event):
            "Every piece is verified: the session is complete, \(Self.length(event.durationMilliseconds)) after it began."
        case .sessionExited(let event):
            "The user backed out \(event.exitClass.phrase), \(Self.length(event.durationMilliseconds)) after the session began."
        case .sessionExpired(let event):
            "The deadline passed before everything was captured, \(Self.length(event.durationMilliseconds)) after the session began."
        case .sessionCancelled(let event):
            "The host called the session off, \(Self.length(event.durationMilliseconds)) after it began."
        case .hologramTransactionBound: "The hologram's transaction became known."
        case .mediaPurged(let event):
            "The original of the \(event.piece.phrase) was destroyed (\(event.cause.replacing("_", with: " ")))."
        case .sessionErased: "The session was erased: its key is destroyed and nothing of it opens any more."
        }
    }

    /// Something was not accepted: media, a capture by its checks, a piece by the verifier.
    package var isRefusal: Bool {
        switch self {
        case .captureRefused, .pieceRejected: true
        case .pieceChecked(let event): event.failure != nil
        default: false
        }
    }

    /// It came for a capture that did not count any more, and changed nothing.
    package var isLate: Bool {
        switch self {
        case .pieceChecked(let event): event.late
        case .pieceVerified(let event): event.late
        case .pieceRejected(let event): event.late
        case .pieceDeliveryParked(let event): event.late
        default: false
        }
    }

    private static func started(_ event: SessionStarted) -> String {
        let pieces = event.configuration.value.pieces
        let deadline = event.deadlineAtMilliseconds.map {
            " It may be captured for \(length($0 - event.startedAtMilliseconds))."
        }
        return "The session began: \(list(pieces)) \(pieces.count == 1 ? "is" : "are") asked for.\(deadline ?? "")"
    }

    private static func captured(_ event: PieceCaptured) -> String {
        let media = event.media
        let facts = [media.type, "\(media.width) × \(media.height)", size(media.bytes)]
        let attempt = event.attempt.map { $0 > 1 ? ", attempt \($0)" : "" } ?? ""
        return "The \(event.piece.phrase) was captured \(event.source.phrase)\(attempt): \(facts.joined(separator: ", "))."
    }

    private static func checked(_ event: PieceChecked) -> String {
        if event.late { return "An earlier \(event.piece.phrase) was judged; that changes nothing." }
        if let failure = event.failure { return "The \(event.piece.phrase) did not pass its checks. \(failure.text.staff)" }
        let policy = event.policyVersion.map { " under policy \($0)" } ?? ""
        return "The \(event.piece.phrase) passed its checks\(policy)."
    }

    private static func parked(_ event: PieceDeliveryParked) -> String {
        let why = event.cause.replacing("_", with: " ")
        if event.late { return "The delivery of an earlier \(event.piece.phrase) gave up (\(why)); that changes nothing." }
        let next = event.needsRecapture ? " It must be captured again." : " The capture is kept and can be sent again."
        return "The delivery of the \(event.piece.phrase) to \(event.destination) gave up (\(why)).\(next)"
    }

    private static func guided(_ event: GuidanceObserved) -> String {
        var counts: [(name: String, count: Int)] = []
        for observation in event.observations {
            let name = observation.phrase
            if let index = counts.firstIndex(where: { $0.name == name }) {
                counts[index].count += 1
            } else {
                counts.append((name, 1))
            }
        }
        if counts.isEmpty { return "While scanning nothing was observed." }
        let named = counts.prefix(4).map { $0.count == 1 ? $0.name : "\($0.name) \($0.count) times" }
        return "While scanning: \(named.joined(separator: ", "))\(counts.count > 4 ? " and more" : "")."
    }

    private static func effort(_ attempts: Int, _ score: Double?) -> String {
        let parts = [attempts > 1 ? "request \(attempts)" : nil, score.map { "score \($0)" }].compactMap { $0 }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }

    private static func list(_ pieces: [Piece]) -> String {
        let names = pieces.map(\.phrase)
        if names.count < 2 { return names.first.map { "the \($0)" } ?? "nothing" }
        return "the \(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
    }

    private static func size(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1_024: "\(bytes) bytes"
        case ..<1_048_576: "\(bytes / 1_024) KiB"
        default: "\(bytes * 10 / 1_048_576 / 10).\(bytes * 10 / 1_048_576 % 10) MiB"
        }
    }

    private static func length(_ milliseconds: Int64) -> String {
        switch milliseconds {
        case ..<1_000: "\(milliseconds) ms"
        case ..<120_000: "\(milliseconds / 1_000) s"
        case ..<7_200_000: "\(milliseconds / 60_000) min"
        case ..<172_800_000: "\(milliseconds / 3_600_000) h"
        default: "\(milliseconds / 86_400_000) d"
        }
    }
}
