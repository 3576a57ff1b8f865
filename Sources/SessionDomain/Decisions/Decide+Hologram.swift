extension SessionDecider {
    static func startRecording(_ state: SessionState) throws(Rejection) -> [Decided] {
        let configuration = try configuration(state)
        try requireActive(state)
        let slot = state.pieces[.hologram]
        switch slot.status {
        case .absent: throw .noHologram
        case .dropped: throw .pieceDropped(.hologram)
        case .verified: throw .pieceVerified(.hologram)
        case .captured, .awaitingVerification, .parked: break
        case .pending, .refusedByChecks, .mediaGone, .rejected:
            guard state.currentPiece == .hologram else { throw .notCurrentPiece(.hologram, current: state.currentPiece) }
        }
        guard !state.hologram.isRecording else { return [] }
        if configuration.value.hologramSettings.useCardDetection, !state.hologram.isCardVisible { throw .cardNotDetected }
        let started = HologramRecordingStarted(recording: state.hologram.recordings + 1)
        return [Decided(.hologramRecordingStarted(started), secret: nil)]
    }

    static func cancelRecording(_ cause: RecordingEnd, _ state: SessionState) throws(Rejection) -> [Decided] {
        try requireOpen(state)
        guard state.pieces[.hologram].status != .absent else { throw .noHologram }
        return endOfRecording(state, cause: cause)
    }

    static func endOfRecording(_ state: SessionState, cause: RecordingEnd) -> [Decided] {
        guard state.hologram.isRecording else { return [] }
        let cancelled = HologramRecordingCancelled(recording: state.hologram.recordings, cause: cause)
        return [Decided(.hologramRecordingCancelled(cancelled), secret: nil)]
    }

    /// A later transaction is another one: it never changes between retries (S84).
    static func bind(_ transaction: Digest256, _ secret: Secret?, _ state: SessionState) throws(Rejection) -> [Decided] {
        try requireOpenOrExited(state)
        guard state.pieces[.hologram].status != .absent else { throw .noHologram }
        if let bound = state.transaction {
            guard bound == transaction else { throw .transactionAlreadyBound }
            return []
        }
        return [Decided(.hologramTransactionBound(HologramTransactionBound(transaction: transaction)), secret: secret)]
    }

    private static func requireOpenOrExited(_ state: SessionState) throws(Rejection) {
        if state.status != .exited { try requireOpen(state) }
    }
}
