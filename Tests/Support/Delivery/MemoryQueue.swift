package import DeliveryMachine
package import SessionDomain

/// The queue in memory, with the same promises as the stored one except durability.
///
/// Every worker has a queue of its own over one store: its claims last as long as it lives, and are taken over at once when
/// it does not.
package final class MemoryQueue: DeliveryQueue {
    package struct Item {
        package var claim: ClaimedDelivery
        package var isStrict: Bool
        package var dueAt: Int64 = 0
        package var claims = 0
        package var fence: Int64 = 0
        /// The worker that claimed it last and has not settled it.
        package var holder: Int?
        package var work = DeliveryWork()
        package var frozen: FrozenBody?
        package var state: DeliveryState?
        package var outcomes: [DeliveryOutcome] = []
        package var attempts: [AttemptRecord] = []
        package var isMediaDestroyed = false
        /// Superseded or cancelled: never claimed, and given back by whoever holds it.
        package var isWithdrawn = false

        package var isClaimed: Bool { holder != nil }
    }

    /// What all workers share: the ledger.
    package final class Store {
        package var items: [Item] = []
        package var states: [DestinationName: DestinationState] = [:]
        var living: Set<Int> = []
        var workers = 0
        package init() {}
    }

    package let store: Store
    private var holder: Int
    /// Thrown by the next settlement, once.
    package var failsNextSettlement: DeliveryFault?
    /// Transactions that wrote, to see that work is done in batches.
    package private(set) var writes = 0

    package init(_ store: Store = Store()) {
        self.store = store
        store.workers += 1
        holder = store.workers
        store.living.insert(holder)
    }

    package var items: [Item] {
        get { store.items }
        set { store.items = newValue }
    }
    package var states: [DestinationName: DestinationState] {
        get { store.states }
        set { store.states = newValue }
    }

    package func add(_ claim: ClaimedDelivery, isStrict: Bool = false) { items.append(Item(claim: claim, isStrict: isStrict)) }

    /// Another worker on the same ledger.
    package func anotherWorker() -> MemoryQueue { MemoryQueue(store) }

    /// The worker is dead: its lock is free. What it claimed is anybody's; the counters stay.
    package func die() { store.living.remove(holder) }

    /// As after a crash: the worker that comes next is another one.
    package func forgetHolder() {
        die()
        store.workers += 1
        holder = store.workers
        store.living.insert(holder)
    }

    package func item(_ id: DeliveryID) -> Item { items[index(id)!] }

    package func claim(
        _ quotas: [ClaimQuota], nowMilliseconds: Int64, fixing: @escaping @Sendable (ClaimedDelivery) -> FrozenBody?
    ) throws(DeliveryFault) -> [ClaimedDelivery] {
        writes += 1
        var result: [ClaimedDelivery] = []
        for quota in quotas {
            var left = quota.limit
            for index in items.indices where left > 0 && isReady(index, quota, nowMilliseconds) {
                items[index].holder = holder
                items[index].claims += 1
                items[index].fence += 1
                if items[index].frozen == nil { items[index].frozen = fixing(current(index)) }
                result.append(current(index))
                left -= 1
            }
        }
        return result
    }

    package func settle(_ endings: [ClaimEnding]) throws(DeliveryFault) -> Set<DeliveryID> {
        if let fault = failsNextSettlement {
            failsNextSettlement = nil
            throw fault
        }
        writes += 1
        var lost: Set<DeliveryID> = []
        for ending in endings {
            if let index = holding(ending.claim) {
                try settle(index, ending.settlement)
            } else {
                lost.insert(ending.claim.id)
            }
        }
        return lost
    }

    private func settle(_ index: Int, _ settlement: Settlement) throws(DeliveryFault) {
        items[index].holder = nil
        items[index].claims = 0
        items[index].work = settlement.work
        items[index].state = settlement.state
        if case .waiting(let until, _) = settlement.state { items[index].dueAt = until }
        if let outcome = settlement.outcome { items[index].outcomes.append(outcome) }
        if let attempt = settlement.attempt { items[index].attempts.append(attempt) }
        if settlement.destroysMedia { items[index].isMediaDestroyed = true }
        for change in settlement.destinationChanges { write(change, to: items[index].claim.destination) }
    }

    package func release(_ claims: [ClaimedDelivery]) throws(DeliveryFault) {
        writes += 1
        for claim in claims {
            guard let index = holding(claim) else { continue }
            items[index].holder = nil
            items[index].claims -= 1
        }
    }

    package func withdrawn(_ claims: [ClaimedDelivery]) throws(DeliveryFault) -> Set<DeliveryID> {
        Set(claims.filter { claim in holding(claim).map { items[$0].isWithdrawn } ?? true }.map(\.id))
    }

    package func state(of destination: DestinationName) throws(DeliveryFault) -> DestinationState {
        states[destination, default: DestinationState()]
    }

    package func apply(_ changes: [DestinationChange], to destination: DestinationName) throws(DeliveryFault) {
        writes += 1
        for change in changes { write(change, to: destination) }
    }

    private func write(_ change: DestinationChange, to destination: DestinationName) {
        states[destination, default: DestinationState()].apply(change)
    }

    package func backlog() throws(DeliveryFault) -> Backlog {
        var backlog = Backlog()
        for item in items {
            switch item.state {
            case .delivered: break
            case .parked: backlog.parked += 1
            case .waiting, nil:
                backlog.waiting += 1
                backlog.destinations.insert(item.claim.destination)
                backlog.nextDueAtMilliseconds = min(backlog.nextDueAtMilliseconds ?? .max, item.dueAt)
            }
        }
        return backlog
    }
}

extension MemoryQueue {
    private func isReady(_ index: Int, _ quota: ClaimQuota, _ now: Int64) -> Bool {
        let item = items[index]
        guard item.claim.destination == quota.destination, !item.isFinished, !item.isWithdrawn else { return false }
        if let holder = item.holder, store.living.contains(holder) { return false }
        guard item.dueAt <= now || item.dueAt - now > quota.longestWaitMilliseconds else { return false }
        guard item.isStrict else { return true }
        return !items[..<index].contains { $0.claim.session == item.claim.session && !$0.isFinished }
    }

    private func current(_ index: Int) -> ClaimedDelivery {
        let item = items[index]
        let claim = item.claim
        return ClaimedDelivery(
            id: claim.id, destination: claim.destination, session: claim.session, piece: claim.piece, capture: claim.capture,
            captureAttempt: claim.captureAttempt, source: claim.source, media: claim.media, hologram: claim.hologram,
            fence: item.fence, claims: item.claims, work: item.work, frozen: item.frozen)
    }

    private func index(_ id: DeliveryID) -> Int? { items.firstIndex { $0.claim.id == id } }

    private func holding(_ claim: ClaimedDelivery) -> Int? {
        guard let index = index(claim.id), items[index].holder == holder, items[index].fence == claim.fence else {
            return nil
        }
        return index
    }
}

extension MemoryQueue.Item {
    package var isFinished: Bool {
        switch state {
        case .delivered, .parked: true
        case .waiting, nil: false
        }
    }
}
