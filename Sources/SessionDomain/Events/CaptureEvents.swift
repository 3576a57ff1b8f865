/// Media that could not be taken in; no attempt is counted.
package struct CaptureRefused: Hashable, Sendable {
    package let piece: Piece
    package let source: CaptureSource
    package let failure: CaptureFailure
    /// From a fixed vocabulary, such as `gif`; never from the file.
    package let detail: String?
    package let bytes: Int64?
    package let commitment: Digest256?

    package init(
        piece: Piece, source: CaptureSource, failure: CaptureFailure, detail: String?, bytes: Int64?, commitment: Digest256?
    ) {
        self.piece = piece
        self.source = source
        self.failure = failure
        self.detail = detail
        self.bytes = bytes
        self.commitment = commitment
    }
}

/// Media sealed and durable.
package struct PieceCaptured: Hashable, Sendable {
    package let piece: Piece
    package let captureID: CaptureID
    package let source: CaptureSource
    /// 1, 2, 3 …; nil in events of version 1, which counted by order alone.
    package let attempt: Int?
    package let media: MediaFacts
    /// Keyed digest of the original: equal for equal bytes of one session.
    package let commitment: Digest256
    package let sealedDigest: Digest256
    package let sealedBytes: Int64
    /// Degrees as the client gave them; hologram video only (S82).
    package let rotation: Int?
    package let measurements: [Measurement]
    package let fields: FieldDetections?
    /// Confirmed by itself as soon as the required checks passed.
    package let confirmsAfterChecks: Bool
    /// The capture that this one replaces.
    package let supersedes: CaptureID?

    package init(
        piece: Piece, captureID: CaptureID, source: CaptureSource, attempt: Int?, media: MediaFacts, commitment: Digest256,
        sealedDigest: Digest256, sealedBytes: Int64, rotation: Int?, measurements: [Measurement], fields: FieldDetections?,
        confirmsAfterChecks: Bool, supersedes: CaptureID?
    ) {
        self.piece = piece
        self.captureID = captureID
        self.source = source
        self.attempt = attempt
        self.media = media
        self.commitment = commitment
        self.sealedDigest = sealedDigest
        self.sealedBytes = sealedBytes
        self.rotation = rotation
        self.measurements = measurements
        self.fields = fields
        self.confirmsAfterChecks = confirmsAfterChecks
        self.supersedes = supersedes
    }
}

/// Findings of the pipeline, and the failure, if one.
package struct PieceChecked: Hashable, Sendable {
    package let piece: Piece
    package let captureID: CaptureID
    package let findings: [Finding]
    package let failure: CaptureFailure?
    /// Why there are no findings, as a code: what a decoder or a runner could not do.
    package let detail: String?
    package let policyVersion: String?
    /// Where the page lies in the upright picture.
    package let page: NormalizedRect?
    /// In fractions of `page`.
    package let fields: FieldDetections?
    /// The page as a picture of its own; nil unless the capture passed.
    package let crop: PageCrop?
    /// The capture was no longer the piece's: nothing changed.
    package let late: Bool

    package init(
        piece: Piece, captureID: CaptureID, findings: [Finding], failure: CaptureFailure?, detail: String?,
        policyVersion: String?, page: NormalizedRect?, fields: FieldDetections?, crop: PageCrop?, late: Bool
    ) {
        self.piece = piece
        self.captureID = captureID
        self.findings = findings
        self.failure = failure
        self.detail = detail
        self.policyVersion = policyVersion
        self.page = page
        self.fields = fields
        self.crop = crop
        self.late = late
    }
}

/// The user kept the capture: it may be sent.
package struct PieceConfirmed: Hashable, Sendable {
    package let piece: Piece
    package let captureID: CaptureID
    package let destination: String
    package let confirmedAtMilliseconds: Int64

    package init(piece: Piece, captureID: CaptureID, destination: String, confirmedAtMilliseconds: Int64) {
        self.piece = piece
        self.captureID = captureID
        self.destination = destination
        self.confirmedAtMilliseconds = confirmedAtMilliseconds
    }
}

/// The user threw the capture away.
package struct PieceRetaken: Hashable, Sendable {
    package let piece: Piece
    package let captureID: CaptureID

    package init(piece: Piece, captureID: CaptureID) {
        self.piece = piece
        self.captureID = captureID
    }
}

/// Pieces never captured left the run.
package struct PendingPiecesDropped: Hashable, Sendable {
    /// In list order.
    package let pieces: [Piece]
    package let by: DropOrigin

    package init(pieces: [Piece], by: DropOrigin) {
        self.pieces = pieces
        self.by = by
    }
}

/// An original was destroyed.
package struct MediaPurged: Hashable, Sendable {
    package let piece: Piece
    package let captureID: CaptureID
    /// A code, such as `answered`.
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
