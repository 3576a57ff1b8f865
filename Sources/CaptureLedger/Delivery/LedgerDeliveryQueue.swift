package import DeliveryMachine
import EventStorage
import Outbox
package import SessionDomain
import Synchronization
import Vault

/// The ledger's queue as a worker sees it: claims and settlements go through the one writer, media and evidence through the vault.
/// Its owner holds the ledger's worker lock.
package final class LedgerDeliveryQueue: DeliveryQueue {
    let ledger: Ledger
    /// Names this run's claims; a claim with another name belongs to a run that is dead.
    let holder: String
    var claimed: [DeliveryID: Claim] = [:]
    var sessionOfCapture: [CaptureID: SessionID] = [:]

    struct Claim: Sendable {
        let number: Int64
        let sessionNumber: Int64
    }

    package init(_ ledger: Ledger) {
        self.ledger = ledger
        holder = Identifiers.fresh(atMilliseconds: ledger.clock.nowMilliseconds()).text
    }

    package func claim(_ quotas: [ClaimQuota], nowMilliseconds: Int64) throws(DeliveryFault) -> [ClaimedDelivery] {
        let holder = holder
        let found = try queued { () throws(LedgerError) in
            try ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<[(ClaimedDelivery, Claim)], LedgerError> in
                var found: [(ClaimedDelivery, Claim)] = []
                for quota in quotas {
                    let candidates = try translated { () throws(StorageError) in
                        try context.outbox.candidates(quota, holder: holder, nowMilliseconds: nowMilliseconds)
                    }
                    for candidate in candidates {
                        try translated { () throws(StorageError) in try context.outbox.claim(candidate.number, holder: holder) }
                        if let claim = try context.describeOrPark(candidate, destination: quota.destination) {
                            found.append((claim, Claim(number: candidate.number, sessionNumber: candidate.sessionNumber)))
                        }
                    }
                }
                return .success(found)
            }
        }
        for (delivery, claim) in found {
            claimed[delivery.id] = claim
            sessionOfCapture[delivery.capture] = delivery.session
        }
        return found.map(\.0)
    }

    package func freeze(_ sends: [FirstSend]) throws(DeliveryFault) -> Set<DeliveryID> {
        let numbers = try sends.map { (send) throws(DeliveryFault) in try number(of: send.claim) }
        return try queued { () throws(LedgerError) in
            try ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<Set<DeliveryID>, LedgerError> in
                var refused: Set<DeliveryID> = []
                for (send, number) in zip(sends, numbers) where !(try context.freeze(send, number: number)) {
                    refused.insert(send.claim.id)
                }
                return .success(refused)
            }
        }
    }

    package func release(_ claims: [ClaimedDelivery]) throws(DeliveryFault) {
        let numbers = try claims.map { (claim) throws(DeliveryFault) in try number(of: claim) }
        try queued { () throws(LedgerError) in
            try ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
                for (claim, number) in zip(claims, numbers) {
                    try translated { () throws(StorageError) in try context.outbox.release(number, fence: claim.fence) }
                }
                return .success(())
            }
        }
    }

    package func state(of destination: DestinationName) throws(DeliveryFault) -> DestinationState {
        try queued { () throws(LedgerError) in
            try ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<DestinationState, LedgerError> in
                .success(try translated { () throws(StorageError) in try context.outbox.state(of: destination.text) })
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

    func number(of claim: ClaimedDelivery) throws(DeliveryFault) -> Int64 {
        guard let known = claimed[claim.id] else { throw .staleFence }
        return known.number
    }
}

/// Says in delivery's words what the ledger could not do.
func queued<Value>(_ body: () throws(LedgerError) -> Value) throws(DeliveryFault) -> Value {
    do { return try body() } catch {
        throw DeliveryFault(.queueUnavailable, message: error.message, remedy: error.remedy)
    }
}

extension DeliveryFault {
    static let staleFence = DeliveryFault(
        .staleFence, message: "Another worker has taken this delivery over.",
        remedy: "Nothing was written; it is that worker's now.")
}
