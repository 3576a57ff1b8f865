/// The verifier said yes.
package struct PieceVerified: Hashable, Sendable {
    package let piece: Piece
    package let captureID: CaptureID
    package let deliveryID: DeliveryID
    package let destination: String
    /// SHA-256 of the attempt's row.
    package let evidence: Digest256?
    /// Requests spent on the delivery.
    package let attempts: Int
    package let score: Double?
    /// Since the capture was confirmed.
    package let durationMilliseconds: Int64?
    /// The capture or the session had moved on: nothing changed.
    package let late: Bool

    package init(
        piece: Piece, captureID: CaptureID, deliveryID: DeliveryID, destination: String, evidence: Digest256?, attempts: Int,
        score: Double?, durationMilliseconds: Int64?, late: Bool
    ) {
        self.piece = piece
        self.captureID = captureID
        self.deliveryID = deliveryID
        self.destination = destination
        self.evidence = evidence
        self.attempts = attempts
        self.score = score
        self.durationMilliseconds = durationMilliseconds
        self.late = late
    }
}

/// The verifier said no; its reasons are sealed.
package struct PieceRejected: Hashable, Sendable {
    package let piece: Piece
    package let captureID: CaptureID
    package let deliveryID: DeliveryID
    package let destination: String
    /// SHA-256 of the attempt's row.
    package let evidence: Digest256?
    /// Requests spent on the delivery.
    package let attempts: Int
    package let score: Double?
    package let failure: CaptureFailure
    /// Since the capture was confirmed.
    package let durationMilliseconds: Int64?
    /// The capture or the session had moved on: nothing changed.
    package let late: Bool

    package init(
        piece: Piece, captureID: CaptureID, deliveryID: DeliveryID, destination: String, evidence: Digest256?, attempts: Int,
        score: Double?, failure: CaptureFailure, durationMilliseconds: Int64?, late: Bool
    ) {
        self.piece = piece
        self.captureID = captureID
        self.deliveryID = deliveryID
        self.destination = destination
        self.evidence = evidence
        self.attempts = attempts
        self.score = score
        self.failure = failure
        self.durationMilliseconds = durationMilliseconds
        self.late = late
    }
}

/// The delivery gave up for a stated cause.
package struct PieceDeliveryParked: Hashable, Sendable {
    package let piece: Piece
    package let captureID: CaptureID
    package let deliveryID: DeliveryID
    package let destination: String
    /// A code, such as `failed_permanently`.
    package let cause: String
    /// SHA-256 of the attempt's row.
    package let evidence: Digest256?
    package let attempts: Int
    /// The media is gone: the piece must be captured again.
    package let needsRecapture: Bool
    /// The capture or the session had moved on: nothing changed.
    package let late: Bool

    package init(
        piece: Piece, captureID: CaptureID, deliveryID: DeliveryID, destination: String, cause: String, evidence: Digest256?,
        attempts: Int, needsRecapture: Bool, late: Bool
    ) {
        self.piece = piece
        self.captureID = captureID
        self.deliveryID = deliveryID
        self.destination = destination
        self.cause = cause
        self.evidence = evidence
        self.attempts = attempts
        self.needsRecapture = needsRecapture
        self.late = late
    }
}

/// A parked delivery is to be tried again.
package struct PieceDeliveryRequeued: Hashable, Sendable {
    package let piece: Piece
    package let captureID: CaptureID
    package let deliveryID: DeliveryID
    package let destination: String

    package init(piece: Piece, captureID: CaptureID, deliveryID: DeliveryID, destination: String) {
        self.piece = piece
        self.captureID = captureID
        self.deliveryID = deliveryID
        self.destination = destination
    }
}
