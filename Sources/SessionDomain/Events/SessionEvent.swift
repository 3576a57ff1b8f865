/// What happened in one session. Facts only: nothing here is personal, so an erased session folds to the same state.
/// What is large lies in memory of its own: an event passes through many hands.
package enum SessionEvent: Hashable, Sendable {
    case sessionStarted(SessionStarted)
    case sessionSuspended(SessionSuspended)
    case sessionResumed(SessionResumed)
    indirect case captureRefused(CaptureRefused)
    indirect case pieceCaptured(PieceCaptured)
    indirect case pieceChecked(PieceChecked)
    case pieceConfirmed(PieceConfirmed)
    case pieceRetaken(PieceRetaken)
    indirect case pieceVerified(PieceVerified)
    indirect case pieceRejected(PieceRejected)
    indirect case pieceDeliveryParked(PieceDeliveryParked)
    case pieceDeliveryRequeued(PieceDeliveryRequeued)
    case pendingPiecesDropped(PendingPiecesDropped)
    case hologramRecordingStarted(HologramRecordingStarted)
    case hologramRecordingCancelled(HologramRecordingCancelled)
    case guidanceObserved(GuidanceObserved)
    case interactionRecorded(InteractionRecorded)
    case sessionCompleted(SessionCompleted)
    case sessionExited(SessionExited)
    case sessionExpired(SessionExpired)
    case sessionCancelled(SessionCancelled)
    case hologramTransactionBound(HologramTransactionBound)
    case mediaPurged(MediaPurged)
    case sessionErased(SessionErased)
}

/// What happened to the ledger and not to one session; these events form a stream of their own.
package enum LedgerEvent: Hashable, Sendable {
    case clockAdjusted(ClockAdjusted)
    case policyRegistered(PolicyRegistered)
    case destinationPaused(DestinationPaused)
    case destinationResumed(DestinationResumed)
    case deliveryRequeued(DeliveryRequeued)
    case erasureRequested(ErasureRequested)
    case erasureWithdrawn(ErasureWithdrawn)
    case keyRotated(KeyRotated)
    case ledgerRestored(LedgerRestored)
    case sessionDeliveriesPaused(SessionDeliveriesPaused)
    case sessionDeliveriesResumed(SessionDeliveriesResumed)
    case signingKeyAdded(SigningKeyAdded)
}

/// An event to append, and what is to be sealed beside it.
package struct Decided: Hashable, Sendable {
    package let event: SessionEvent
    package let secret: Secret?

    package init(_ event: SessionEvent, secret: Secret?) {
        self.event = event
        self.secret = secret
    }
}
