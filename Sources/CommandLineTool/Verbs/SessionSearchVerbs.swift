import CaptureLedger
import SessionDomain

extension Verb {
    private static let searches = ["subject", "client-key", "transaction-id", "media", "group"]

    static let sessionFind = Verb(
        path: ["session", "find"], summary: "Find sessions by something that is kept sealed.",
        details: "Looks in keyed indexes that erasure clears; give exactly one option.",
        options: [
            .value("subject", "REF", "whom it is about"), .value("client-key", "K", "the client's name for it"),
            .value("transaction-id", "T", "the hologram's transaction"),
            .value("media", "FILE", "an original: finds where these very bytes were captured"),
            .value("group", "G", "flows of one person"),
        ],
        examples: [
            "capture-ledger session find --client-key booking-4711", "capture-ledger session find --media front.jpg --json",
        ],
        exits: [.notFound, .notPermitted],
        run: { invocation, console in
            let given = searches.filter { invocation.has($0) }
            guard given.count == 1, let name = given.first, let value = invocation.text(name) else {
                throw Complaint.usage(
                    "session find needs exactly one of its options.",
                    remedy: "Give one of: \(searches.map { "--\($0)" }.joined(separator: ", ")).")
            }
            let ledger = try invocation.openForReading()
            let search: Ledger.Search =
                switch name {
                case "subject": .subject(value)
                case "client-key": .clientKey(value)
                case "transaction-id": .transaction(value)
                case "group": .group(value)
                default: .media(try ledger.mediaDigest(ofFile: value))
                }
            let views = try ledger.find(search).map { try ledger.session($0) }
            try console.result(
                ["sessions": .array(views.map(\.json))],
                views.isEmpty ? nothing(name) : views.map(\.words).joined(separator: "\n\n"))
            return .done
        })

    /// What nobody was found by is not repeated: it may be personal.
    private static func nothing(_ name: String) -> String {
        let what =
            switch name {
            case "media": "No session of this ledger captured a file with exactly these bytes."
            case "subject": "No session of this ledger has that subject."
            case "client-key": "No session of this ledger has that client key."
            case "transaction-id": "No session of this ledger has that transaction."
            default: "No session of this ledger is in that group."
            }
        return "\(what) An erased session is not found by anything personal any more."
    }

    static let sessionList = Verb(
        path: ["session", "list"], summary: "List sessions, newest first.",
        options: [
            .choice("status", FlowView.Status.allCases.map(\.rawValue), "only these"),
            .choice("needs", ["recapture", "capture", "verification"], "only those that wait for it"),
            .value("limit", "N", "how many at most (50)"), .value("after", "CURSOR", "goes on where another list ended"),
            .flag(
                "reminders-due", "those whose person asked to be reminded by now and has not gone on since, longest due first"),
        ],
        examples: [
            "capture-ledger session list --needs recapture", "capture-ledger session list --reminders-due",
            "capture-ledger session list --limit 10 --json",
        ],
        exits: [.notFound],
        run: { invocation, console in
            if invocation.has("reminders-due") { return try reminders(invocation, console) }
            let limit = Int(try invocation.integer("limit", in: 1...10_000) ?? 50)
            let after = try invocation.integer("after", in: 1...Int64.max) ?? .max
            let phase = invocation.text("needs").map {
                ["recapture": "needs_recapture", "capture": "capturing", "verification": "waiting_for_verification"][$0] ?? $0
            }
            let rows = try invocation.openForReading().sessions(
                status: invocation.text("status"), phase: phase, before: after, limit: limit + 1)
            let page = rows.prefix(limit)
            let next: JSONValue = rows.count > limit ? .text(page.last.map { String($0.row.sessionNumber) }) : .null
            let sessions = page.map { listed -> JSONValue in
                [
                    "id": .string(listed.session.text), "status": .string(listed.row.status),
                    "phase": .string(listed.row.phase),
                    "version": .integer(listed.row.version),
                    "current_piece": .text(listed.row.currentPiece.flatMap { Piece(code: $0)?.rawValue }),
                    "pieces": (try? JSONValue.parse(listed.row.pieces)) ?? .array([]), "context": .text(listed.row.context),
                    "started_at_ms": .integer(listed.row.startedAtMilliseconds),
                    "changed_at_ms": .integer(listed.row.changedAtMilliseconds),
                ]
            }
            let words = page.map { listed in
                [
                    listed.session.text, listed.row.status, Words.plain(listed.row.phase),
                    listed.row.currentPiece.flatMap { Piece(code: $0)?.rawValue } ?? "",
                    Words.time(listed.row.changedAtMilliseconds),
                ]
            }
            let more = next.asString.map { "\nMore: --after \($0)" } ?? ""
            try console.result(
                ["sessions": .array(sessions), "next": next],
                words.isEmpty ? "No session." : Words.table(words, indent: "") + more)
            return .done
        })

    /// Who asked to be reminded by now.
    private static func reminders(_ invocation: Invocation, _ console: Console) throws -> ExitCode {
        for option in ["status", "needs", "after"] where invocation.has(option) {
            throw Complaint.usage("--\(option) does not go with --reminders-due.", remedy: "Leave it out.")
        }
        let limit = Int(try invocation.integer("limit", in: 1...10_000) ?? 50)
        let ledger = try invocation.openForReading()
        let due = try ledger.remindersDue(by: ledger.clock.nowMilliseconds())
        let page = due.prefix(limit)
        let sessions = try page.map { reminder in
            let reminded: JSONValue = [
                "piece": .text(reminder.piece?.rawValue), "remind_at_ms": .whole(reminder.remindAtMilliseconds),
                "requested_at_ms": .integer(reminder.requestedAtMilliseconds),
            ]
            return try ledger.session(reminder.session).json.adding("reminder", reminded)
        }
        let rows = page.map { reminder in
            [reminder.session.text, reminder.piece?.rawValue ?? "", Words.time(reminder.moment)]
        }
        try console.result(
            ["sessions": .array(sessions), "next": .null, "due": .whole(due.count)],
            rows.isEmpty
                ? "Nobody is to be reminded now."
                : Words.table(rows, indent: "")
                    + (due.count > limit ? "\nAnd \(due.count - limit) more: give a larger --limit." : ""))
        return .done
    }
}
