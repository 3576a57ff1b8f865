package import DeliveryMachine
import EventStorage
package import Outbox
package import SessionDomain
import SystemCalls

extension Ledger {
    package func deliveries(after number: Int64 = 0, limit: Int = 1000) throws(LedgerError) -> [DeliveryRow] {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.outbox.deliveries(after: number, limit: limit) }
        }
    }

    package func deliveries(of session: SessionID) throws(LedgerError) -> [DeliveryRow] {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                guard let row = try context.events.session(session) else { return [] }
                return try context.outbox.deliveries(ofSession: row.number)
            }
        }
    }

    package func attempts(of delivery: DeliveryRow) throws(LedgerError) -> [AttemptRow] {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.outbox.attempts(ofDelivery: delivery.number) }
        }
    }

    package func backlog() throws(LedgerError) -> Backlog {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.outbox.backlog() }
        }
    }

    /// When a delivery last came to its end with an answer; nil: none did.
    package func lastSuccessMilliseconds() throws(LedgerError) -> Int64? {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.outbox.lastSuccessMilliseconds() }
        }
    }

    package func pauses() throws(LedgerError) -> [(destination: String, pause: DestinationPause)] {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.outbox.pauses() }
        }
    }

    /// Deliveries that a filter asks for, oldest first; the last one's number is the next page's cursor.
    package func deliveries(_ filter: DeliveryFilter) throws(LedgerError) -> [DeliveryRow] {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                let number = try filter.session.map { (id) throws(StorageError) in try context.events.session(id)?.number ?? -1
                }
                return try context.outbox.deliveries(filter, sessionNumber: number)
            }
        }
    }

    /// nil where there is none of that id.
    package func delivery(_ id: DeliveryID) throws(LedgerError) -> DeliveryRow? {
        var filter = DeliveryFilter()
        filter.id = id
        return try deliveries(filter).first
    }

    /// The one worker's lock on this ledger; nil while another run holds it.
    package func takeSyncLock() throws(LedgerError) -> FileLockHold? {
        try called { () throws(SystemError) in
            let access = try FileAccess.matching(folder: files.folder)
            guard let lock = try FileLock(tryingAt: files.sync, access: access) else { return nil }
            return FileLockHold(lock)
        }
    }
}

/// Holds the worker's lock until it is let go of.
package final class FileLockHold: Sendable {
    private let lock: FileLock
    init(_ lock: consuming FileLock) { self.lock = lock }
}
