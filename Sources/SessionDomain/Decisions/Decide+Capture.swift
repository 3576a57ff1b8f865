extension SessionDecider {
    /// Whether a capture of `piece` would be looked at now: asked before media is taken in.
    ///
    /// - Throws: what ``decide(_:_:now:)`` would throw for the capture.
    package static func checkTurn(_ piece: Piece, _ state: SessionState) throws(Rejection) {
        guard state.status != .none else { throw .notStarted }
        guard !state.isErased else { throw .sessionErased }
        guard !state.needsNewerVersion else { throw .needsNewerVersion }
        try requireActive(state)
        switch try slot(piece, state).status {
        case .dropped: throw .pieceDropped(piece)
        case .verified: throw .pieceVerified(piece)
        // a recapture replaces what is there, whatever the turn
        case .captured, .awaitingVerification, .parked: break
        case .pending, .refusedByChecks, .mediaGone, .rejected:
            guard state.currentPiece == piece else { throw .notCurrentPiece(piece, current: state.currentPiece) }
        case .absent: throw .unknownPiece(piece)
        }
        if piece == .hologram, !state.hologram.isRecording { throw .recordingNotStarted }
    }

    /// Why this source or these bytes are not taken in; nil when nothing speaks against them.
    package static func refusal(_ piece: Piece, source: CaptureSource, commitment: Digest256?, _ state: SessionState)
        -> CaptureFailure?
    {
        if source.isUpload, state.configuration?.value.allowUploadFromDevice != true { return .uploadsNotAllowed }
        if let commitment, state.pieces[piece].failedCommitments.contains(commitment) { return .alreadyFailed }
        return nil
    }

    static func decide(_ refusal: RefuseCapture, _ state: SessionState) throws(Rejection) -> [Decided] {
        try requireCode(refusal.failure.rawValue, "failure")
        try requireCode(refusal.detail, "detail")
        try checkTurn(refusal.piece, state)
        let refused = CaptureRefused(
            piece: refusal.piece, source: refusal.source, failure: refusal.failure, detail: refusal.detail,
            bytes: refusal.bytes, commitment: refusal.commitment)
        return [Decided(.captureRefused(refused), secret: refusal.secret)]
    }

    static func decide(_ capture: CapturePiece, _ state: SessionState, now: Int64) throws(Rejection) -> [Decided] {
        let configuration = try configuration(state)
        try checkFacts(capture)
        try checkTurn(capture.piece, state)
        for piece in Piece.allCases where state.pieces[piece].captureID == capture.captureID { throw .captureReused }
        if let failure = refusal(capture.piece, source: capture.source, commitment: capture.commitment, state) {
            let refused = CaptureRefused(
                piece: capture.piece, source: capture.source, failure: failure, detail: nil, bytes: capture.media.bytes,
                commitment: capture.commitment)
            return [Decided(.captureRefused(refused), secret: nil)]
        }
        let slot = state.pieces[capture.piece]
        let confirms = capture.confirm ?? configuration.value.autoConfirm
        let waitsForChecks = configuration.value.checks == .required
        let captured = PieceCaptured(
            piece: capture.piece, captureID: capture.captureID, source: capture.source, attempt: slot.attempts + 1,
            media: flagged(capture), commitment: capture.commitment, sealedDigest: capture.sealedDigest,
            sealedBytes: capture.sealedBytes, rotation: capture.rotation, measurements: capture.measurements,
            fields: capture.fields, confirmsAfterChecks: confirms && waitsForChecks,
            supersedes: slot.status == .pending ? nil : slot.captureID)
        var decided = [Decided(.pieceCaptured(captured), secret: capture.secret)]
        if capture.piece == .hologram, lacksFace(state, configuration) {
            let checked = PieceChecked(
                piece: .hologram, captureID: capture.captureID, findings: [], failure: .hologramFaceMissing, detail: nil,
                policyVersion: nil, page: nil, fields: nil, crop: nil, late: false)
            decided.append(Decided(.pieceChecked(checked), secret: nil))
        } else if confirms, !waitsForChecks {
            decided.append(confirmation(capture.piece, capture.captureID, configuration, now: now))
        }
        return decided
    }

    /// A rotation that is no quarter turn is accepted and flagged (S82).
    private static func flagged(_ capture: CapturePiece) -> MediaFacts {
        guard let rotation = capture.rotation, ![0, 90, 180, 270].contains(rotation) else { return capture.media }
        return capture.media.flagged("unusual_rotation")
    }

    /// S75, while the on-device checks are on (S83).
    private static func lacksFace(_ state: SessionState, _ configuration: FrozenConfiguration) -> Bool {
        let settings = configuration.value.hologramSettings
        return settings.hologramControlEnabled && settings.controlFaceCapture && !state.hologram.isFaceSeen
    }

    static func confirmation(_ piece: Piece, _ captureID: CaptureID, _ configuration: FrozenConfiguration, now: Int64)
        -> Decided
    {
        let confirmed = PieceConfirmed(
            piece: piece, captureID: captureID, destination: configuration.value.destination(of: piece),
            confirmedAtMilliseconds: now)
        return Decided(.pieceConfirmed(confirmed), secret: nil)
    }
}
