import CaptureLedger
import SessionDomain
import Sync

extension Console {
    /// The one summary of a command, for one ledger or for many. A reader that went away is no fault of the run.
    func report(_ rounds: [Round], isMany: Bool) throws {
        do {
            if isMany {
                try result(Round.json(rounds), rounds.map { $0.words(named: true) }.joined(separator: "\n\n"))
            } else if let round = rounds.first {
                try result(round.json, round.words(named: !round.attention.isEmpty))
            }
        } catch let complaint as Complaint where complaint == StandardStreams.closed {}
    }
}

extension Round {
    var json: JSONValue {
        (report ?? SyncReport()).json.adding("needs", .array(attention.map { $0.json }))
            .adding("error", complaint.map { $0.json }).adding("witness", witness.map { $0.json })
    }

    /// The sums over all ledgers, and each one's own.
    static func json(_ rounds: [Round]) -> JSONValue {
        var total = SyncReport()
        for report in rounds.compactMap(\.report) {
            total.verified += report.verified
            total.rejected += report.rejected
            total.retrying += report.retrying
            total.parked += report.parked
            total.left += report.left
            total.paused += report.paused.filter { !total.paused.contains($0) }
        }
        return total.json.adding("needs", .array(rounds.flatMap { round in round.attention.map { $0.json } }))
            .adding("ledgers", .array(rounds.map { ["ledger": .string($0.ledgerPath), "result": $0.json] }))
    }

    func words(named: Bool) -> String {
        var lines: [String] = []
        if named { lines.append(needsPerson == nil ? "\(ledgerPath)" : "\(ledgerPath) needs a person.") }
        if let complaint { lines += complaint.lines }
        let now = standing?.takenAtMilliseconds ?? 0
        for reason in attention { lines += reason.lines(now: now) }
        if let report { lines.append(report.words) }
        if let witness, witness.failure != nil { lines.append(witness.words) }
        return lines.joined(separator: "\n")
    }
}

extension Attention {
    var json: JSONValue {
        [
            "code": .string(code), "destination": .string(destination), "since_ms": .integer(sinceMilliseconds),
            "message": .string("\(destination) \(message)."), "remedy": .string(remedy),
            "runbook": .string(Runbook.section(code)),
        ]
    }

    func lines(now: Int64) -> [String] {
        [
            "\(destination) \(message). Since \(Words.time(sinceMilliseconds)), \(Words.duration(max(0, now - sinceMilliseconds))) ago.",
            "  What to do: \(remedy)", "  More: \(Runbook.section(code))",
        ]
    }
}

extension SyncReport {
    var json: JSONValue {
        [
            "delivered": .whole(delivered), "verified": .whole(verified), "rejected": .whole(rejected),
            "retrying": .whole(retrying), "parked": .whole(parked), "left": .whole(left),
            "paused": .array(paused.map { .string($0.text) }),
        ]
    }

    var words: String {
        var parts = [
            delivered == 0 ? "Nothing was delivered." : "Delivered \(delivered): \(verified) verified, \(rejected) rejected."
        ]
        if retrying > 0 { parts.append("To be tried again: \(retrying).") }
        if parked > 0 { parts.append("Parked: \(parked); see capture-ledger sync list --status parked.") }
        parts.append(left == 0 ? "Nothing is left." : "Left: \(left); capture-ledger sync list says what each waits for.")
        if !paused.isEmpty { parts.append("Paused: \(paused.map(\.text).joined(separator: ", ")).") }
        return parts.joined(separator: " ")
    }
}
