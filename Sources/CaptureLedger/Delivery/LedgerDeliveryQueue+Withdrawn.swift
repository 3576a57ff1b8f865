package import DeliveryMachine
import EventStorage
package import SessionDomain

extension LedgerDeliveryQueue {
    package func withdrawn(_ claims: [ClaimedDelivery]) throws(DeliveryFault) -> Set<DeliveryID> {
        let known = claims.map { (delivery: $0, claim: claim(of: $0)) }
        return try queued { () throws(LedgerError) in
            try ledger.read { (context) throws(LedgerError) in
                try translated { () throws(StorageError) in
                    var gone: Set<DeliveryID> = []
                    for (delivery, claim) in known {
                        guard let claim else {
                            gone.insert(delivery.id)
                            continue
                        }
                        if !(try context.outbox.isWanted(claim.number, fence: delivery.fence, holder: claim.holder)) {
                            gone.insert(delivery.id)
                        }
                    }
                    return gone
                }
            }
        }
    }
}
