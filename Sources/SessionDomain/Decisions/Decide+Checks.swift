extension SessionDecider {
    /// What the pipeline found about a capture. A capture is judged once: of two checkers at once the second changes nothing. One whose
    /// scanner was not ready was not judged, and its check may come later.
    static func decide(_ checks: RecordChecks, _ state: SessionState, now: Int64) throws(Rejection) -> [Decided] {
        let configuration = try configuration(state)
        try requireCode(checks.failure?.rawValue, "failure")
        try requireCode(checks.detail, "detail")
        try requireCode(checks.policyVersion, "policy_version", limit: policyVersionLimit)
        try check(checks.findings)
        for (rect, name) in [
            (checks.page, "page"), (checks.fields?.photo, "photo"), (checks.fields?.signature, "signature"),
            (checks.fields?.mrz, "mrz"),
        ] {
            try requireFinite(rect, name)
        }
        let slot = try slot(checks.piece, state)
        if slot.captureID == checks.captureID, slot.isChecked { return [] }
        let isLate = slot.captureID != checks.captureID || !slot.awaitsJudgement(configuration.value.checks, state.status)
        if checks.failure == .scannerNotReady, isLate || slot.status != .captured { return [] }
        let passed = checks.failure == nil
        let checked = PieceChecked(
            piece: checks.piece, captureID: checks.captureID, findings: checks.findings, failure: checks.failure,
            detail: checks.detail, policyVersion: checks.policyVersion, page: checks.page, fields: checks.fields,
            crop: passed && !isLate ? checks.crop : nil, late: isLate)
        var decided = [Decided(.pieceChecked(checked), secret: checked.crop == nil ? nil : checks.secret)]
        if passed, !isLate, slot.status != .awaitingVerification, slot.confirmsAfterChecks {
            decided.append(confirmation(checks.piece, checks.captureID, configuration, now: now))
        }
        return decided
    }
}

extension PieceState {
    /// Whether a judgement of the latest capture still changes something.
    fileprivate func awaitsJudgement(_ mode: ChecksMode?, _ session: SessionStatus) -> Bool {
        guard !isChecked else { return false }
        switch status {
        case .captured, .refusedByChecks: return session.isOpen
        // an exit keeps its deliveries
        case .awaitingVerification: return mode == .deferred && (session.isOpen || session == .exited)
        case .absent, .pending, .parked, .mediaGone, .rejected, .verified, .dropped: return false
        }
    }
}

extension SessionState {
    /// Pieces whose latest capture waits for the pipeline's judgement, in order.
    package var unchecked: [Piece] {
        guard !isErased, !needsNewerVersion, let mode = configuration?.value.checks, mode != .off else { return [] }
        return order.filter { pieces[$0].awaitsJudgement(mode, status) }
    }
}
