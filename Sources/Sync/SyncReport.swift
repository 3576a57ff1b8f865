package import DeliveryMachine

/// What one run did and what it left.
package struct SyncReport: Hashable, Sendable {
    package enum Verdict: Sendable {
        /// Nothing waits any more.
        case drained
        case workLeft
        /// Work is left and no destination may be used.
        case everyDestinationPaused
    }

    /// Decided by the endpoint: verified or rejected.
    package var delivered: Int { verified + rejected }
    package var verified = 0
    package var rejected = 0
    /// Tried in this run and to be tried again.
    package var retrying = 0
    /// Given up in this run.
    package var parked = 0
    /// Not finished, whether this run tried them or not.
    package var left = 0
    package var paused: [DestinationName] = []
    package var oldestConfirmedAtMilliseconds: Int64?
    package var verdict = Verdict.drained

    package init() {}
}

/// Told while a run goes on, for logs and progress. Nothing in it is personal or secret.
package enum SyncEvent: Sendable {
    case began(ClaimedDelivery, AttemptRecord.Kind)
    case settled(ClaimedDelivery, Settlement)
    /// Another worker took the claim over; nothing was written.
    case lostClaim(ClaimedDelivery)
    case changed(DestinationName, DestinationChange)
}
