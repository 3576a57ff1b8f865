import EventCoding
import SessionDomain
import TestSupport

/// For every event type one event with everything said and, where something may be left out, one with as little as possible.
enum EventSamples {
    static let capture = Sample.captureID(1)
    static let delivery = Sample.deliveryID(1)
    static let rect = NormalizedRect(x: 0.05, y: 0.8333, width: 0.9, height: 0.1334)

    static let session: [SessionEvent] = lifecycle + captures + answers + hologram

    private static let lifecycle: [SessionEvent] = [
        .sessionStarted(
            SessionStarted(
                configuration: FrozenConfiguration(Sample.configuration([.passportFront, .hologram])),
                startedAtMilliseconds: Sample.now, deadlineAtMilliseconds: Sample.now + 60_000, transaction: Sample.digest(7))),
        .sessionStarted(
            SessionStarted(
                configuration: FrozenConfiguration(Sample.configuration([.selfie])), startedAtMilliseconds: Sample.now,
                deadlineAtMilliseconds: nil, transaction: nil)),
        .sessionSuspended(SessionSuspended(suspendedAtMilliseconds: Sample.now)),
        .sessionResumed(SessionResumed(resumedAtMilliseconds: Sample.now)),
        .pendingPiecesDropped(PendingPiecesDropped(pieces: [.passportBack, .selfie], by: .verifier)),
        .interactionRecorded(
            InteractionRecorded(interaction: .reminderRequested, piece: .selfie, remindAtMilliseconds: Sample.now)),
        .interactionRecorded(InteractionRecorded(interaction: .permissionDenied, piece: nil, remindAtMilliseconds: nil)),
        .sessionCompleted(SessionCompleted(durationMilliseconds: 90_000)),
        .sessionExited(SessionExited(exitClass: .afterRejection, durationMilliseconds: 1)),
        .sessionExpired(SessionExpired(durationMilliseconds: 0)),
        .sessionCancelled(SessionCancelled(durationMilliseconds: 5)),
        .sessionErased(SessionErased(erasedAtMilliseconds: Sample.now)),
    ]

    private static let captures: [SessionEvent] = [
        .captureRefused(
            CaptureRefused(
                piece: .passportBack, source: .file, failure: .unsupportedFormat, detail: "gif", bytes: 4_096,
                commitment: Sample.digest(3))),
        .captureRefused(
            CaptureRefused(piece: .selfie, source: .camera, failure: .empty, detail: nil, bytes: nil, commitment: nil)),
        .pieceCaptured(
            PieceCaptured(
                piece: .hologram, captureID: capture, source: .camera, attempt: 2,
                media: MediaFacts(
                    type: "video/mp4", bytes: 500_000, width: 1_280, height: 720, orientation: 1, flags: ["fragmented"]),
                commitment: Sample.digest(1), sealedDigest: Sample.digest(2), sealedBytes: 500_200, rotation: 90,
                measurements: [Measurement(metric: "tilt_degrees", value: 1.25)],
                fields: FieldDetections(photo: rect, signature: nil, mrz: rect), confirmsAfterChecks: true,
                supersedes: Sample.captureID(9))),
        .pieceCaptured(
            PieceCaptured(
                piece: .passportFront, captureID: capture, source: .gallery, attempt: 1, media: Sample.media(),
                commitment: Sample.digest(1), sealedDigest: Sample.digest(2), sealedBytes: 40_100, rotation: nil,
                measurements: [], fields: nil, confirmsAfterChecks: false, supersedes: nil)),
        .pieceChecked(
            PieceChecked(
                piece: .passportFront, captureID: capture,
                findings: [
                    Finding(
                        metric: "glare_score", value: 0.4, passed: false, direction: .atMost, threshold: 0.25, region: rect,
                        model: String(repeating: "ab", count: 32), policyVersion: "3"),
                    Finding(metric: "face_count", value: 1),
                ], failure: .glare, detail: "wall_clock", policyVersion: "3", page: rect,
                fields: FieldDetections(photo: nil, signature: nil, mrz: rect), crop: Sample.crop(1), late: true)),
        .pieceChecked(
            PieceChecked(
                piece: .selfie, captureID: capture, findings: [], failure: nil, detail: nil, policyVersion: nil, page: nil,
                fields: nil, crop: nil, late: false)),
        .pieceConfirmed(
            PieceConfirmed(
                piece: .selfie, captureID: capture, destination: "verifier", confirmedAtMilliseconds: Sample.now)),
        .pieceRetaken(PieceRetaken(piece: .selfie, captureID: capture)),
        .mediaPurged(
            MediaPurged(
                piece: .hologram, captureID: capture, cause: "answered", bytes: 500_000, commitment: Sample.digest(1))),
        .mediaPurged(MediaPurged(piece: .selfie, captureID: capture, cause: "retention", bytes: 0, commitment: nil)),
    ]

