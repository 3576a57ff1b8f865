import CaptureLedger
import DeliveryMachine
import Outbox
import SessionDomain

/// What holds deliveries up beside their own next attempt.
struct Holds {
    private let standing: DeliveryStanding
    private let entries: [String: DeliveryStanding.Entry]

    /// A ledger of an older version can still be listed.
    init(of ledger: Ledger) {
        standing = (try? ledger.standing()) ?? DeliveryStanding()
        entries = Dictionary(standing.entries.map { ($0.destination, $0) }) { $1 }
    }

    /// nil: nothing but its own next attempt, or what it waits for itself.
    func hold(of row: DeliveryRow, now: Int64) -> Hold? {
        guard row.status == .waiting, row.blocked == nil, let entry = entries[row.destination] else { return nil }
        if let since = standing.pausedSessions[row.sessionNumber] {
            return Hold("session_paused", "a person paused its session at \(Words.time(since))")
        }
        if row.destination == CaptureConfiguration.host { return nil }
        guard let hold = Hold(row, entry, now: now), hold.code != "not_due" else { return nil }
        return hold
    }

    func step(of row: DeliveryRow, now: Int64) -> String {
        hold(of: row, now: now).map { "Waits: \($0.why)." } ?? row.nextStep(now: now)
    }
}
