import DeliveryMachine
import Outbox
import SessionDomain

/// The ledger's queue as a host's verifiers see it: only captures that go to a host, and of those only the ones whose session has a
/// verifier in this process. Another process's wait for that one.
final class HostDeliveryQueue: DeliveryQueue {
    let inner: LedgerDeliveryQueue
    private let ledger: Ledger
    private(set) var claimed: [DeliveryID: ClaimedDelivery] = [:]
    private(set) var hasClaimed = false

    init(_ ledger: Ledger) {
        self.ledger = ledger
        inner = LedgerDeliveryQueue(ledger, clock: ledger.clock)
    }

    func claim(
        _ quotas: [ClaimQuota], nowMilliseconds: Int64, fixing: @escaping @Sendable (ClaimedDelivery) -> FrozenBody?
    ) throws(DeliveryFault) -> [ClaimedDelivery] {
        let sessions = ledger.hosting.sessionsToVerify
        if sessions.isEmpty { return [] }
        let found = try inner.claim(quotas, of: sessions, nowMilliseconds: nowMilliseconds, fixing: fixing)
        for claim in found { claimed[claim.id] = claim }
        if !found.isEmpty { hasClaimed = true }
        return found
    }

    func settle(_ endings: [ClaimEnding]) throws(DeliveryFault) -> Set<DeliveryID> {
        let lost = try inner.settle(endings)
        for ending in endings { claimed[ending.claim.id] = nil }
        return lost
    }

    func release(_ deliveries: [ClaimedDelivery]) throws(DeliveryFault) {
        try inner.release(deliveries)
        for delivery in deliveries { claimed[delivery.id] = nil }
    }

    func withdrawn(_ deliveries: [ClaimedDelivery]) throws(DeliveryFault) -> Set<DeliveryID> {
        try inner.withdrawn(deliveries)
    }

    func state(of destination: DestinationName) throws(DeliveryFault) -> DestinationState {
        try inner.state(of: destination)
    }

    func apply(_ changes: [DestinationChange], to destination: DestinationName) throws(DeliveryFault) {
        try inner.apply(changes, to: destination)
    }

    func backlog() throws(DeliveryFault) -> Backlog {
        try queued { () throws(LedgerError) in
            var backlog = Backlog()
            for session in ledger.hosting.sessionsToVerify {
                for row in try ledger.deliveries(of: session)
                where row.destination == CaptureConfiguration.host && row.status == .waiting && row.holder == nil {
                    backlog.waiting += 1
                    let due = row.nextAttemptAtMilliseconds ?? 0
                    backlog.nextDueAtMilliseconds = min(backlog.nextDueAtMilliseconds ?? due, due)
                }
            }
            return backlog
        }
    }
}
