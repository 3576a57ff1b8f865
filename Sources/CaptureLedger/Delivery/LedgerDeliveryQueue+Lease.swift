import DeliveryMachine
import EventStorage
import SystemCalls

extension LedgerDeliveryQueue {
    /// This worker's name, under a lock that lasts as long as the queue. A new one when somebody removed the file.
    func takeLease() throws(LedgerError) -> String {
        if let held = lease, held.isThere { return held.holder }
        let name = Identifiers.fresh(atMilliseconds: ledger.clock.nowMilliseconds()).text
        lease = nil
        let locks = try ledger.workerLocks
        lease = try called { () throws(SystemError) in try locks.take(name) }
        return name
    }

    /// Lets go of the lock: what is still claimed goes to whoever claims next.
    package func close() { lease = nil }
}

extension Ledger {
    var workerLocks: WorkerLocks {
        get throws(LedgerError) {
            let access = try called { () throws(SystemError) in try FileAccess.matching(folder: files.folder) }
            return WorkerLocks(folder: files.workers, access: access)
        }
    }
}
