/// What a session knows about one of its pieces.
package struct PieceState: Hashable, Sendable {
    package var status = PieceStatus.absent
    /// Captures so far; refused media is not among them.
    package var attempts = 0
    /// The latest capture, whatever became of it.
    package var captureID: CaptureID?
    package var commitment: Digest256?
    package var source: CaptureSource?
    package var destination: String?
    package var rotation: Int?
    package var isChecked = false
    package var confirmsAfterChecks = false
    package var confirmedAtMilliseconds: Int64?
    /// Why the piece must be captured again, or why media was refused last; a new capture clears it.
    package var failure: CaptureFailure?
    package var parkCause: String?
    package var score: Double?
    /// Captures that failed the checks or were rejected: the same bytes are not tried twice (F14).
    package var failedCommitments: [Digest256] = []

    package init() {}
}

package enum PieceStatus: String, Hashable, Sendable, CaseIterable {
    /// Not part of the session.
    case absent
    case pending
    case captured
    case refusedByChecks = "refused_by_checks"
    case awaitingVerification = "awaiting_verification"
    case parked
    /// Its media is gone before a verifier decided.
    case mediaGone = "media_gone"
    case rejected
    case verified
    case dropped

    /// Whether the user must capture the piece.
    package var needsCapture: Bool {
        switch self {
        case .pending, .refusedByChecks, .mediaGone, .rejected: true
        case .absent, .captured, .awaitingVerification, .parked, .verified, .dropped: false
        }
    }

    /// How final it is for one capture: an answer changes the state only to something more final, so that the order in which
    /// answers arrive does not matter (F12).
    var finality: Int {
        switch self {
        case .parked: 1
        case .mediaGone: 2
        case .rejected: 3
        case .verified: 4
        case .absent, .pending, .captured, .refusedByChecks, .awaitingVerification, .dropped: 0
        }
    }
}

/// One state for each piece, in memory that copies share until one of them changes: a session's state is copied for every command.
package struct PieceSlots: Hashable, Sendable {
    private static let untouched = [PieceState](repeating: PieceState(), count: Piece.allCases.count)

    @usableFromInline package var slots = Self.untouched

    package init() {}

    /// Lent, not copied, and seen by other modules: who wants to know one thing about a piece need not copy everything about it.
    @inlinable package subscript(_ piece: Piece) -> PieceState {
        _read { yield slots[piece.slot] }
        _modify { yield &slots[piece.slot] }
    }
}
