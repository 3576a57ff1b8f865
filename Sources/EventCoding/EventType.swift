/// The numbers and names of event types. A number is never given to another type.
package enum EventType: Int, Hashable, Sendable, CaseIterable {
    case sessionStarted = 1
    case sessionSuspended = 2
    case sessionResumed = 3
    case captureRefused = 4
    case pieceCaptured = 5
    case pieceChecked = 6
    case pieceConfirmed = 7
    case pieceRetaken = 8
    case pieceVerified = 9
    case pieceRejected = 10
    case pieceDeliveryParked = 11
    case pieceDeliveryRequeued = 12
    case pendingPiecesDropped = 13
    case hologramRecordingStarted = 14
    case hologramRecordingCancelled = 15
    case guidanceObserved = 16
    case interactionRecorded = 17
    case sessionCompleted = 18
    case sessionExited = 19
    case sessionExpired = 20
    case sessionCancelled = 21
    case hologramTransactionBound = 22
    case mediaPurged = 23
    case sessionErased = 24

    // the ledger's own stream
    case clockAdjusted = 101
    case policyRegistered = 102
    case destinationPaused = 103
    case destinationResumed = 104
    case deliveryRequeued = 105
    case erasureRequested = 106
    case erasureWithdrawn = 107
    case keyRotated = 108
    case ledgerRestored = 109
    case sessionDeliveriesPaused = 110
    case sessionDeliveriesResumed = 111
    case signingKeyAdded = 112

    package var code: Int { rawValue }

    /// snake_case, as people and reports name it.
    package var name: String {
        switch self {
        case .sessionStarted: "session_started"
        case .sessionSuspended: "session_suspended"
        case .sessionResumed: "session_resumed"
        case .captureRefused: "capture_refused"
        case .pieceCaptured: "piece_captured"
        case .pieceChecked: "piece_checked"
        case .pieceConfirmed: "piece_confirmed"
        case .pieceRetaken: "piece_retaken"
        case .pieceVerified: "piece_verified"
        case .pieceRejected: "piece_rejected"
        case .pieceDeliveryParked: "piece_delivery_parked"
        case .pieceDeliveryRequeued: "piece_delivery_requeued"
        case .pendingPiecesDropped: "pending_pieces_dropped"
        case .hologramRecordingStarted: "hologram_recording_started"
        case .hologramRecordingCancelled: "hologram_recording_cancelled"
        case .guidanceObserved: "guidance_observed"
        case .interactionRecorded: "interaction_recorded"
        case .sessionCompleted: "session_completed"
        case .sessionExited: "session_exited"
        case .sessionExpired: "session_expired"
        case .sessionCancelled: "session_cancelled"
        case .hologramTransactionBound: "hologram_transaction_bound"
        case .mediaPurged: "media_purged"
        case .sessionErased: "session_erased"
        case .clockAdjusted: "clock_adjusted"
        case .policyRegistered: "policy_registered"
        case .destinationPaused: "destination_paused"
        case .destinationResumed: "destination_resumed"
        case .deliveryRequeued: "delivery_requeued"
        case .erasureRequested: "erasure_requested"
        case .erasureWithdrawn: "erasure_withdrawn"
        case .keyRotated: "key_rotated"
        case .ledgerRestored: "ledger_restored"
        case .sessionDeliveriesPaused: "session_deliveries_paused"
        case .sessionDeliveriesResumed: "session_deliveries_resumed"
        case .signingKeyAdded: "signing_key_added"
        }
    }

    package init?(name: String) {
        guard let type = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = type
    }

    package var isLedgerEvent: Bool { rawValue > 100 }

    /// The version that new events of the type are written with.
    package var schemaVersion: Int { self == .pieceCaptured || self == .pieceChecked ? 2 : 1 }
}
