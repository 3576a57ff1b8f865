import CaptureLedger
import SessionDomain

extension Verb {
    static let erase = Verb(
        path: ["erase"], summary: "Erase a person: keys, originals, answers, look-ups; the events still fold and prove.",
        details: """
            From the request on nothing private of the session opens, nothing is added to it and nothing of it is sent. When the undo \
            window of the settings (privacy.undo_window_ms) ends, the next command that writes, or the next sync, erases it for good; \
            --now does it at once. Who holds something of the person already is named: ask them.
            Of several sessions each is tried, whatever came of the others, and is told by itself; the exit code is that of the first \
            one that could not be done. Run it again for what is left.
            """,
        positionals: [Positional("SESSION", "the session's id", .optional)],
        options: [
            .value("subject", "REF", "every session of this subject, in place of SESSION"),
            .flag("now", "without an undo window: it cannot be withdrawn"),
            .flag("undo", "withdraw the request"), .flag("list", "show the requests that wait for their time"),
        ],
        writes: true,
        examples: [
            "capture-ledger erase 0193…", "capture-ledger erase 0193… --now", "capture-ledger erase --subject customer-4711",
            "capture-ledger erase --undo 0193…", "capture-ledger erase --list",
        ], exits: [.refused, .notFound, .inputOutput, .notPermitted],
        run: { invocation, console in
            if invocation.has("list") { return try EraseDesk.list(invocation, console) }
            if invocation.has("undo"), invocation.has("now") {
                throw Complaint.usage("--undo and --now were both given.", remedy: "Keep one of them.")
            }
            let desk = EraseDesk(ledger: try invocation.openLedger(), options: try invocation.commandOptions())
            let asked = EraseDesk.Action(invocation, desk.ledger)
            guard invocation.has("subject") else {
                return try console.erasures([try desk.perform(asked, on: try invocation.namedSession(), desk.options)])
            }
            return try console.erasures(try desk.perform(asked, onEach: try desk.sessions(of: invocation)))
        })
}

extension Invocation {
    fileprivate func namedSession() throws(Complaint) -> SessionID {
        guard word(0) != nil else {
            throw .usage("No session was named.", remedy: "Name a session, or a person with --subject REF.")
        }
        return try sessionID()
    }
}

extension Console {
    /// What was done to one session stands at the top too, where it stood before several could be named. What could not be done is told
    /// session by session, and the first of it as the error.
    fileprivate func erasures(_ done: [EraseDesk.Done]) throws -> ExitCode {
        var json: JSONValue = ["erasures": .array(done.map { $0.json.adding("state", .string($0.state)) })]
        if done.count == 1, let only = done.first {
            json = json.adding(only.state, only.json).adding("receipt", only.receipt?.json)
        }
        let failed = done.compactMap(\.complaint)
        guard let first = failed.first else {
            try result(json, done.map(\.words).joined(separator: "\n"))
            return .done
        }
        let sum = "\(failed.count) of \(Words.count(done.count, "session")) could not be done."
        try result(json.adding("error", first.json), (done.map(\.words) + [sum]).joined(separator: "\n"))
        note("\(Grammar.program): \(sum) \(first.message) \(first.remedy)")
        return first.exit
    }
}

/// What `erase` does to each session.
struct EraseDesk {
    let ledger: Ledger
    let options: CommandOptions

    enum Action {
        case request, erase, withdraw

        init(_ invocation: Invocation, _ ledger: Ledger) {
            if invocation.has("undo") {
                self = .withdraw
            } else {
                self = invocation.has("now") || ledger.settings.privacy.undoWindowMilliseconds == 0 ? .erase : .request
            }
        }
    }

    struct Done {
        /// `erased`, `requested`, `withdrawn` or `failed`.
        let state: String
        let json: JSONValue
        let words: String
        var receipt: CommandReceipt?
        /// Why nothing was done, or not all of it.
        var complaint: Complaint?
    }

    static func list(_ invocation: Invocation, _ console: Console) throws -> ExitCode {
        let ledger = try invocation.openForReading()
        let requests = try ledger.erasureRequests()
        let now = ledger.clock.nowMilliseconds()
        try console.result(
            [
                "requests": .array(
                    requests.map { request in
                        request.json.adding("session_id", .string(request.session.text))
                            .adding("overdue", .bool(request.dueAtMilliseconds <= now))
                    })
            ],
            requests.isEmpty
                ? "No erasure waits for its time."
                : Words.table(
                    requests.map { request in
                        let left = request.dueAtMilliseconds - now
                        return [
                            request.session.text, left > 0 ? "in \(Words.duration(left))" : "DUE",
                            Words.time(request.dueAtMilliseconds),
                        ]
                    }))
        return .done
    }

    static func words(dueAtMilliseconds time: Int64) -> String {
        "Its erasure was requested: nothing of it opens. It is erased at \(Words.time(time)) unless `erase --undo` withdraws it."
    }

