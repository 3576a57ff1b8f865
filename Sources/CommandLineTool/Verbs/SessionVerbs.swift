import CaptureLedger
import SessionDomain

extension Verb {
    static let sessionShow = Verb(
        path: ["session", "show"], summary: "Show a session as it stands, or as it stood.",
        positionals: [Positional("ID", "the session's id")],
        options: [
            .value("as-of", "T", "as it was known at that time: Unix milliseconds"),
            .value("at-version", "N", "after its N-th event"),
        ],
        examples: ["capture-ledger session show 0193…", "capture-ledger session show 0193… --at-version 3 --json"],
        exits: [.notFound],
        run: { invocation, console in
            let id = try invocation.sessionID()
            let time = try invocation.integer("as-of")
            let version = try invocation.integer("at-version", in: 1...Int64.max)
            if time != nil, version != nil {
                throw Complaint.usage("--as-of and --at-version were both given.", remedy: "Keep one of them.")
            }
            let moment: AsOf = time.map { .time(milliseconds: $0) } ?? version.map { .version($0) } ?? .now
            let view = try invocation.openForReading().session(id, asOf: moment)
            if let version, version > view.flow.version {
                throw Complaint(
                    "no_such_version", "The session is at version \(view.flow.version); version \(version) is not there yet.",
                    remedy: "Ask for a version from 1 to \(view.flow.version).", exit: .notFound)
            }
            try console.result(["session": view.json], view.words)
            return .done
        })

    static let sessionExit = command(
        "exit", "The user backs out; what was confirmed is still delivered."
    ) { try $0.exit($1, $2) }
    static let sessionCancel = command(
        "cancel", "The host ends the session; what was not sent is withdrawn."
    ) { try $0.cancel($1, $2) }
    static let sessionSuspend = command("suspend", "Pause a session; it can go on, also on another device.") {
        try $0.suspend($1, $2)
    }
    static let sessionResume = command("resume", "Go on with a session that was suspended or exited.") { try $0.resume($1, $2) }

    private static func command(
        _ word: String, _ summary: String,
        perform: @escaping @Sendable (Ledger, SessionID, CommandOptions) throws -> CommandReceipt
    ) -> Verb {
        Verb(
            path: ["session", word], summary: summary, positionals: [Positional("ID", "the session's id")], writes: true,
            examples: ["capture-ledger session \(word) 0193… --command-id \(word)-1"],
            exits: [.refused, .notFound, .inputOutput, .notPermitted],
            run: { invocation, console in
                let id = try invocation.sessionID()
                let options = try invocation.commandOptions()
                let ledger = try invocation.openLedger()
                let receipt = try perform(ledger, id, options)
                return try console.answer(receipt, ledger)
            })
    }
}

extension Console {
    /// What most commands print: the session afterwards, and the receipt.
    func answer(_ receipt: CommandReceipt, _ ledger: Ledger) throws -> ExitCode {
        let view = try ledger.session(receipt.session)
        try result(["session": view.json, "receipt": receipt.json], view.words + "\n" + receipt.words)
        return .done
    }
}
