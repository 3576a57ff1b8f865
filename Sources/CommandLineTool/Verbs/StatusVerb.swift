import CaptureLedger
import SessionDomain

extension Verb {
    static let status = Verb(
        path: ["status"], summary: "The backlog, the oldest that waits, the last success, what comes next.",
        options: [.value("since", "T", "also what happened since then: Unix milliseconds, or how long ago, such as 90m")],
        examples: ["capture-ledger status", "capture-ledger status --since 1790000000000 --json"], exits: [.notFound],
        run: { invocation, console in
            let ledger = try invocation.openForReading()
            let now = ledger.clock.nowMilliseconds()
            let since = try invocation.moment("since", now: now)
            let backlog = try ledger.backlog()
            let pauses = try ledger.pauses()
            let last = try lastSuccess(ledger)
            let oldest = backlog.oldestConfirmedAtMilliseconds
            let recaptures = try ledger.sessions(phase: "needs_recapture", limit: 1_000).count
            let actions = [
                deliveryAction(
                    waiting: backlog.waiting, parked: backlog.parked, dueAt: backlog.nextDueAtMilliseconds, now: now,
                    isPaused: !pauses.isEmpty, hasDestination: !ledger.settings.destinations.isEmpty),
                recaptures == 0
                    ? nil
                    : "\(Words.count(recaptures, "session needs", "sessions need")) a piece captured again: session list --needs recapture.",
            ].compactMap { $0 }
            let next = actions.isEmpty ? "Nothing is to be done." : actions.joined(separator: " ")
            var json: JSONValue = [
                "backlog": ["waiting": .whole(backlog.waiting), "parked": .whole(backlog.parked)],
                "oldest_confirmed_at_ms": .whole(oldest), "last_success_at_ms": .whole(last),
                "next_due_at_ms": .whole(backlog.nextDueAtMilliseconds), "next_action": .string(next),
                "paused": .array(
                    pauses.map {
                        [
                            "destination": .string($0.destination), "reason": .string($0.pause.reason.rawValue),
                            "since_ms": .integer($0.pause.sinceMilliseconds),
                            "probe_at_ms": .whole($0.pause.probeAtMilliseconds),
                        ]
                    }),
                "needs_recapture": .whole(recaptures), "last_position": .integer(try ledger.lastPosition()),
                "epoch": .string(ledger.epoch.text),
            ]
            var words = [
                "Waiting to be delivered: \(backlog.waiting). Parked: \(backlog.parked).",
                oldest.map { "The oldest was confirmed \(Words.duration(now - $0)) ago." } ?? "Nothing waits.",
                last.map { "The last success was \(Words.duration(now - $0)) ago." } ?? "Nothing was delivered yet.",
            ]
            words += pauses.map { "Paused: \($0.destination), because \(Words.plain($0.pause.reason.rawValue))." }
            words.append(next)
            if let since {
                let counts = try happened(since: since, ledger)
                json = json.adding("since", .members(counts.map { .init($0.type, .whole($0.count)) }))
                words.append("Since \(Words.time(since)):")
                words.append(
                    counts.isEmpty ? "  nothing" : Words.table(counts.map { [Words.plain($0.type), String($0.count)] }))
            }
            try console.result(json, words.joined(separator: "\n"))
            return .done
        })

    private static func lastSuccess(_ ledger: Ledger) throws -> Int64? {
        let settled = try ledger.allDeliveries().filter { $0.status == .verified || $0.status == .rejected }
        guard let position = settled.compactMap(\.settledPosition).max() else { return nil }
        return try ledger.events(after: position - 1, limit: 1).first?.recordedAtMilliseconds
    }

    /// nil when nothing is left to deliver.
    private static func deliveryAction(
        waiting: Int, parked: Int, dueAt: Int64?, now: Int64, isPaused: Bool, hasDestination: Bool
    ) -> String? {
        if waiting == 0 {
            return parked == 0 ? nil : "A person must look at what is parked: sync list --status parked."
        }
        if !hasDestination { return "No destination is configured: add one to \(Settings.fileName), then run sync." }
        if isPaused { return "A destination is paused: sync list and sync explain say why." }
        guard let dueAt else { return "Nothing that waits may be sent: sync list says what holds it up." }
        if dueAt <= now { return "Run sync: something is due." }
        return "The next attempt is due in \(Words.duration(dueAt - now))."
    }

    private static func happened(since time: Int64, _ ledger: Ledger) throws -> [(type: String, count: Int)] {
        var counts: [String: Int] = [:]
        var position: Int64 = 0
        while true {
            let page = try ledger.events(after: position)
            guard let last = page.last else { break }
            for event in page where event.recordedAtMilliseconds >= time { counts[event.type, default: 0] += 1 }
            position = last.position
        }
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
