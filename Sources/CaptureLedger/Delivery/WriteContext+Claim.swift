import DeliveryMachine
import EventStorage
import Outbox
import SessionDomain
import SystemCalls

/// Who claims, and when.
struct ClaimMoment {
    let holder: String
    /// The run's time.
    let nowMilliseconds: Int64
    /// How far stored times are from the run's.
    let offset: Int64
}

extension WriteContext {
    /// Claims what is due, counted before any work is done, and fixes the bytes of first sends.
    func claim(
        _ quota: ClaimQuota, ofSessions numbers: [Int64]?, _ moment: ClaimMoment,
        fixing: (ClaimedDelivery) -> FrozenBody?
    ) throws(LedgerError) -> [LedgerDeliveryQueue.Claim] {
        var quota = quota
        if let total = quota.total {
            let held = try translated { () throws(StorageError) in try outbox.claimCount(of: quota.destination.text) }
            quota.limit = min(quota.limit, total - held)
        }
        guard quota.limit > 0 else { return [] }
        let candidates = try translated { () throws(StorageError) in
            let now = moment.nowMilliseconds + moment.offset
            guard let numbers else { return try outbox.candidates(quota, nowMilliseconds: now) }
            return try outbox.candidates(quota, ofSessions: numbers, nowMilliseconds: now)
        }
        var found: [LedgerDeliveryQueue.Claim] = []
        for candidate in candidates {
            try translated { () throws(StorageError) in try outbox.claim(candidate.number, holder: moment.holder) }
            let delivery = try describeOrPark(
                candidate, destination: quota.destination, offset: moment.offset, fixing: fixing)
            guard let delivery else { continue }
            found.append(LedgerDeliveryQueue.Claim(delivery: delivery, number: candidate.number, holder: moment.holder))
        }
        return found
    }

    func numbers(of sessions: [SessionID]) throws(LedgerError) -> [Int64] {
        var numbers: [Int64] = []
        for id in sessions { if let open = try session(id) { numbers.append(open.row.number) } }
        return numbers
    }

    /// Frees the claims of workers whose lock is free, at once and never by time: a slow worker that lives keeps its own.
    func takeOverFromTheDead(_ locks: WorkerLocks, holder: String) throws(LedgerError) {
        let holders = try translated { () throws(StorageError) in try outbox.holders() }
        for other in holders where other != holder {
            guard try called({ () throws(SystemError) in try locks.bury(other) }) else { continue }
            try translated { () throws(StorageError) in try outbox.releaseClaims(ofDeadHolder: other) }
        }
    }

    /// Removes what dead workers left that had nothing in hand. A file that is none of a worker's stays.
    func sweep(_ locks: WorkerLocks, holder: String) {
        guard let others = try? locks.holders() else { return }
        for other in others where other != holder { _ = try? locks.bury(other) }
    }
}
