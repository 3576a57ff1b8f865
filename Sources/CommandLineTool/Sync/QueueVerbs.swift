import CaptureLedger
import Outbox
import SessionDomain
import SystemCalls

extension Verb {
    static let syncList = Verb(
        path: ["sync", "list"], summary: "List deliveries and what happens next with each.",
        options: [
            .choice("status", DeliveryStatus.allCases.map(\.name), "only these"),
            .value("session", "ID", "only this session's"),
        ],
        examples: ["capture-ledger sync list --status parked", "capture-ledger sync list --session 0193… --json"],
        exits: [.notFound],
        run: { invocation, console in
            let session = try invocation.text("session").map { text in
                guard let id = SessionID(text) else {
                    throw Complaint.usage(
                        "--session is not a session's id.", remedy: "Copy it from capture-ledger session list.")
                }
                return id
            }
            let ledger = try invocation.openForReading()
            var rows = try session.map { try ledger.deliveries(of: $0) } ?? ledger.allDeliveries()
            if let status = invocation.text("status") { rows = rows.filter { $0.status.name == status } }
            let now = SystemClock.realtimeMilliseconds()
            try console.result(
                ["deliveries": .array(rows.map(\.json))],
                rows.isEmpty ? "No delivery." : Words.table(rows.map { $0.row(now: now) }, indent: ""))
            return .done
        })

    static let syncExplain = Verb(
        path: ["sync", "explain"], summary: "Say what happens next with a delivery, when, and why.",
        positionals: [Positional("DELIVERY", "the delivery's id")], examples: ["capture-ledger sync explain 5f0c…"],
        exits: [.notFound],
        run: { invocation, console in
            let ledger = try invocation.openForReading()
            try console.explain(try ledger.delivery(invocation[0]), ledger)
            return .done
        })

    static let syncPause = destination("pause", "Stop sending to a destination until a person resumes it.") {
        try $0.pause(destination: $1)
    }
    static let syncResume = destination("resume", "Lift any pause of a destination, also one that the worker set.") {
        try $0.resume(destination: $1)
    }

    private static func destination(
        _ word: String, _ summary: String, change: @escaping @Sendable (Ledger, String) throws -> Void
    ) -> Verb {
        Verb(
            path: ["sync", word], summary: summary, positionals: [Positional("DESTINATION", "its name in the settings")],
            examples: ["capture-ledger sync \(word) verifier"], exits: [.notFound, .inputOutput, .notPermitted],
            run: { invocation, console in
                let ledger = try invocation.openLedger()
                let name = invocation[0]
                let known = ledger.settings.destinations.map(\.name)
                guard known.contains(name) else {
                    let hint = Spelling.nearest(to: name, in: known).map { "Did you mean \($0)?" }
                    throw Complaint(
                        "no_such_destination", "The settings have no destination with that name.",
                        remedy: hint ?? "Configured: \(known.isEmpty ? "none" : known.joined(separator: ", ")).",
                        exit: .notFound)
                }
                try change(ledger, name)
                try console.result(
                    ["destination": .string(name), "paused": .bool(word == "pause")],
                    word == "pause"
                        ? "\(name) is paused: nothing is sent to it until sync resume." : "\(name) is not paused any more.")
                return .done
            })
    }

    static let syncRequeue = Verb(
        path: ["sync", "requeue"], summary: "Have a parked delivery tried again, at once and with fresh counters.",
        positionals: [Positional("DELIVERY", "the delivery's id")], writes: true,
        examples: ["capture-ledger sync requeue 5f0c…"], exits: [.refused, .notFound, .inputOutput, .notPermitted],
        run: { invocation, console in
            let options = try invocation.commandOptions()
            let ledger = try invocation.openLedger()
            let row = try ledger.delivery(invocation[0])
            let receipt = try ledger.requeue(row, options)
            let after = try ledger.delivery(invocation[0])
            try console.result(
                ["delivery": after.json, "receipt": receipt.json],
                after.nextStep(now: SystemClock.realtimeMilliseconds()) + "\n" + receipt.words)
            return .done
        })
}

extension Console {
    /// A delivery with its attempts, and what comes next.
    func explain(_ delivery: DeliveryRow, _ ledger: Ledger) throws {
        let attempts = try ledger.attempts(of: delivery)
        let pause = try ledger.pauses().first { $0.destination == delivery.destination }?.pause
        let next = delivery.nextStep(now: SystemClock.realtimeMilliseconds())
        let paused = pause.map { pause in
            "The destination \(delivery.destination) is paused since \(Words.time(pause.sinceMilliseconds)): "
                + "\(Words.plain(pause.reason.rawValue)). "
                + (pause.probeAtMilliseconds.map { "It is tried again at \(Words.time($0))." }
                    ?? "A person must run sync resume.")
        }
        try result(
            [
                "kind": "delivery", "delivery": delivery.json, "attempts": .array(attempts.map(\.json)), "next": .string(next),
                "paused": .text(paused),
            ],
            ([
                "Delivery \(delivery.id.text): \(delivery.pieceName) of session \(delivery.session.text) to \(delivery.destination)",
                "Status: \(delivery.status.name), \(Words.count(delivery.attempts, "attempt")).",
            ] + (attempts.isEmpty ? [] : [Words.table(attempts.map(\.row))]) + [next] + (paused.map { [$0] } ?? []))
            .joined(separator: "\n"))
    }
}
