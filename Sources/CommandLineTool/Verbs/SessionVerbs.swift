import CaptureLedger
import SessionDomain

extension Verb {
    static let sessionShow = Verb(
        path: ["session", "show"], summary: "Show a session as it stands, or as it stood.",
        positionals: [Positional("ID", "the session's id")],
        options: [
            .value("as-of", "T", "as it was known then: 2026-11-30T06:05:59Z, Unix milliseconds, or how long ago, such as 90m"),
            .value("at-version", "N", "after its N-th event"),
            .value("at-position", "N", "when the ledger had come to this position"),
        ],
        examples: [
            "capture-ledger session show 0193…", "capture-ledger session show 0193… --at-version 3 --json",
            "capture-ledger session show 0193… --as-of 2026-11-30T06:05:59Z",
        ],
        exits: [.notFound],
        run: { invocation, console in
            let id = try invocation.sessionID()
            let moment = try asOf(invocation)
            let ledger = try invocation.openForReading()
            let view = try ledger.session(id, asOf: moment)
            guard moment != .now else {
                let erasure = try ledger.erasureRequest(of: id)
                try console.result(
                    ["session": view.json.adding("erasure", erasure?.json)],
                    [view.words, erasure.map { EraseDesk.words(dueAtMilliseconds: $0.dueAtMilliseconds) }].compactMap { $0 }
                        .joined(separator: "\n"))
                return .done
            }
            try console.result(
                [
                    "session": view.json,
                    "as_of": [
                        "position": .integer(view.lastPosition), "version": .integer(view.flow.version),
                        "newest_version": .integer(view.newestVersion),
                        "recorded_at_ms": .integer(view.changedAtMilliseconds),
                    ],
                ],
                "As it stood at \(Words.time(view.changedAtMilliseconds)), version \(view.flow.version) of \(view.newestVersion):\n"
                    + view.words)
            return .done
        })

    private static func asOf(_ invocation: Invocation) throws(Complaint) -> AsOf {
        let time = try invocation.moment("as-of")
        let version = try invocation.integer("at-version", in: 1...Int64.max)
        let position = try invocation.integer("at-position", in: 1...Int64.max)
        guard [time, version, position].count(where: { $0 != nil }) < 2 else {
            throw .usage("More than one moment was given.", remedy: "Keep one of --as-of, --at-version and --at-position.")
        }
        return time.map { .time(milliseconds: $0) } ?? version.map { .version($0) } ?? position.map { .position($0) } ?? .now
    }

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
