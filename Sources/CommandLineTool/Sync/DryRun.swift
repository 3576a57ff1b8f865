import CaptureLedger
import DeliveryMachine
import Outbox
import SessionDomain

/// Says what a run would do, from one look at the ledger: no lock, no request, no write.
struct DryRun {
    private let ledger: Ledger
    private let console: Console
    private let plan: SyncPlan

    init(_ ledger: Ledger, _ console: Console, _ plan: SyncPlan) {
        self.ledger = ledger
        self.console = console
        self.plan = plan
    }

    func say() throws -> ExitCode {
        let standing = try ledger.standing()
        let now = standing.takenAtMilliseconds
        let entries = Dictionary(standing.entries.map { ($0.destination, $0) }) { $1 }
        var sent: [DeliveryRow] = []
        var held: [(row: DeliveryRow, hold: Hold)] = []
        var probed: Set<String> = []
        let waiting = try ledger.allDeliveries().filter { $0.status == .waiting }
        let first = Dictionary(waiting.map { ($0.sessionNumber, $0.ordinal) }, uniquingKeysWith: min)
        for row in waiting {
            let isBehind = row.isStrict && first[row.sessionNumber].map { $0 < row.ordinal } ?? false
            if let since = standing.pausedSessions[row.sessionNumber] {
                held.append((row, Hold("session_paused", "a person paused its session at \(Words.time(since))")))
            } else if var hold = Hold(row, entries[row.destination], now: now) {
                if hold.letsOneThrough, probed.insert(row.destination).inserted {
                    sent.append(row)
                } else {
                    hold.letsOneThrough = false
                    held.append((row, hold))
                }
            } else if isBehind {
                held.append((row, Hold("behind_another", "an earlier piece of its session goes first")))
            } else if plan.limit.map({ sent.count >= $0 }) ?? false {
                held.append((row, Hold("limit", "--limit lets no more through")))
            } else {
                sent.append(row)
            }
        }
        let left = sent.count + held.count
        try console.result(
            [
                "would_send": .array(sent.map(\.json)),
                "held": .array(
                    held.map { $0.row.json.adding("held_by", .string($0.hold.code)).adding("why", .string($0.hold.why)) }),
                "left": .whole(left),
            ], words(sent, held))
        return left == 0 ? .done : .workLeft
    }

    private func words(_ sent: [DeliveryRow], _ held: [(row: DeliveryRow, hold: Hold)]) -> String {
        var lines = [
            sent.isEmpty ? "Nothing would be sent." : "Would send \(Words.count(sent.count, "delivery", "deliveries")):"
        ]
        if !sent.isEmpty { lines.append(Words.table(sent.map { [$0.id.text, $0.pieceName, $0.destination] })) }
        if !held.isEmpty {
            lines.append("Held back:")
            lines.append(Words.table(held.map { [$0.row.id.text, $0.row.pieceName, $0.row.destination, $0.hold.why] }))
        }
        return lines.joined(separator: "\n")
    }
}
