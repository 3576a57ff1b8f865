import CaptureLedger
import DeliveryMachine
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
            try console.explain(try ledger.explanation(of: try ledger.delivery(invocation[0])), ledger, invocation)
            return .done
        })
}

extension Console {
    /// A delivery with its attempts, what holds it up, what comes next, and whose turn it is.
    func explain(_ told: DeliveryExplanation, _ ledger: Ledger, _ invocation: Invocation) throws {
        let delivery = told.row
        let state = told.around.entry?.state
        let settings = ledger.settings.destinations.first { $0.name == delivery.destination }
        let base: JSONValue = [
            "kind": "delivery", "delivery": delivery.json,
            "attempts": .array(told.attempts.map { $0.json(of: delivery.id) }),
            "paused": .text(state?.pause.map { $0.words(delivery.destination) }),
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
        if !told.attempts.isEmpty {
            lines.append(Words.table(told.attempts.map { $0.row + [TraceParent.text(delivery.id, fence: $0.fence)] }))
        }
        if let pause = state?.pause { lines.append(pause.words(delivery.destination)) }
        lines += told.situation.lines(invocation, now: ledger.clock.nowMilliseconds())
        try result(base.adding(told.situation, invocation), lines.joined(separator: "\n"))
    }

    func explainTable() throws -> ExitCode {
        let rows = ClassificationTable.rows
        try result(
            ["version": .whole(ClassificationTable.version), "rows": .array(rows.map(\.json))],
            "Edition \(ClassificationTable.version). The first row that fits decides.\n" + Words.table(rows.map(\.row)))
        return .done
    }
}

extension DestinationPause {
    fileprivate func words(_ destination: String) -> String {
        "\(destination) is paused since \(Words.time(sinceMilliseconds)): \(Cause.sentence(reason.rawValue)). "
            + (probeAtMilliseconds.map { "It is tried again at \(Words.time($0))." }
                ?? Cause.remedy(reason.rawValue, destination: destination))
    }
}
