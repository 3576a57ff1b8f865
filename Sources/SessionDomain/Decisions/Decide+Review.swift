extension SessionDecider {
    static func confirm(_ piece: Piece, _ captureID: CaptureID?, _ state: SessionState, now: Int64) throws(Rejection)
        -> [Decided]
    {
        let configuration = try configuration(state)
        try requireActive(state)
        let slot = try slot(piece, state)
        guard let latest = slot.captureID else { throw .nothingCaptured(piece) }
        if let captureID, captureID != latest { throw .captureSuperseded(piece) }
        switch slot.status {
        case .captured: break
        case .awaitingVerification, .parked, .verified: return []
        case .refusedByChecks: throw .failedChecks(piece)
        case .dropped: throw .pieceDropped(piece)
        case .absent: throw .unknownPiece(piece)
        case .pending, .mediaGone, .rejected: throw .nothingCaptured(piece)
        }
        if configuration.value.checks == .required, !slot.isChecked { throw .notChecked(piece) }
        return [confirmation(piece, latest, configuration, now: now)]
    }

    static func retake(_ piece: Piece, _ captureID: CaptureID?, _ state: SessionState) throws(Rejection) -> [Decided] {
        try requireActive(state)
        let slot = try slot(piece, state)
        guard let latest = slot.captureID else { throw .nothingCaptured(piece) }
        if let captureID, captureID != latest { throw .captureSuperseded(piece) }
        let retaken = Decided(.pieceRetaken(PieceRetaken(piece: piece, captureID: latest)), secret: nil)
        switch slot.status {
        case .captured: return [retaken]
        // its scanner was not ready: it could still pass later, and would then be sent
        case .refusedByChecks where !slot.isChecked: return [retaken]
        case .pending, .refusedByChecks, .mediaGone, .rejected: return []
        case .awaitingVerification, .parked: throw .alreadyConfirmed(piece)
        case .verified: throw .pieceVerified(piece)
        case .dropped: throw .pieceDropped(piece)
        case .absent: throw .unknownPiece(piece)
        }
    }
}
