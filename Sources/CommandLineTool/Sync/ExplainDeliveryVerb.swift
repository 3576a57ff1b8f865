import CaptureLedger
import DeliveryMachine
import Outbox
import SessionDomain

extension Verb {
    static let syncExplain = Verb(
        path: ["sync", "explain"], summary: "Say what happens next with a delivery, when, why, and who must act.",
        details:
            "With --table it prints how ended requests are read: every row of the table, in the order in which it is looked through.",
        positionals: [Positional("DELIVERY", "the delivery's id", .optional)],
        options: [.flag("table", "print the classification table and its edition")],
        examples: ["capture-ledger sync explain 5f0c…", "capture-ledger sync explain --table --json"], exits: [.notFound],
        run: { invocation, console in
            if invocation.has("table") {
                if invocation.word(0) != nil {
                    throw Complaint.usage("DELIVERY and --table were both given.", remedy: "Keep one of them.")
                }
                return try console.explainTable()
            }
            guard invocation.word(0) != nil else {
                throw Complaint.usage(
                    "sync explain needs DELIVERY, or --table.", remedy: "Copy an id from capture-ledger sync list.")
            }
            let ledger = try invocation.openForReading()
            try console.explain(try ledger.delivery(invocation[0]), ledger)
            return .done
        })
}

extension Console {
    /// A delivery with its attempts, what holds it up, what comes next, and whose turn it is.
    func explain(_ delivery: DeliveryRow, _ ledger: Ledger) throws {
        let attempts = try ledger.attempts(of: delivery)
        let now = ledger.clock.nowMilliseconds()
        // a ledger that waits for its migration still explains what it knows
        let standing = try? ledger.standing()
        let entry = standing?.entries.first { $0.destination == delivery.destination }
        let outlook = Outlook(
            delivery, entry, pausedSince: standing?.pausedSessions[delivery.sessionNumber], now: now)
        let state = entry?.state
        let settings = ledger.settings.destinations.first { $0.name == delivery.destination }
        let json: JSONValue = [
            "kind": "delivery", "delivery": delivery.json,
            "attempts": .array(attempts.map { $0.json(of: delivery.id) }), "next": .string(outlook.next),
            "next_at_ms": .whole(outlook.atMilliseconds), "why": .string(outlook.why), "who": .string(outlook.who.rawValue),
            "paused": .text(state?.pause.map { outlook.words(of: $0) }),
            "destination_state": [
                "paused_reason": .text(state?.pause?.reason.rawValue),
                "paused_since_ms": .whole(state?.pause?.sinceMilliseconds),
                "probe_at_ms": .whole(state?.pause?.probeAtMilliseconds),
                "breaker_until_ms": .whole(state?.breaker?.untilMilliseconds),
                "failures_in_a_row": .whole(state?.failuresInARow ?? 0),
                "last_delivered_at_ms": .whole(state?.lastDeliveredAtMilliseconds),
                "in_flight_limit": settings.map { .whole($0.endpoint.inFlightLimit) } ?? .null,
            ],
        ]
        var lines = [
            "Delivery \(delivery.id.text): \(delivery.pieceName) of session \(delivery.session.text) to \(delivery.destination)",
            "Status: \(delivery.status.name), \(Words.count(delivery.attempts, "attempt")); confirmed \(Words.time(delivery.confirmedAtMilliseconds)).",
        ]
        if !attempts.isEmpty {
            lines.append(Words.table(attempts.map { $0.row + [TraceParent.text(delivery.id, fence: $0.fence)] }))
        }
        lines += ["Next: \(outlook.next)", "Why: \(outlook.why)", "Who must act: \(outlook.who.rawValue)."]
        if let pause = state?.pause { lines.append(outlook.words(of: pause)) }
        if let section = outlook.section { lines.append("More: \(section)") }
        try result(json, lines.joined(separator: "\n"))
    }

    func explainTable() throws -> ExitCode {
        let rows = ClassificationTable.rows
        try result(
            ["version": .whole(ClassificationTable.version), "rows": .array(rows.map(\.json))],
            "Edition \(ClassificationTable.version). The first row that fits decides.\n" + Words.table(rows.map(\.row)))
        return .done
    }
}
