/// Everything that deciding about one session needs, folded from its events.
package struct SessionState: Hashable, Sendable {
    package static let initial = SessionState()

    /// Number of events folded, skipped ones included.
    package var version: Int64 = 0
    package var status = SessionStatus.none
    package var isErased = false
    /// Holds an event that this version does not know: it refuses commands.
    package var needsNewerVersion = false
    package var configuration: FrozenConfiguration?
    package var startedAtMilliseconds: Int64 = 0
    package var deadlineAtMilliseconds: Int64?
    /// Keyed digest of the hologram's transaction.
    package var transaction: Digest256?
    package var exitClass: ExitClass?
    package var pieces = PieceSlots()
    package var hologram = HologramState()
    /// Observations of the last second, to tell repeats.
    package var recentObservations: [RecentObservation] = []

    package init() {}
}

package enum SessionStatus: String, Hashable, Sendable, CaseIterable {
    /// Not started.
    case none
    case active, suspended, completed, exited, expired, cancelled

    package var isOpen: Bool { self == .active || self == .suspended }
    package var isTerminal: Bool { self != .none && !isOpen }
}

package struct HologramState: Hashable, Sendable {
    package var isRecording = false
    /// Recordings started so far.
    package var recordings = 0
    package var isCardVisible = false
    /// The document's photo was seen during the recording under way.
    package var isFaceSeen = false

    package init() {}
}

package struct RecentObservation: Hashable, Sendable {
    package let observation: Observation
    package let atMilliseconds: Int64

    package init(observation: Observation, atMilliseconds: Int64) {
        self.observation = observation
        self.atMilliseconds = atMilliseconds
    }
}

extension SessionState {
    /// The session's pieces in order of capture, dropped ones included.
    package var order: [Piece] { configuration?.value.pieces ?? [] }

    /// The first piece in order that needs a capture; nil when nothing is left to capture.
    package var currentPiece: Piece? { order.first { pieces[$0].status.needsCapture } }

    /// Every piece that was not dropped is verified, and there is one.
    package var isEverythingVerified: Bool {
        var any = false
        for piece in order {
            switch pieces[piece].status {
            case .verified: any = true
            case .dropped: continue
            default: return false
            }
        }
        return any
    }

    /// Whether a confirmed capture still waits for its outcome.
    package var hasConfirmedWaiting: Bool {
        order.contains { pieces[$0].status == .awaitingVerification || pieces[$0].status == .parked }
    }
}
