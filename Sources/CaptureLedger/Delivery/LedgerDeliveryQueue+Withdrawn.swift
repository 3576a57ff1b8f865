package import DeliveryMachine
import EventStorage
import Outbox
package import SessionDomain

extension LedgerDeliveryQueue {
    package func withdrawn(_ claims: [ClaimedDelivery]) throws(DeliveryFault) -> Set<DeliveryID> {
        var gone = Set(claims.map(\.id))
        let known = claims.compactMap { claim(of: $0) }
        let held = known.map {
            OutboxReader.HeldClaim(number: $0.number, fence: $0.delivery.fence, holder: $0.holder)
        }
        let wanted = try queued { () throws(LedgerError) in
            try ledger.read { (context) throws(LedgerError) in
                try translated { () throws(StorageError) in try context.outbox.areWanted(held) }
            }
        }
        for (claim, isWanted) in zip(known, wanted) where isWanted { gone.remove(claim.delivery.id) }
        return gone
    }
}
