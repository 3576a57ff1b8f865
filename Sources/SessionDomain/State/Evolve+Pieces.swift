extension SessionState {
    mutating func apply(_ event: SessionStarted) {
        status = .active
        configuration = event.configuration
        startedAtMilliseconds = event.startedAtMilliseconds
        deadlineAtMilliseconds = event.deadlineAtMilliseconds
        transaction = event.transaction
        for piece in event.configuration.value.pieces { pieces[piece].status = .pending }
    }

    mutating func apply(_ event: PieceCaptured) {
        pieces[event.piece].status = .captured
        pieces[event.piece].attempts = event.attempt ?? pieces[event.piece].attempts + 1
        pieces[event.piece].captureID = event.captureID
        pieces[event.piece].commitment = event.commitment
        pieces[event.piece].source = event.source
        pieces[event.piece].rotation = event.rotation
        pieces[event.piece].destination = nil
        pieces[event.piece].isChecked = false
        pieces[event.piece].confirmsAfterChecks = event.confirmsAfterChecks
        pieces[event.piece].confirmedAtMilliseconds = nil
        pieces[event.piece].failure = nil
        pieces[event.piece].parkCause = nil
        pieces[event.piece].score = nil
        if event.piece == .hologram { hologram.isRecording = false }
    }

    mutating func apply(_ event: PieceChecked) {
        guard !event.late, pieces[event.piece].captureID == event.captureID else { return }
        let status = pieces[event.piece].status
        guard status == .captured || status == .refusedByChecks || status == .awaitingVerification else { return }
        pieces[event.piece].isChecked = event.failure != .scannerNotReady
        guard let failure = event.failure else {
            guard status == .refusedByChecks else { return }
            // the scanner was not ready the first time
            pieces[event.piece].status = .captured
            pieces[event.piece].failure = nil
            return
        }
        pieces[event.piece].status = .refusedByChecks
        // a missing face says nothing about the bytes, and a missing runner neither
        refuse(event.piece, because: failure, remember: failure != .hologramFaceMissing && failure != .scannerNotReady)
    }

    mutating func apply(_ event: PieceConfirmed) {
        guard pieces[event.piece].captureID == event.captureID else { return }
        pieces[event.piece].status = .awaitingVerification
        pieces[event.piece].destination = event.destination
        pieces[event.piece].confirmedAtMilliseconds = event.confirmedAtMilliseconds
    }

    mutating func apply(_ event: PieceVerified) {
        guard !event.late, pieces[event.piece].captureID == event.captureID else { return }
        pieces[event.piece].status = .verified
        pieces[event.piece].score = event.score
        pieces[event.piece].failure = nil
        pieces[event.piece].parkCause = nil
    }

    mutating func apply(_ event: PieceRejected) {
        guard !event.late, pieces[event.piece].captureID == event.captureID else { return }
        pieces[event.piece].status = .rejected
        pieces[event.piece].score = event.score
        pieces[event.piece].parkCause = nil
        refuse(event.piece, because: event.failure, remember: true)
    }

    mutating func apply(_ event: PieceDeliveryParked) {
        guard !event.late, pieces[event.piece].captureID == event.captureID else { return }
        pieces[event.piece].status = event.needsRecapture ? .mediaGone : .parked
        pieces[event.piece].parkCause = event.cause
        if event.needsRecapture { pieces[event.piece].failure = CaptureFailure(rawValue: event.cause) }
    }

    /// A capture that nobody is answering for yet is lost with its media; one that was handed over may still be answered.
    mutating func apply(_ event: MediaPurged) {
        guard status.isOpen || status == .exited, pieces[event.piece].captureID == event.captureID else { return }
        // what did not open can still come back; what was destroyed cannot
        if pieces[event.piece].status == .mediaGone { pieces[event.piece].parkCause = nil }
        guard pieces[event.piece].status == .captured || pieces[event.piece].status == .parked else { return }
        pieces[event.piece].status = .mediaGone
        pieces[event.piece].failure = .mediaExpired
    }

    private mutating func refuse(_ piece: Piece, because failure: CaptureFailure, remember: Bool) {
        pieces[piece].failure = failure
        if remember, let commitment = pieces[piece].commitment { pieces[piece].failedCommitments.append(commitment) }
    }
}