    private static let answers: [SessionEvent] = [
        .pieceVerified(
            PieceVerified(
                piece: .hologram, captureID: capture, deliveryID: delivery, destination: "hologram",
                evidence: Sample.digest(4), attempts: 3, score: 0.875, durationMilliseconds: 1_500, late: true)),
        .pieceVerified(
            PieceVerified(
                piece: .selfie, captureID: capture, deliveryID: delivery, destination: "host", evidence: nil, attempts: 1,
                score: nil, durationMilliseconds: nil, late: false)),
        .pieceRejected(
            PieceRejected(
                piece: .hologram, captureID: capture, deliveryID: delivery, destination: "hologram",
                evidence: Sample.digest(4), attempts: 1, score: 0.25, failure: .scoreBelowPassMark,
                durationMilliseconds: 20, late: true)),
        .pieceRejected(
            PieceRejected(
                piece: .selfie, captureID: capture, deliveryID: delivery, destination: "verifier", evidence: nil, attempts: 1,
                score: nil, failure: .rejectedByVerifier, durationMilliseconds: nil, late: false)),
        .pieceDeliveryParked(
            PieceDeliveryParked(
                piece: .hologram, captureID: capture, deliveryID: delivery, destination: "hologram", cause: "media_destroyed",
                evidence: Sample.digest(4), attempts: 1, needsRecapture: true, late: true)),
        .pieceDeliveryParked(
            PieceDeliveryParked(
                piece: .selfie, captureID: capture, deliveryID: delivery, destination: "verifier",
                cause: "failed_permanently", evidence: nil, attempts: 25, needsRecapture: false, late: false)),
        .pieceDeliveryRequeued(
            PieceDeliveryRequeued(piece: .selfie, captureID: capture, deliveryID: delivery, destination: "verifier")),
    ]

    private static let hologram: [SessionEvent] = [
        .hologramRecordingStarted(HologramRecordingStarted(recording: 1)),
        .hologramRecordingCancelled(HologramRecordingCancelled(recording: 1, cause: .documentLeft)),
        .guidanceObserved(
            GuidanceObserved(
                observations: [
                    .hologram(.flashCircleCompleted(circleIndex: 2)), .hologram(.flashPositionUpdate(isFlashOnTarget: false)),
                    .hologram(.wrongCardType(detectedCardType: .DRIVER_LICENSE, isBackside: true)),
                    .hologram(.wrongCardType(detectedCardType: nil, isBackside: false)), .hologram(.cardDetected),
                    .liveScan(.glare, piece: .passportFront),
                ], observedAtMilliseconds: Sample.now)),
        .hologramTransactionBound(HologramTransactionBound(transaction: Sample.digest(7))),
    ]

    static let ledger: [LedgerEvent] = [
        .clockAdjusted(ClockAdjusted(fromMilliseconds: Sample.now, toMilliseconds: Sample.now - 3_600_000)),
        .policyRegistered(PolicyRegistered(policyVersion: "3", digest: Sample.digest(5))),
        .destinationPaused(DestinationPaused(destination: "verifier", cause: "unauthorized")),
        .destinationResumed(DestinationResumed(destination: "verifier", cause: "credential_changed")),
        .deliveryRequeued(DeliveryRequeued(destination: "verifier", deliveryID: delivery, count: 1)),
        .deliveryRequeued(DeliveryRequeued(destination: "verifier", deliveryID: nil, count: 12)),
        .erasureRequested(
            ErasureRequested(sessionID: SessionID(UUID128(high: 5, low: 6)), dueAtMilliseconds: Sample.now)),
        .erasureWithdrawn(ErasureWithdrawn(sessionID: SessionID(UUID128(high: 5, low: 6)))),
        .keyRotated(KeyRotated(generation: 2)),
        .ledgerRestored(LedgerRestored(epoch: UUID128(high: 7, low: 8), position: 500)),
        .sessionDeliveriesPaused(
            SessionDeliveriesPaused(sessionID: SessionID(UUID128(high: 5, low: 6)), cause: "by_operator")),
        .sessionDeliveriesResumed(
            SessionDeliveriesResumed(sessionID: SessionID(UUID128(high: 5, low: 6)), cause: "by_operator")),
        .signingKeyAdded(SigningKeyAdded(generation: 1, publicKey: Sample.digest(8), endorsement: nil)),
        .signingKeyAdded(
            SigningKeyAdded(
                generation: 2, publicKey: Sample.digest(9), endorsement: String(repeating: "0a", count: 64))),
    ]

    /// Every sample as it is stored.
    static func encoded(_ interner: Interner) -> [EncodedEvent] {
        session.map { EventCoder.encode($0, internConfiguration: interner.intern) } + ledger.map { EventCoder.encode($0) }
    }
}

/// Keeps configurations in memory, numbered in the order of their first use.
final class Interner {
    private(set) var texts: [String] = []

    func intern(_ text: String) -> String {
        if let index = texts.firstIndex(of: text) { return Sample.digest(index).hex }
        texts.append(text)
        return Sample.digest(texts.count - 1).hex
    }

    func text(_ digest: String) -> String? { texts.first { intern($0) == digest } }
}
