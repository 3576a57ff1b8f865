package import DeliveryMachine
import EventStorage
import Outbox
import SessionDomain
import Synchronization
import SystemCalls
import Vault

/// The ledger's queue as a worker sees it: claims and settlements go through the one writer, media and evidence through the
/// vault.
///
/// It belongs to one run: at most one thread claims and settles, while another opens media and looks at what is
/// wanted. Several may work on one ledger, in one process or in many: each is alive as long as it holds a lock of its own, from
/// its first claim on, and its claims are its own as long as it lives.
package final class LedgerDeliveryQueue: DeliveryQueue {
    let ledger: Ledger
    /// This run's: it goes on without a jump, whatever happens to the wall clock. Times given and taken here are its.
    package let clock: LedgerClock
    var lease: WorkerLock?
    private var hasSwept = false
    private let held = Mutex(Held())

    struct Claim: Sendable {
        let delivery: ClaimedDelivery
        let number: Int64
        let holder: String
    }

    private struct Held {
        var claims: [DeliveryID: Claim] = [:]
        var sessions: [CaptureID: SessionID] = [:]
    }

    /// - Parameter clock: the one whose times are given here; without it one that does not jump.
    package init(_ ledger: Ledger, clock: LedgerClock? = nil) {
        self.ledger = ledger
        self.clock = clock ?? ledger.clock.unbroken()
    }

    package func claim(
        _ quotas: [ClaimQuota], nowMilliseconds: Int64, fixing: @escaping @Sendable (ClaimedDelivery) -> FrozenBody?
    ) throws(DeliveryFault) -> [ClaimedDelivery] {
        try claim(quotas, of: nil, nowMilliseconds: nowMilliseconds, fixing: fixing)
    }

    /// - Parameter sessions: nil claims whatever session's.
    func claim(
        _ quotas: [ClaimQuota], of sessions: [SessionID]?, nowMilliseconds: Int64,
        fixing: @escaping @Sendable (ClaimedDelivery) -> FrozenBody?
    ) throws(DeliveryFault) -> [ClaimedDelivery] {
        let (isFirst, clock) = (!hasSwept, clock)
        let found = try queued { () throws(LedgerError) in
            let holder = try takeLease()
            let locks = try ledger.workerLocks
            return try ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<[Claim], LedgerError> in
                if isFirst { context.sweep(locks, holder: holder) }
                try context.takeOverFromTheDead(locks, holder: holder)
                var found: [Claim] = []
                let moment = ClaimMoment(
                    holder: holder, nowMilliseconds: nowMilliseconds, offset: try context.offset(of: clock))
                let numbers = try sessions.map { (ids) throws(LedgerError) in try context.numbers(of: ids) }
                for quota in quotas {
                    found += try context.claim(quota, ofSessions: numbers, moment, fixing: fixing)
                }
                return .success(found)
            }
        }
        hasSwept = true
        held.withLock { held in
            for claim in found {
                held.claims[claim.delivery.id] = claim
                held.sessions[claim.delivery.capture] = claim.delivery.session
            }
        }
        return found.map(\.delivery)
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
            try noteClock()
            return try ledger.read { (context) throws(LedgerError) in
                try translated { () throws(StorageError) in
                    try context.outbox.state(of: destination.text).moved(by: -(try offset(context.connection)))
                }
            }
        }
    }

    package func apply(_ changes: [DestinationChange], to destination: DestinationName) throws(DeliveryFault) {
        if changes.isEmpty { return }
        let clock = clock
        try queued { () throws(LedgerError) in
            try ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
                let offset = try context.offset(of: clock)
                try translated { () throws(StorageError) in
                    for change in changes { try context.outbox.apply(change.moved(by: offset), to: destination.text) }
                }
                return .success(())
            }
        }
    }

    /// Of the endpoints: what waits for a host's own verifier is not a worker's business.
    package func backlog() throws(DeliveryFault) -> Backlog {
        try queued { () throws(LedgerError) in
            try ledger.read { (context) throws(LedgerError) in
                try translated { () throws(StorageError) in
                    var backlog = try context.outbox.backlog(without: CaptureConfiguration.host)
                    let offset = try offset(context.connection)
                    backlog.nextDueAtMilliseconds = backlog.nextDueAtMilliseconds.map { $0 == 0 ? 0 : $0 - offset }
                    backlog.oldestConfirmedAtMilliseconds = backlog.oldestConfirmedAtMilliseconds.map { $0 - offset }
                    let names = try context.outbox.waitingFigures().map(\.destination)
                    backlog.destinations = Set(names.filter { $0 != CaptureConfiguration.host }.map { DestinationName($0) })
                    return backlog
                }
            }
        }
    }

    /// nil when it is not this worker's any more.
    func claim(of delivery: ClaimedDelivery) -> Claim? {
        guard let known = held.withLock({ $0.claims[delivery.id] }), known.delivery.fence == delivery.fence else { return nil }
        return known
    }

    /// nil when no capture of it was claimed.
    func session(of capture: CaptureID) -> SessionID? { held.withLock { $0.sessions[capture] } }

    func forget(_ delivery: ClaimedDelivery) {
        held.withLock { held in
            guard held.claims[delivery.id]?.delivery.fence == delivery.fence else { return }
            held.claims[delivery.id] = nil
            held.sessions[delivery.capture] = nil
        }
    }
}

/// What the ledger could not do, under its own code: whether the disk is full decides how the program ends.
func queued<Value>(_ body: () throws(LedgerError) -> Value) throws(DeliveryFault) -> Value {
    do { return try body() } catch {
        throw DeliveryFault(.init(rawValue: error.code.rawValue), message: error.message, remedy: error.remedy)
    }
}
