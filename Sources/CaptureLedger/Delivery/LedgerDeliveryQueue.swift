package import DeliveryMachine
import EventStorage
import Outbox
package import SessionDomain
import Synchronization
import SystemCalls
import Vault

/// The ledger's queue as a worker sees it: claims and settlements go through the one writer, media and evidence through the vault.
///
/// It belongs to one thread. Several may work on one ledger, in one process or in many: each is alive as long as it holds a lock of
/// its own, from its first claim on, and its claims are its own as long as it lives.
package final class LedgerDeliveryQueue: DeliveryQueue {
    let ledger: Ledger
    var lease: WorkerLock?
    private var hasSwept = false
    var claimed: [DeliveryID: Claim] = [:]
    var sessionOfCapture: [CaptureID: SessionID] = [:]

    struct Claim: Sendable {
        let delivery: ClaimedDelivery
        let number: Int64
        let holder: String
    }

    package init(_ ledger: Ledger) { self.ledger = ledger }

    package func claim(_ quotas: [ClaimQuota], nowMilliseconds: Int64) throws(DeliveryFault) -> [ClaimedDelivery] {
        let isFirst = !hasSwept
        let found = try queued { () throws(LedgerError) in
            let holder = try takeLease()
            let locks = try ledger.workerLocks
            return try ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<[Claim], LedgerError> in
                if isFirst { context.sweep(locks, holder: holder) }
                try context.takeOverFromTheDead(locks, holder: holder)
                var found: [Claim] = []
                for quota in quotas { found += try context.claim(quota, holder: holder, nowMilliseconds: nowMilliseconds) }
                return .success(found)
            }
        }
        hasSwept = true
        for claim in found {
            claimed[claim.delivery.id] = claim
            sessionOfCapture[claim.delivery.capture] = claim.delivery.session
        }
        return found.map(\.delivery)
    }

    package func freeze(_ sends: [FirstSend]) throws(DeliveryFault) -> Set<DeliveryID> {
        let claims = sends.map { claim(of: $0.claim) }
        return try queued { () throws(LedgerError) in
            try ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<Set<DeliveryID>, LedgerError> in
                var refused: Set<DeliveryID> = []
                for (send, claim) in zip(sends, claims) where !(try context.freeze(send, claim)) {
                    refused.insert(send.claim.id)
                }
                return .success(refused)
            }
        }
    }

    package func release(_ deliveries: [ClaimedDelivery]) throws(DeliveryFault) {
        let claims = deliveries.compactMap { claim(of: $0) }
        if claims.isEmpty { return }
        try queued { () throws(LedgerError) in
            try ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
                try translated { () throws(StorageError) in
                    for claim in claims {
                        try context.outbox.release(claim.number, fence: claim.delivery.fence, holder: claim.holder)
                    }
                }
                return .success(())
            }
        }
    }

    package func state(of destination: DestinationName) throws(DeliveryFault) -> DestinationState {
        try queued { () throws(LedgerError) in
            try ledger.read { (context) throws(LedgerError) in
                try translated { () throws(StorageError) in try context.outbox.state(of: destination.text) }
            }
        }
    }

    package func apply(_ changes: [DestinationChange], to destination: DestinationName) throws(DeliveryFault) {
        if changes.isEmpty { return }
        try queued { () throws(LedgerError) in
            try ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
                try translated { () throws(StorageError) in
                    for change in changes { try context.outbox.apply(change, to: destination.text) }
                }
                return .success(())
            }
        }
    }

    /// Of the endpoints: what waits for a host's own verifier is not a worker's business.
    package func backlog() throws(DeliveryFault) -> Backlog {
        try queued { () throws(LedgerError) in
            try ledger.read { (context) throws(LedgerError) in
                try translated { () throws(StorageError) in try context.outbox.backlog(without: CaptureConfiguration.host) }
            }
        }
    }

    /// nil when it is not this worker's any more.
    func claim(of delivery: ClaimedDelivery) -> Claim? {
        guard let known = claimed[delivery.id], known.delivery.fence == delivery.fence else { return nil }
        return known
    }

    func forget(_ delivery: ClaimedDelivery) {
        if claim(of: delivery) != nil { claimed[delivery.id] = nil }
    }
}

/// Says in delivery's words what the ledger could not do.
func queued<Value>(_ body: () throws(LedgerError) -> Value) throws(DeliveryFault) -> Value {
    do { return try body() } catch {
        throw DeliveryFault(.queueUnavailable, message: error.message, remedy: error.remedy)
    }
}
