import DeliveryMachine
import EventStorage
import Outbox
import SessionDomain

extension LedgerDeliveryQueue {
    /// As `claim`, of these sessions alone.
    func claim(
        _ quotas: [ClaimQuota], of sessions: [SessionID], nowMilliseconds: Int64
    ) throws(DeliveryFault) -> [ClaimedDelivery] {
        let holder = holder
        let found = try queued { () throws(LedgerError) in
            try ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<[(ClaimedDelivery, Claim)], LedgerError> in
                var numbers: [Int64] = []
                for session in sessions { if let open = try context.session(session) { numbers.append(open.row.number) } }
                var found: [(ClaimedDelivery, Claim)] = []
                for quota in quotas {
                    let candidates = try translated { () throws(StorageError) in
                        try context.outbox.candidates(quota, ofSessions: numbers, nowMilliseconds: nowMilliseconds)
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
    func close() {}
}
