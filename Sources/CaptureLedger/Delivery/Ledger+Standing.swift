package import DeliveryMachine
import EventStorage
package import Outbox
import SessionDomain
import SystemCalls

/// How delivery stands, for those who watch over it: nothing personal, one entry a destination.
package struct DeliveryStanding: Sendable {
    package struct Entry: Sendable {
        package let destination: String
        /// nil: nothing may be sent to it at present.
        package var waiting: WaitingFigures?
        /// Wait for something else than time, such as a hologram's transaction.
        package var blocked = 0
        /// Of the blocked ones those whose hologram has no transaction, and the number of the first.
        package var withoutTransaction = 0
        package var firstWithoutTransaction: Int64?
        package var parked: [(cause: String, count: Int)] = []
        package var state = DestinationState()
        /// The settings still name it.
        package var isConfigured = false
    }

    /// By name.
    package var entries: [Entry] = []
    /// Numbers of sessions of which nothing is sent until a person resumes them, and since when.
    package var pausedSessions: [Int64: Int64] = [:]
    package var lastPosition: Int64 = 0
    package var takenAtMilliseconds: Int64 = 0

    package init() {}

    package var waiting: Int { entries.reduce(0) { $0 + ($1.waiting?.count ?? 0) + $1.blocked } }
    package var parked: Int { entries.reduce(0) { $0 + $1.parked.reduce(0) { $0 + $1.count } } }
    package var oldestConfirmedAtMilliseconds: Int64? {
        entries.compactMap { $0.waiting?.oldestConfirmedAtMilliseconds }.min()
    }
    package var lastDeliveredAtMilliseconds: Int64? { entries.compactMap(\.state.lastDeliveredAtMilliseconds).max() }
}

extension Ledger {
    /// - Throws: `needs_migration` for a ledger that an older version made: what this one remembers has no place in it yet.
    package func standing() throws(LedgerError) -> DeliveryStanding {
        let configured = settings.destinations.map(\.name)
        var standing = DeliveryStanding()
        standing.takenAtMilliseconds = clock.nowMilliseconds()
        let isCurrent = try read { (context) throws(LedgerError) -> Bool in
            try translated { () throws(StorageError) in
                guard Migrator.pending(try Migrator.schema(of: context.connection)).isEmpty else { return false }
                var entries: [String: DeliveryStanding.Entry] = [:]
                func entry(_ name: String, _ change: (inout DeliveryStanding.Entry) -> Void) {
                    change(&entries[name, default: DeliveryStanding.Entry(destination: name)])
                }
                for name in configured { entry(name) { $0.isConfigured = true } }
                for waiting in try context.outbox.waiting() {
                    entry(waiting.destination) {
                        ($0.waiting, $0.blocked) = (waiting.figures, waiting.held)
                        $0.withoutTransaction = waiting.withoutTransaction
                        $0.firstWithoutTransaction = waiting.firstWithoutTransaction
                    }
                }
                for (name, cause, count) in try context.outbox.parkedCounts() {
                    entry(name) { $0.parked.append((cause, count)) }
                }
                for name in entries.keys.sorted() {
                    let state = try context.outbox.state(of: name)
                    entry(name) { $0.state = state }
                }
                standing.entries = entries.values.sorted { $0.destination < $1.destination }
                standing.pausedSessions = try context.outbox.pausedSessions()
                standing.lastPosition = try context.events.lastPosition()
                return true
            }
        }
        guard isCurrent else {
            throw LedgerError(
                code: .init(rawValue: "needs_migration"), message: "This ledger's schema is older than this version's.",
                remedy: "Make a backup, look at `capture-ledger migrate --dry-run`, then run `capture-ledger migrate`.")
        }
        return standing
    }

    /// What happened over all of the delivery log; reads the whole of it.
    package func attemptFigures() throws(LedgerError) -> [AttemptFigures] {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.outbox.attemptFigures() }
        }
    }

    /// Bytes that can still be written where the ledger lies.
    package func freeBytes() throws(LedgerError) -> Int64 {
        try called { () throws(SystemError) in try FileSystem.freeBytes(at: files.folder) }
    }
}
