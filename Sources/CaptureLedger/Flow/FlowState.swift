public import FoundationEssentials
public import SessionDomain

/// A session as its user sees it.
public struct FlowState: Sendable, Hashable {
    public enum Phase: String, Sendable, CaseIterable {
        case capturing
        /// "You may go."
        case waitingForVerification
        /// A piece was rejected, or its media is gone: it must be captured again.
        case needsRecapture
        case finished
    }

    /// How a finished session ended.
    public enum Ending: String, Sendable, CaseIterable { case completed, exited, expired, cancelled, erased }

    public enum Progress: Sendable, Hashable {
        /// Recomputed from the session's own remaining pieces.
        case segments(count: Int, filled: Int)
        /// As the configuration gave them.
        case steps(count: Int, filled: Int)
        /// 0 to 1.
        case fraction(Double)
        case hidden
    }

    public let sessionID: String
    public let phase: Phase
    /// nil unless the session is finished.
    public let ending: Ending?
    /// The piece to capture next; nil when nothing is left to capture.
    public let currentPiece: Piece?
    /// Pieces that are still part of the run, in order.
    public let remainingPieces: [Piece]
    /// Captured and not yet confirmed or retaken: what a review sheet shows.
    public let piecesToReview: [Piece]
    public let progress: Progress
    /// Why the current piece must be captured again.
    public let lastFailure: CaptureFailure?
    /// The verifier's own words: its reason for the last rejection of the current piece, or the message of a failure that will be
    /// tried again.
    public let lastMessage: String?
    /// When a capture that could not be verified is tried again by itself; a user's retry means now.
    public let nextAttempt: Date?
    /// How many events the session has: of two states the one with the higher version is the newer.
    public let version: Int64
}
