/// Opaque bytes that are sealed beside an event; canonical JSON as the façade composes it. Never part of the facts.
package typealias Secret = [UInt8]

/// What a session is asked to do. What is large lies in memory of its own: a command passes through many hands.
package enum SessionCommand: Hashable, Sendable {
    case start(StartSession)
    case suspend
    case resume
    indirect case refuseCapture(RefuseCapture)
    indirect case capture(CapturePiece)
    indirect case recordChecks(RecordChecks)
    /// `captureID` guards against confirming a capture that was meanwhile replaced; nil: the piece's latest.
    case confirm(piece: Piece, captureID: CaptureID?)
    case retake(piece: Piece, captureID: CaptureID?)
    indirect case applyAnswer(ApplyAnswer)
    indirect case parkDelivery(ParkDelivery)
    indirect case requeueDelivery(RequeueDelivery)
    case drop(pieces: [Piece])
    case startHologramRecording
    case cancelHologramRecording(cause: RecordingEnd)
    case observe([Observation])
    case recordInteraction(RecordInteraction)
    /// `secret` holds the transaction itself.
    case bindTransaction(Digest256, secret: Secret?)
    case exit(secret: Secret?)
    case cancel(secret: Secret?)
    /// The caller's clock, without the jumps it knows of, is compared with the deadline.
    case expire
    indirect case purgeMedia(PurgeMedia)
    case erase
}

/// One of the three answers of a verifier (S12).
package enum AnswerOutcome: String, Hashable, Sendable, CaseIterable { case verified, rejected, failed }
