import CaptureLedger
import SessionDomain

extension Verb {
    static let timeline = Verb(
        path: ["timeline"], summary: "Everything that happened in a session, in order.",
        positionals: [Positional("ID", "the session's id")],
        examples: ["capture-ledger timeline 0193…", "capture-ledger timeline 0193… --json"], exits: [.notFound],
        run: { invocation, console in
            let id = try invocation.sessionID()
            let events = try invocation.openForReading().timeline(id)
            try console.result(
                ["session_id": .string(id.text), "events": .array(events.map(\.json))],
                "Session \(id.text)\n" + Words.table(events.map(\.row)))
            return .done
        })

    static let replay = Verb(
        path: ["replay"], summary: "Print the ledger's events one by one, oldest first.",
        details: "With --json one JSON object a line. Reading never holds a writer up.",
        options: [
            .value("from", "N", "begin at this position (1)"), .value("session", "ID", "only this session's"),
            .value("type", "T", "only this type, such as piece_captured", repeatable: true),
            .flag("follow", "wait for more until interrupted"),
        ],
        examples: ["capture-ledger replay --json", "capture-ledger replay --from 100 --type piece_verified --follow"],
        exits: [.notFound, .inputOutput],
        run: { invocation, console in
            var next = try invocation.integer("from", in: 1...Int64.max) ?? 1
            let session = try invocation.session("session")
            let types = invocation.texts("type")
            let ledger = try invocation.openForReading()
            while true {
                let page = try ledger.events(after: next - 1)
                for event in page where (session ?? event.session) == event.session {
                    guard types.isEmpty || types.contains(event.type) else { continue }
                    try console.result(event.json, (event.row + [event.session.text]).joined(separator: "  "))
                }
                if let last = page.last {
                    next = last.position + 1
                } else if invocation.has("follow") {
                    try await Task.sleep(for: .milliseconds(200))
                } else {
                    return .done
                }
            }
        })
}
