extension SessionDecider {
    static func decide(_ checks: RecordChecks, _ state: SessionState, now: Int64) throws(Rejection) -> [Decided] {
        let configuration = try configuration(state)
        try requireCode(checks.failure?.rawValue, "failure")
        try requireCode(checks.policyVersion, "policy_version")
        try check(checks.findings)
        let slot = try slot(checks.piece, state)
        let isCurrent = slot.captureID == checks.captureID && state.status.isOpen && slot.status == .captured
        let checked = PieceChecked(
            piece: checks.piece, captureID: checks.captureID, findings: checks.findings, failure: checks.failure,
            policyVersion: checks.policyVersion, late: !isCurrent)
        var decided = [Decided(.pieceChecked(checked), secret: nil)]
        if isCurrent, checks.failure == nil, slot.confirmsAfterChecks {
            decided.append(confirmation(checks.piece, checks.captureID, configuration, now: now))
        }
        return decided
    }

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
        if configuration.checks == .required, !slot.isChecked { throw .notChecked(piece) }
        return [confirmation(piece, latest, configuration, now: now)]
    }

    static func retake(_ piece: Piece, _ captureID: CaptureID?, _ state: SessionState) throws(Rejection) -> [Decided] {
        try requireActive(state)
        let slot = try slot(piece, state)
        guard let latest = slot.captureID else { throw .nothingCaptured(piece) }
        if let captureID, captureID != latest { throw .captureSuperseded(piece) }
        switch slot.status {
        case .captured: return [Decided(.pieceRetaken(PieceRetaken(piece: piece, captureID: latest)), secret: nil)]
        case .pending, .refusedByChecks, .mediaGone, .rejected: return []
        case .awaitingVerification, .parked: throw .alreadyConfirmed(piece)
        case .verified: throw .pieceVerified(piece)
        case .dropped: throw .pieceDropped(piece)
        case .absent: throw .unknownPiece(piece)
        }
    }
}
