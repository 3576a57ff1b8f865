package import SessionDomain

extension SessionFacts {
    /// Says how the session stands after the last event that was applied: its one outcome, and where it stands or stopped.
    package mutating func conclude(_ state: inout SessionState) {
        guard started != nil else { return }
        for index in pieces.indices {
            let slot = state.pieces[pieces[index].piece]
            pieces[index].status = slot.status
            pieces[index].attempts = slot.attempts
        }
        if let end {
            outcome = end.outcome
        } else if state.isErased {
            outcome = .erased
        } else {
            outcome = runningOutcome(&state)
        }
        (stoppedPiece, stoppedStep) = outcome == .completed ? (nil, nil) : whereItStands(&state)
    }

    /// When it ended: by an event of its own, or because it was erased while it ran.
    package var ended: Moment? { end?.moment ?? erased }

    private func runningOutcome(_ state: inout SessionState) -> AnalyticsCode.Outcome {
        if state.status == .suspended { return .suspended }
        var needsSomething = false
        for row in pieces {
            if row.status == .rejected || row.status == .mediaGone { return .needsRecapture }
            if row.status.needsCapture || row.status == .captured { needsSomething = true }
        }
        return needsSomething ? .capturing : .waitingForVerification
    }

    /// The first piece that needs something of the user; else the first that waits for somebody else.
    private func whereItStands(_ state: inout SessionState) -> (Piece?, AnalyticsCode.Step?) {
        for row in pieces where row.status.needsCapture || row.status == .captured {
            return (row.piece, step(row, &state))
        }
        for row in pieces where row.status == .awaitingVerification || row.status == .parked {
            return (row.piece, step(row, &state))
        }
        return (nil, nil)
    }

    private func step(_ row: PieceRow, _ state: inout SessionState) -> AnalyticsCode.Step? {
        switch row.status {
        case .pending: state.pieces[row.piece].failure == nil ? .capture : .recaptureAfterIntake
        case .captured:
            state.configuration?.value.checks == .required && !state.pieces[row.piece].isChecked ? .check : .confirmation
        case .refusedByChecks: .recaptureAfterChecks
        case .rejected: .recaptureAfterRejection
        case .mediaGone: .recaptureOfLostMedia
        case .awaitingVerification: .answer
        case .parked: .parked
        case .absent, .verified, .dropped: nil
        }
    }
}
