import SessionDomain

/// What must hold for every history, computed from the events alone and without the domain's own state.
struct Rules {
    private var order: [Piece] = []
    private var captured: Set<Piece> = []
    private var dropped: Set<Piece> = []
    private var needsCapture: Set<Piece> = []
    private var verified: Set<Piece> = []
    private var confirmed: Set<CaptureID> = []
    private var completions = 0
    private var isExited = false
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
            needsCapture.remove(event.piece)
        case .pieceChecked(let event): if event.failure != nil, !event.late { needsCapture.insert(event.piece) }
        case .pieceConfirmed(let event):
            expect(confirmed.insert(event.captureID).inserted, "a capture was confirmed twice")
        case .pieceRetaken(let event): needsCapture.insert(event.piece)
        case .pieceVerified(let event):
            guard !event.late else { return }
            expect(confirmed.contains(event.captureID), "a capture was verified and never confirmed")
            needsCapture.remove(event.piece)
            verified.insert(event.piece)
        case .pieceRejected(let event): if !event.late { needsCapture.insert(event.piece) }
        case .pieceDeliveryParked(let event): if event.needsRecapture, !event.late { needsCapture.insert(event.piece) }
        case .pendingPiecesDropped(let event):
            for piece in event.pieces {
                expect(!captured.contains(piece), "a captured piece was dropped")
                expect(dropped.insert(piece).inserted, "a piece was dropped twice")
                needsCapture.remove(piece)
            }
        case .sessionCompleted:
            completions += 1
            expect(completions == 1, "the session completed twice")
            expect(!isExited, "the session completed and exited")
            let remaining = order.filter { !dropped.contains($0) }
            expect(!remaining.isEmpty && remaining.allSatisfy(verified.contains), "the session completed with a piece missing")
        case .sessionExited:
            expect(completions == 0, "the session completed and exited")
            isExited = true
        case .sessionResumed: isExited = false
        default: break
        }
    }

    var currentPiece: Piece? { order.first { needsCapture.contains($0) } }

    private mutating func expect(_ condition: Bool, _ rule: String) { if !condition { broken.append(rule) } }
}
