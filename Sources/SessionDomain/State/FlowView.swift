/// A session as people and clients see it, computed from its state.
package struct FlowView: Hashable, Sendable {
    package enum Status: String, Hashable, Sendable, CaseIterable {
        case active, suspended, completed, exited, expired, cancelled, erased
    }

    package enum Phase: String, Hashable, Sendable, CaseIterable {
        case capturing
        /// "You may go."
        case waitingForVerification = "waiting_for_verification"
        /// A piece was rejected, or its media is gone, and must be captured again.
        case needsRecapture = "needs_recapture"
        case finished
    }

    package enum Progress: Hashable, Sendable {
        case segments(count: Int, filled: Int)
        case steps(count: Int, filled: Int)
        /// 0 to 1.
        case fraction(Double)
        case hidden
    }

    package struct PieceView: Hashable, Sendable {
        package let piece: Piece
        package let status: PieceStatus
        package let attempts: Int
        package let captureID: CaptureID?
        package let failure: CaptureFailure?
        package let score: Double?
        /// Why its delivery gave up, where it did.
        package let parkCause: String?
        /// The pipeline judged the latest capture.
        package let isChecked: Bool
        /// The latest capture waits for that.
        package let waitsForChecks: Bool
    }

    package let version: Int64
    package let status: Status
    package let phase: Phase
    package let currentPiece: Piece?
    package let pieces: [PieceView]
    private let style: ProgressStyle
    package let exitClass: ExitClass?
    /// Why the current piece must be captured again; nil where nothing was refused.
    package var lastFailure: CaptureFailure? { pieces.first { $0.piece == currentPiece }?.failure }

    /// nil for a session that was never started.
    package init?(_ state: SessionState) {
        guard let status = state.shownStatus else { return nil }
        version = state.version
        self.status = status
        phase = state.phase
        currentPiece = state.askedPiece
        let unchecked = state.unchecked
        pieces = state.order.map { piece in
            let slot = state.pieces[piece]
            return PieceView(
                piece: piece, status: slot.status, attempts: slot.attempts, captureID: slot.captureID, failure: slot.failure,
                score: slot.score, parkCause: slot.parkCause, isChecked: slot.isChecked,
                waitsForChecks: unchecked.contains(piece))
        }
        style = state.configuration?.value.progress ?? .hidden
        exitClass = state.exitClass
    }

    /// Segments and fraction count the remaining pieces, filled by those that need nothing more from the user (S7).
    package var progress: Progress {
        let remaining = pieces.lazy.map(\.status).filter { $0 != .dropped }
        let filled = remaining.count { !$0.needsCapture && $0 != .captured }
        switch style {
        case .segments: return .segments(count: remaining.count, filled: filled)
        case .steps(let count, let filled): return .steps(count: count, filled: filled)
        case .fraction: return .fraction(remaining.isEmpty ? 0 : Double(filled) / Double(remaining.count))
        case .hidden: return .hidden
        }
    }
}

extension SessionState {
    /// nil for a session that was never started.
    package var shownStatus: FlowView.Status? {
        if isErased { return .erased }
        return switch status {
        case .none: nil
        case .active: .active
        case .suspended: .suspended
        case .completed: .completed
        case .exited: .exited
        case .expired: .expired
        case .cancelled: .cancelled
        }
    }

    package var phase: FlowView.Phase {
        guard status.isOpen, !isErased else { return .finished }
        var isCapturing = false
        for piece in order {
            let status = pieces[piece].status
            if status == .rejected || status == .mediaGone { return .needsRecapture }
            if status.needsCapture || status == .captured { isCapturing = true }
        }
        return isCapturing ? .capturing : .waitingForVerification
    }

    /// The piece that the user is asked for.
    package var askedPiece: Piece? { status.isOpen && !isErased ? currentPiece : nil }
}
