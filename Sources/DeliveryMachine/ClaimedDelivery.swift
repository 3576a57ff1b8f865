package import SessionDomain

/// A delivery that this worker, and nobody else, may work on until it settles it.
package struct ClaimedDelivery: Sendable {
    /// Also the idempotency key of every request of it: derived from session, capture and destination.
    package let id: DeliveryID
    package let destination: DestinationName
    package let session: SessionID
    package let piece: Piece
    package let capture: CaptureID
    /// Which attempt at the piece the capture was: 1, 2, 3 …
    package let captureAttempt: Int
    package let source: CaptureSource
    package let media: MediaDescription
    /// Present for a hologram video only.
    package let hologram: HologramFacts?
    /// Raised with every claim; a settlement with an older one is refused.
    package let fence: Int64
    /// Claims since the last settlement, this one included: it was raised before the work.
    package let claims: Int
    /// What the last settlement left.
    package let work: DeliveryWork
    /// The bytes of the first send, which every later send repeats.
    package var frozen: FrozenBody?

    package init(
        id: DeliveryID, destination: DestinationName, session: SessionID, piece: Piece, capture: CaptureID,
        captureAttempt: Int, source: CaptureSource, media: MediaDescription, hologram: HologramFacts?, fence: Int64,
        claims: Int, work: DeliveryWork, frozen: FrozenBody?
    ) {
        self.id = id
        self.destination = destination
        self.session = session
        self.piece = piece
        self.capture = capture
        self.captureAttempt = captureAttempt
        self.source = source
        self.media = media
        self.hologram = hologram
        self.fence = fence
        self.claims = claims
        self.work = work
        self.frozen = frozen
    }
}

/// What is known about a capture's media without opening it.
package struct MediaDescription: Hashable, Sendable {
    /// A media type such as `image/jpeg`.
    package let type: String
    package let bytes: Int64
    /// In pixels, upright or not as in the file; nil where the file does not say.
    package let width: Int?
    package let height: Int?
    /// SHA-256 of the original, 32 bytes.
    package let sha256: [UInt8]

    package init(type: String, bytes: Int64, width: Int?, height: Int?, sha256: [UInt8]) {
        self.type = type
        self.bytes = bytes
        self.width = width
        self.height = height
        self.sha256 = sha256
    }
}

/// What the hologram endpoint asks for beside the video (S77).
package struct HologramFacts: Hashable, Sendable {
    package let rotate: Int
    /// The wire value, such as `NEW-ID`.
    package let cardType: String
    /// Never changes between retries (S84); a delivery that has none yet is not claimed (S89).
    package let transactionID: String
    /// The session's own: a score below it is a rejection; nil records every score as verified (S79).
    package let passMark: Double?

    package init(rotate: Int, cardType: String, transactionID: String, passMark: Double? = nil) {
        self.passMark = passMark
        self.rotate = rotate
        self.cardType = cardType
        self.transactionID = transactionID
    }
}

/// What the machine remembers about one delivery between claims. The queue stores it as it is.
package struct DeliveryWork: Hashable, Sendable {
    /// Attempts spent; requests that were never sent, and those a paused destination caused, are not among them.
    package var attempts = 0
    package var firstSentAtMilliseconds: Int64?
    package var contractBreaks = 0
    /// Where to ask for the outcome of a delivery that was accepted with 202.
    package var statusAddress: String?
    /// A request was sent and its answer was lost: it must be assumed to have arrived.
    package var isUnclear = false

    package init() {}
}
