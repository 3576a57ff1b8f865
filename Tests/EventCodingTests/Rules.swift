import SessionDomain

/// What must hold for every history, computed from the events alone and without the domain's own state.
struct Rules {
    private var order: [Piece] = []
    private var captured: Set<Piece> = []
    private var dropped: Set<Piece> = []
    private var needsCapture: Set<Piece> = []
    private var verified: Set<Piece> = []
    private var confirmed: Set<CaptureID> = []
    private var latest: [Piece: CaptureID] = [:]
    /// Captures that nobody answers for: not yet confirmed, or parked.
    private var idle: Set<CaptureID> = []
    private var completions = 0
    private var isExited = false
    private var isClosed = false
    private(set) var broken: [String] = []

    mutating func follow(_ event: SessionEvent) {
        switch event {
        case .sessionStarted(let started):
            order = started.configuration.value.pieces
            needsCapture = Set(order)
        case .pieceCaptured(let event):
            expect(!dropped.contains(event.piece), "a dropped piece was captured")
            expect(!verified.contains(event.piece), "a verified piece was captured again")
            captured.insert(event.piece)
            latest[event.piece] = event.captureID
            idle.insert(event.captureID)
            needsCapture.remove(event.piece)
        case .pieceChecked(let event):
            expect(event.crop == nil || (event.failure == nil && !event.late), "a crop of a capture that did not pass")
            guard !event.late else { return }
            if event.failure == nil {
                if needsCapture.remove(event.piece) != nil { idle.insert(event.captureID) }
            } else {
                needsCapture.insert(event.piece)
                idle.remove(event.captureID)
            }
        case .pieceConfirmed(let event):
            expect(confirmed.insert(event.captureID).inserted, "a capture was confirmed twice")
            idle.remove(event.captureID)
        case .pieceDeliveryRequeued(let event): idle.remove(event.captureID)
        case .pieceRetaken(let event):
            needsCapture.insert(event.piece)
            idle.remove(event.captureID)
        case .pieceVerified(let event):
            guard !event.late else { return }
            expect(confirmed.contains(event.captureID), "a capture was verified and never confirmed")
            needsCapture.remove(event.piece)
            idle.remove(event.captureID)
            verified.insert(event.piece)
        case .pieceRejected(let event):
            guard !event.late else { return }
            needsCapture.insert(event.piece)
            idle.remove(event.captureID)
        case .pieceDeliveryParked(let event):
            guard !event.late else { return }
            if event.needsRecapture { needsCapture.insert(event.piece) } else { idle.insert(event.captureID) }
            if event.needsRecapture { idle.remove(event.captureID) }
        case .mediaPurged(let event):
            guard !isClosed, latest[event.piece] == event.captureID, idle.remove(event.captureID) != nil else { return }
            needsCapture.insert(event.piece)
        case .pendingPiecesDropped(let event):
            for piece in event.pieces {
                expect(!captured.contains(piece), "a captured piece was dropped")
                expect(dropped.insert(piece).inserted, "a piece was dropped twice")
                needsCapture.remove(piece)
            }
        case .sessionCompleted:
            completions += 1
            isClosed = true
            expect(completions == 1, "the session completed twice")
            expect(!isExited, "the session completed and exited")
            let remaining = order.filter { !dropped.contains($0) }
            expect(!remaining.isEmpty && remaining.allSatisfy(verified.contains), "the session completed with a piece missing")
        case .sessionExited:
            expect(completions == 0, "the session completed and exited")
            isExited = true
        case .sessionResumed: isExited = false
        case .sessionCancelled, .sessionExpired: isClosed = true
        default: break
        }
    }

    var currentPiece: Piece? { order.first { needsCapture.contains($0) } }

    private mutating func expect(_ condition: Bool, _ rule: String) { if !condition { broken.append(rule) } }
}
