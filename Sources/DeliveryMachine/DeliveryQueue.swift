/// Port: the queue of deliveries, kept by whoever stores events.
///
/// All calls come from one worker, which holds the ledger's worker lock. Times are wall-clock milliseconds that the caller
/// gives.
package protocol DeliveryQueue: AnyObject {
    /// Claims up to each quota of deliveries that are due, in order of position, in one short transaction of its own. The
    /// claim counter is raised before this returns. A claim whose holder is dead is taken over at once.
    ///
    /// Not claimed: deliveries already claimed by this worker, withdrawn or parked ones, a hologram without its
    /// transaction (S89), and, in a session with strict order, any but its first unfinished
    /// one (list order; a rejection or a parked delivery lets the next one through).
    func claim(_ quotas: [ClaimQuota], nowMilliseconds: Int64) throws(DeliveryFault) -> [ClaimedDelivery]

    /// Stores the bytes of the first send, sealed, before it happens. Repeating it with the same bytes changes nothing.
    ///
    /// - Throws: `body_changed` when other bytes are stored already, `stale_fence`, `queue_unavailable`.
    func freeze(_ body: FrozenBody, for claim: ClaimedDelivery) throws(DeliveryFault)

    /// Writes everything that the settlement says in one transaction and releases the claim; the claim counter restarts.
    /// An outcome for a superseded capture is recorded and changes no state.
    ///
    /// - Throws: `stale_fence` when another worker has taken the claim over (nothing is written), `queue_unavailable`.
    func settle(_ claim: ClaimedDelivery, _ settlement: Settlement) throws(DeliveryFault)

    /// Gives a claim back untouched, as if it had not been made: the claim counter goes back too.
    func release(_ claim: ClaimedDelivery) throws(DeliveryFault)

    func state(of destination: DestinationName) throws(DeliveryFault) -> DestinationState
    func apply(_ changes: [DestinationChange], to destination: DestinationName) throws(DeliveryFault)
    func backlog() throws(DeliveryFault) -> Backlog
}

package struct ClaimQuota: Hashable, Sendable {
    package var destination: DestinationName
    package var limit: Int

    package init(destination: DestinationName, limit: Int) {
        self.destination = destination
        self.limit = limit
    }
}

/// What is still to be done.
package struct Backlog: Hashable, Sendable {
    /// Deliveries that are neither delivered, parked nor withdrawn.
    package var waiting = 0
    package var parked = 0
    /// The earliest time at which one of them is due; nil without any.
    package var nextDueAtMilliseconds: Int64?
    /// When the oldest of the waiting ones was confirmed.
    package var oldestConfirmedAtMilliseconds: Int64?

    package init() {}
}
