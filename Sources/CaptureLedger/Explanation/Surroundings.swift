import DeliveryMachine
package import Outbox
import SessionDomain

/// What surrounds one delivery.
package struct DeliverySurroundings: Sendable {
    /// Of its destination; nil where this ledger and its settings know none of that name.
    package var entry: DeliveryStanding.Entry?
    /// A person paused the delivery's session then.
    package var sessionPausedAtMilliseconds: Int64?
    /// When the delivery was verified, rejected, parked or withdrawn.
    package var settledAtMilliseconds: Int64?
    /// When its last attempt ended.
    package var lastAttemptAtMilliseconds: Int64?

    package init() {}
}

/// What holds deliveries up beside their own next attempt, as it is at one moment.
package struct Surroundings: Sendable {
    private let standing: DeliveryStanding?
    private let entries: [String: DeliveryStanding.Entry]

    /// A ledger that waits for its migration is explained by what it knows: pauses have no place in it yet.
    package init(of ledger: Ledger) {
        standing = try? ledger.standing()
        entries = Dictionary((standing?.entries ?? []).map { ($0.destination, $0) }) { $1 }
    }

    package func of(_ row: DeliveryRow) -> DeliverySurroundings {
        var around = DeliverySurroundings()
        around.entry = entries[row.destination]
        if standing == nil {
            around.entry = DeliveryStanding.Entry(destination: row.destination)
            around.entry?.isConfigured = true
        }
        around.sessionPausedAtMilliseconds = standing?.pausedSessions[row.sessionNumber]
        return around
    }

    package func situation(of row: DeliveryRow, now: Int64) -> Situation { Situation(row, of(row), now: now) }
}
