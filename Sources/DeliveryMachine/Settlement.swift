package import SessionDomain

/// What one claim came to. The queue writes all of it in one transaction: the work, the attempt's row, the events of the
/// outcome and the destination's changes, or none of it when the claim's fence is stale.
package struct Settlement: Sendable {
    package var work: DeliveryWork
    package var state: DeliveryState
    /// nil when no request was made.
    package var attempt: AttemptRecord?
    /// Present exactly when the endpoint decided: re-enters the domain as a command.
    package var outcome: DeliveryOutcome?
    /// The media must be destroyed with this settlement (S80).
    package var destroysMedia: Bool
    package var destinationChanges: [DestinationChange]

    package init(
        work: DeliveryWork, state: DeliveryState, attempt: AttemptRecord?, outcome: DeliveryOutcome? = nil,
        destroysMedia: Bool = false, destinationChanges: [DestinationChange] = []
    ) {
        self.work = work
        self.state = state
        self.attempt = attempt
        self.outcome = outcome
        self.destroysMedia = destroysMedia
        self.destinationChanges = destinationChanges
    }
}

package enum DeliveryState: Hashable, Sendable {
    /// To be claimed again, not before this time.
    case waiting(untilMilliseconds: Int64, because: Explanation)
    /// Verified or rejected: both are delivered.
    case delivered
    /// Gave up for a stated cause; the same capture can be requeued. Becomes `piece_delivery_parked`.
    case parked(ParkCause)
}

/// Why a delivery was given up; an open set.
package struct ParkCause: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The attempt cap or the age cap was reached (F18).
    package static let failedPermanently = Self(rawValue: "failed_permanently")
    /// The endpoint says that this request can never succeed (400, 413 …).
    package static let refusedByEndpoint = Self(rawValue: "refused_by_endpoint")
    /// 422: the key was used with another body. Our fault, worth an alarm.
    package static let keyReused = Self(rawValue: "key_reused")
    /// Three answers outside the contract while other deliveries got through.
    package static let contractBreak = Self(rawValue: "contract_break")
    /// The claim counter ran out: the worker died three times with this delivery in hand.
    package static let quarantined = Self(rawValue: "quarantined")
    /// Our own copy cannot be read or was altered; it is never sent.
    package static let mediaUnreadable = Self(rawValue: "media_unreadable")
    /// Strict mode: the answer was lost and the video no longer exists (S80).
    package static let mediaDestroyed = Self(rawValue: "media_destroyed")
    /// The media passed its own limit before it was delivered.
    package static let mediaExpired = Self(rawValue: "media_expired")

    package static let all = [
        failedPermanently, refusedByEndpoint, keyReused, contractBreak, quarantined, mediaUnreadable, mediaDestroyed,
        mediaExpired,
    ]
}

/// What the endpoint decided.
package enum DeliveryOutcome: Hashable, Sendable {
    /// `payload` is JSON text, kept as it came (S15); `score` is the hologram's.
    case verified(payload: [UInt8], score: Double?, drop: [Piece])
    case rejected(reason: String, staffReason: String?, score: Double?, drop: [Piece])

    /// What the domain will make of it: a hologram's score below the session's pass mark is a rejection.
    package func isRejection(of claim: ClaimedDelivery) -> Bool {
        switch self {
        case .rejected: return true
        case .verified(_, let score, _):
            guard let score, let mark = claim.hologram?.passMark else { return false }
            return score < mark
        }
    }
}

/// One request and what became of it: a row of the append-only delivery log.
package struct AttemptRecord: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case send
        case statusQuery = "status_query"
    }

    package var kind: Kind
    package var startedAtMilliseconds: Int64
    package var finishedAtMilliseconds: Int64
    package var certainty: Certainty
    package var curlCode: Int32
    /// 0 without a final status.
    package var status: Int
    package var bytesSent: Int64
    package var bytesReceived: Int64
    package var explanation: Explanation
    package var retryAfterMilliseconds: Int64?
    /// Which edition of the classification table decided.
    package var tableVersion: Int
    package var evidence: EvidenceReference?

    package init(
        kind: Kind, startedAtMilliseconds: Int64, finishedAtMilliseconds: Int64, certainty: Certainty, curlCode: Int32,
        status: Int, bytesSent: Int64, bytesReceived: Int64, explanation: Explanation, retryAfterMilliseconds: Int64? = nil,
        tableVersion: Int, evidence: EvidenceReference? = nil
    ) {
        self.kind = kind
        self.startedAtMilliseconds = startedAtMilliseconds
        self.finishedAtMilliseconds = finishedAtMilliseconds
        self.certainty = certainty
        self.curlCode = curlCode
        self.status = status
        self.bytesSent = bytesSent
        self.bytesReceived = bytesReceived
        self.explanation = explanation
        self.retryAfterMilliseconds = retryAfterMilliseconds
        self.tableVersion = tableVersion
        self.evidence = evidence
    }
}

/// How much is known about whether a request arrived.
package enum Certainty: String, Sendable {
    case notSent = "not_sent"
    /// Must be assumed to have arrived.
    case unknown
    case answered
}

/// Why something is as it is: a stable code for programs, the sentence is the reader's.
package struct Explanation: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}
