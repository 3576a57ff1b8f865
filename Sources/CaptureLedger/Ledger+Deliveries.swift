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

    package func pauses() throws(LedgerError) -> [(destination: String, pause: DestinationPause)] {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.outbox.pauses() }
        }
    }

    /// Has a parked delivery tried again, at once and with fresh counters; one that waits already becomes due.
    package func requeue(_ delivery: DeliveryRow, _ options: CommandOptions) throws(LedgerError) -> CommandReceipt {
        guard let piece = Piece(code: delivery.pieceCode) else { throw .noSession() }
        let command = RequeueDelivery(
            deliveryID: delivery.id, piece: piece, captureID: delivery.capture, destination: delivery.destination)
        let request = CommandRequest(
            session: delivery.session, command: .requeueDelivery(command),
            commandID: options.commandID ?? Self.freshCommandID(clock.nowMilliseconds()),
            expectedVersion: options.expectedVersion, actor: options.actor,
            body: Self.body("requeue", [.init("delivery", .string(delivery.id.text))]))
        return try writer.writeAndWait { (context) throws(LedgerError) in
            let result = try context.perform(request)
            if case .success(let receipt) = result, !receipt.isRepeat {
                try translated { () throws(StorageError) in
                    try context.outbox.makeDue(delivery.number, nowMilliseconds: context.nowMilliseconds)
                }
            }
            return result
        }
    }

    /// Stops sending to a destination until a person resumes it.
    package func pause(destination: String) throws(LedgerError) {
        try change(destination, byPerson: true) { now in
            .pause(DestinationPause(reason: OutboxWriter.pausedByOperator, sinceMilliseconds: now, probeAtMilliseconds: nil))
        }
    }

    /// Lifts any pause, also one that the worker set.
    package func resume(destination: String) throws(LedgerError) { try change(destination, byPerson: true) { _ in .resume } }

    private func change(
        _ destination: String, byPerson: Bool, _ change: @escaping @Sendable (Int64) -> DestinationChange
    ) throws(LedgerError) {
        try writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
            try translated { () throws(StorageError) in
                try context.outbox.apply(change(context.nowMilliseconds), to: destination, byPerson: byPerson)
            }
            return .success(())
        }
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
