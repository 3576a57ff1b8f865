package import SessionDomain

/// Port: the queue of deliveries, kept by whoever stores events.
///
/// All calls come from one worker, whose claims last as long as it holds its kernel lock; other workers may use the same queue
/// at the same time. Times are wall-clock milliseconds
/// that the caller gives.
package protocol DeliveryQueue: AnyObject {
    /// Claims up to each quota of deliveries that are due, in order of position, in one short transaction of its own. The
    /// claim counter is raised before this returns. A claim whose holder is dead is taken over at once.
    ///
    /// A delivery is due when its next attempt lies in the past, or further ahead than the quota's longest wait.
    ///
    /// Not claimed: deliveries already claimed by this or another live worker, withdrawn or parked ones, a hologram without its
    /// transaction (S89), and, in a session with strict order, any but its first unfinished
    /// one (list order; a rejection or a parked delivery lets the next one through).
    ///
    /// - Parameter fixing: the bytes of a first send, asked for while no bytes of the delivery are stored; nil when it is not to
    ///   be sent now. They are stored, sealed, in the same transaction, so before any of them leaves, and for ever.
    func claim(
        _ quotas: [ClaimQuota], nowMilliseconds: Int64, fixing: @escaping @Sendable (ClaimedDelivery) -> FrozenBody?
    ) throws(DeliveryFault) -> [ClaimedDelivery]

    /// Writes everything that the settlements say in one transaction and releases their claims; the claim counters restart.
    /// An outcome for a superseded capture is recorded and changes no state.
    ///
    /// - Returns: deliveries that another worker has taken over: nothing was written for them.
    func settle(_ endings: [ClaimEnding]) throws(DeliveryFault) -> Set<DeliveryID>

    /// Gives claims back untouched, as if they had not been made, in one transaction: their claim counters go back too. What
    /// another worker has taken over meanwhile is left alone.
    func release(_ claims: [ClaimedDelivery]) throws(DeliveryFault)

    /// Of these claims, the ones that are not to be sent any more: superseded, cancelled or erased since they were claimed, or
    /// taken over by another worker.
    func withdrawn(_ claims: [ClaimedDelivery]) throws(DeliveryFault) -> Set<DeliveryID>

    func state(of destination: DestinationName) throws(DeliveryFault) -> DestinationState
    func apply(_ changes: [DestinationChange], to destination: DestinationName) throws(DeliveryFault)
    func backlog() throws(DeliveryFault) -> Backlog
}

/// A claim and what it came to.
package struct ClaimEnding: Sendable {
    package var claim: ClaimedDelivery
    package var settlement: Settlement

    package init(claim: ClaimedDelivery, settlement: Settlement) {
        self.claim = claim
        self.settlement = settlement
    }
}

package struct ClaimQuota: Hashable, Sendable {
    package var destination: DestinationName
    package var limit: Int
    /// Claims that all workers together may have on the destination; nil leaves them uncounted.
    package var total: Int?
    /// A next attempt further ahead than this is not believed: the clock that it was stored by has gone back.
    package var longestWaitMilliseconds: Int64

    package init(
        destination: DestinationName, limit: Int, total: Int? = nil,
        longestWaitMilliseconds: Int64 = RetryPolicy().longestWaitMilliseconds
    ) {
        self.destination = destination
        self.limit = limit
        self.total = total
        self.longestWaitMilliseconds = longestWaitMilliseconds
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
    /// Those that some of the waiting ones may be sent to: nothing of the deliveries' own holds them back.
    package var destinations: Set<DestinationName> = []

    package init() {}
}
