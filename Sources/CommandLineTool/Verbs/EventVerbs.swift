import CaptureLedger
import SessionDomain

extension Verb {
    static let timeline = Verb(
        path: ["timeline"], summary: "Everything that happened in a session, in order, in sentences.",
        details:
            "Says how long each step took, what was refused or came too late, which captures were replaced, and where the client's clock differs from the store's.",
        positionals: [Positional("ID", "the session's id")],
        examples: ["capture-ledger timeline 0193…", "capture-ledger timeline 0193… --json"], exits: [.notFound],
        run: { invocation, console in
            let id = try invocation.sessionID()
            let steps = try invocation.openForReading().story(id)
            try console.result(
                ["session_id": .string(id.text), "events": .array(steps.map(\.json))],
                "Session \(id.text)\n" + Words.table(steps.map(\.row)))
            return .done
        })
}
