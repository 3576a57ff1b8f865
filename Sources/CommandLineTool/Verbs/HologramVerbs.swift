import CaptureLedger
import SessionDomain

extension Verb {
    private static let session = Positional("ID", "the session's id")
    private static let exitCodes: [ExitCode] = [.refused, .notFound, .inputOutput, .notPermitted]

    static let hologramStart = Verb(
        path: ["hologram", "start"], summary: "Record that the hologram's video is being recorded.", positionals: [session],
        writes: true, examples: ["capture-ledger hologram start 0193…"], exits: exitCodes,
        run: { invocation, console in
            let (id, options) = (try invocation.sessionID(), try invocation.commandOptions())
            let ledger = try invocation.openLedger()
            return try console.answer(try ledger.startHologram(id, options), ledger)
        })

    static let hologramCancel = Verb(
        path: ["hologram", "cancel"], summary: "Record that a recording ended without a video.", positionals: [session],
        options: [.choice("cause", ["user", "document_left"], "why (user)")], writes: true,
        examples: ["capture-ledger hologram cancel 0193… --cause document_left"], exits: exitCodes,
        run: { invocation, console in
            let (id, options) = (try invocation.sessionID(), try invocation.commandOptions())
            let cause = invocation.text("cause").flatMap { RecordingEnd(rawValue: $0) } ?? .user
            let ledger = try invocation.openLedger()
            return try console.answer(try ledger.cancelHologram(id, cause: cause, options), ledger)
        })

    static let hologramBind = Verb(
        path: ["hologram", "bind"], summary: "Name the hologram's transaction before its video is first sent.",
        positionals: [session], options: [.value("transaction-id", "T", "the transaction; kept sealed")], writes: true,
        examples: ["capture-ledger hologram bind 0193… --transaction-id T-4711"], exits: exitCodes,
        run: { invocation, console in
            let (id, options) = (try invocation.sessionID(), try invocation.commandOptions())
            guard let transaction = invocation.text("transaction-id") else {
                throw Complaint.usage("hologram bind needs --transaction-id.", remedy: "Write --transaction-id T.")
            }
            let ledger = try invocation.openLedger()
            return try console.answer(try ledger.bindTransaction(transaction, in: id, options), ledger)
        })
}
