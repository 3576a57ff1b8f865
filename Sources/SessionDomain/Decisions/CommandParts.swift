/// Begins a session.
package struct StartSession: Hashable, Sendable {
    /// As it is interned: whoever begins many sessions with one configuration writes its canonical form once.
    package let frozen: FrozenConfiguration
    /// Keyed digest of the transaction, if there is one already.
    package let transaction: Digest256?
    package let secret: Secret?

    package var configuration: CaptureConfiguration { frozen.value }

    package init(configuration: CaptureConfiguration, transaction: Digest256?, secret: Secret?) {
        self.init(frozen: FrozenConfiguration(configuration), transaction: transaction, secret: secret)
    }

    package init(frozen: FrozenConfiguration, transaction: Digest256?, secret: Secret?) {
        self.frozen = frozen
        self.transaction = transaction
        self.secret = secret
    }
}

/// Records media that could not be taken in.
package struct RefuseCapture: Hashable, Sendable {
    package let piece: Piece
    package let source: CaptureSource
    package let failure: CaptureFailure
    package let detail: String?
    package let bytes: Int64?
    package let commitment: Digest256?
    package let secret: Secret?

    package init(
        piece: Piece, source: CaptureSource, failure: CaptureFailure, detail: String?, bytes: Int64?, commitment: Digest256?,
        secret: Secret?
    ) {
        self.piece = piece
        self.source = source
        self.failure = failure
        self.detail = detail
        self.bytes = bytes
        self.commitment = commitment
        self.secret = secret
    }
}

/// Takes in media that is already sealed and durable.
package struct CapturePiece: Hashable, Sendable {
    package let piece: Piece
    package let captureID: CaptureID
    package let source: CaptureSource
    package let media: MediaFacts
    package let commitment: Digest256
    package let sealedDigest: Digest256
    package let sealedBytes: Int64
    package let rotation: Int?
    package let measurements: [Measurement]
    package let fields: FieldDetections?
    /// nil: as the configuration's `autoConfirm` says.
    package let confirm: Bool?
    package let secret: Secret?

    package init(
        piece: Piece, captureID: CaptureID, source: CaptureSource, media: MediaFacts, commitment: Digest256,
        sealedDigest: Digest256, sealedBytes: Int64, rotation: Int?, measurements: [Measurement], fields: FieldDetections?,
        confirm: Bool?, secret: Secret?
    ) {
        self.piece = piece
        self.captureID = captureID
        self.source = source
        self.media = media
        self.commitment = commitment
        self.sealedDigest = sealedDigest
        self.sealedBytes = sealedBytes
        self.rotation = rotation
        self.measurements = measurements
        self.fields = fields
        self.confirm = confirm
        self.secret = secret
    }
}

/// Reports what the pipeline found.
package struct RecordChecks: Hashable, Sendable {
    package let piece: Piece
    package let captureID: CaptureID
    package var findings: [Finding] = []
    package var failure: CaptureFailure?
    /// A code.
    package var detail: String?
    package var policyVersion: String?
    package var page: NormalizedRect?
    package var fields: FieldDetections?
    /// Sealed and durable already.
    package var crop: PageCrop?
    package var secret: Secret?

    package init(piece: Piece, captureID: CaptureID) {
        self.piece = piece
        self.captureID = captureID
    }
}

/// Reports what a verifier answered.
package struct ApplyAnswer: Hashable, Sendable {
    package let deliveryID: DeliveryID
    package let piece: Piece
    package let captureID: CaptureID
    package let destination: String
    package let outcome: AnswerOutcome
    package let score: Double?
    /// Pieces that the verifier does not need.
    package let drop: [Piece]
    package let evidence: Digest256?
    package let attempts: Int
    package let secret: Secret?

    package init(
        deliveryID: DeliveryID, piece: Piece, captureID: CaptureID, destination: String, outcome: AnswerOutcome, score: Double?,
        drop: [Piece], evidence: Digest256?, attempts: Int, secret: Secret?
    ) {
        self.deliveryID = deliveryID
        self.piece = piece
        self.captureID = captureID
        self.destination = destination
        self.outcome = outcome
        self.score = score
        self.drop = drop
        self.evidence = evidence
        self.attempts = attempts
        self.secret = secret
    }
}

/// Reports that a delivery was given up.
package struct ParkDelivery: Hashable, Sendable {
    package let deliveryID: DeliveryID
    package let piece: Piece
    package let captureID: CaptureID
    package let destination: String
    /// A code.
    package let cause: String
    package let evidence: Digest256?
    package let attempts: Int

    package init(
        deliveryID: DeliveryID, piece: Piece, captureID: CaptureID, destination: String, cause: String, evidence: Digest256?,
        attempts: Int
    ) {
        self.deliveryID = deliveryID
        self.piece = piece
        self.captureID = captureID
        self.destination = destination
        self.cause = cause
        self.evidence = evidence
        self.attempts = attempts
    }
}

/// Asks for a parked delivery to be tried again.
package struct RequeueDelivery: Hashable, Sendable {
    package let deliveryID: DeliveryID
    package let piece: Piece
    package let captureID: CaptureID
    package let destination: String

    package init(deliveryID: DeliveryID, piece: Piece, captureID: CaptureID, destination: String) {
        self.deliveryID = deliveryID
        self.piece = piece
        self.captureID = captureID
        self.destination = destination
    }
}

/// Reports what the user did beside capturing.
package struct RecordInteraction: Hashable, Sendable {
    package let interaction: Interaction
    package let piece: Piece?
    package let remindAtMilliseconds: Int64?
    package let secret: Secret?

    package init(interaction: Interaction, piece: Piece?, remindAtMilliseconds: Int64?, secret: Secret?) {
        self.interaction = interaction
        self.piece = piece
        self.remindAtMilliseconds = remindAtMilliseconds
        self.secret = secret
    }
}

/// Reports that an original was destroyed.
package struct PurgeMedia: Hashable, Sendable {
    package let piece: Piece
    package let captureID: CaptureID
    /// A code.
    package let cause: String
    package let bytes: Int64
    package let commitment: Digest256?

    package init(piece: Piece, captureID: CaptureID, cause: String, bytes: Int64, commitment: Digest256?) {
        self.piece = piece
        self.captureID = captureID
        self.cause = cause
        self.bytes = bytes
        self.commitment = commitment
    }
}