    /// The sessions of the person who was named.
    func sessions(of invocation: Invocation) throws -> [SessionID] {
        guard invocation.word(0) == nil else {
            throw Complaint.usage("A session and --subject were both given.", remedy: "Keep one of them.")
        }
        if options.expectedVersion != nil {
            throw Complaint.usage("--expected-version is one session's.", remedy: "Leave it out, or name the session.")
        }
        let found = try ledger.find(.subject(invocation.text("subject") ?? ""))
        guard !found.isEmpty else {
            throw Complaint(
                "no_such_subject", "This ledger has no session of that subject.",
                remedy: "Check how the host writes its references; an erased person cannot be found any more.", exit: .notFound)
        }
        return found
    }

    /// Does it to each session, whatever came of the others; only where there is one is its refusal the command's. A withdrawal means
    /// those whose erasure was asked for.
    func perform(_ action: Action, onEach sessions: [SessionID]) throws -> [Done] {
        let orders = try sessions.map { (session) throws in (session, try options(for: session)) }
        if orders.count == 1, let (session, options) = orders.first { return [try perform(action, on: session, options)] }
        var done: [Done] = []
        for (session, options) in orders {
            do { done.append(try perform(action, on: session, options)) } catch {
                if case .withdraw = action, (error as? LedgerError) == .erasureNotRequested { continue }
                done.append(.failed(session, Complaint(anything: error)))
            }
        }
        if done.isEmpty { throw LedgerError.erasureNotRequested }
        return done
    }

    func perform(_ action: Action, on session: SessionID, _ options: CommandOptions) throws -> Done {
        switch action {
        case .request: try request(session, options)
        case .erase: try erase(session, options)
        case .withdraw: try withdraw(session, options)
        }
    }

    /// A command's name is one session's: those of a person get names of their own, which stay the same however many are still found.
    func options(for session: SessionID) throws -> CommandOptions {
        guard let name = options.commandID else { return options }
        guard let own = CommandID("\(name.text)-\(session.text)") else {
            throw Complaint.usage(
                "The command id is too long to be one for many sessions.", remedy: "Use at most 90 characters.")
        }
        var options = options
        options.commandID = own
        return options
    }

    func erase(_ session: SessionID, _ options: CommandOptions) throws -> Done {
        let erased = try ledger.erase(session, options)
        let words =
            "Erased session \(session.text): its key is destroyed, \(Words.count(erased.media, "original")) and \(Words.count(erased.evidence, "answer")) are gone, \(Words.count(erased.withdrawnDeliveries, "delivery", "deliveries")) withdrawn."
        return Done(
            state: "erased",
            json: [
                "session_id": .string(erased.session.text), "media": .whole(erased.media),
                "evidence": .whole(erased.evidence), "withdrawn_deliveries": .whole(erased.withdrawnDeliveries),
                "finished": .bool(erased.isSwept), "recipients": .array(erased.recipients.map(\.json)),
            ],
            words: [
                words, Self.words(erased.recipients),
                erased.isSwept
                    ? nil
                    : "A reader keeps the write-ahead log in use, which still holds look-ups: the next command empties it.",
            ].compactMap { $0 }.joined(separator: "\n"))
    }

    func request(_ session: SessionID, _ options: CommandOptions) throws -> Done {
        let asked = try ledger.requestErasure(session, options)
        guard let request = asked.request else {
            return Done(
                state: "erased",
                json: [
                    "session_id": .string(session.text), "media": 0, "evidence": 0, "withdrawn_deliveries": 0,
                    "finished": true, "recipients": .array(asked.recipients.map(\.json)),
                ],
                words: ["Session \(session.text) is erased already.", Self.words(asked.recipients)].compactMap { $0 }.joined(
                    separator: "\n"),
                receipt: asked.receipt)
        }
        return Done(
            state: "requested",
            json: [
                "session_id": .string(session.text), "position": .integer(request.position),
                "requested_at_ms": .integer(request.requestedAtMilliseconds),
                "due_at_ms": .integer(request.dueAtMilliseconds), "recipients": .array(asked.recipients.map(\.json)),
            ],
            words: [
                "Requested: nothing of session \(session.text) opens or is sent from now on. It is erased at \(Words.time(request.dueAtMilliseconds)); until then `capture-ledger erase --undo \(session.text)` withdraws it.",
                Self.words(asked.recipients),
            ].compactMap { $0 }.joined(separator: "\n"), receipt: asked.receipt)
    }

    func withdraw(_ session: SessionID, _ options: CommandOptions) throws -> Done {
        let receipt = try ledger.withdrawErasure(session, options)
        return Done(
            state: "withdrawn", json: ["session_id": .string(session.text)],
            words: "Withdrawn: session \(session.text) is as it was before.", receipt: receipt)
    }

    private static func words(_ recipients: [Recipient]) -> String? {
        if recipients.isEmpty { return nil }
        return "Ask these to erase what they hold:\n"
            + Words.table(
                recipients.map { held in
                    [
                        held.destination, held.piece, held.capture.text,
                        held.deliveredAtMilliseconds.map { "delivered at \(Words.time($0))" } ?? "may have arrived",
                    ]
                })
    }
}

extension EraseDesk.Done {
    static func failed(_ session: SessionID, _ complaint: Complaint) -> Self {
        Self(
            state: "failed", json: ["session_id": .string(session.text), "error": complaint.json],
            words: "Session \(session.text): \(complaint.message) \(complaint.remedy)", complaint: complaint)
    }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
}
