import CaptureLedger
import SessionDomain

extension Verb {
    static let explain = Verb(
        path: ["explain"], summary: "Say why a session, capture or delivery is where it is, and who must act.",
        details: """
            It names since when, what happens next by itself and when, whose turn it is (the person who is captured, the host, an operator, \
            nobody), and the commands for it.
            """,
        positionals: [Positional("ID", "the id of a session, a capture or a delivery")],
        examples: ["capture-ledger explain 0193…", "capture-ledger explain 0193… --json"], exits: [.notFound],
        run: { invocation, console in
            guard let id = UUID128(invocation[0]) else {
                throw Complaint.usage("ID is not an id.", remedy: "Copy one from session list, sync list or timeline.")
            }
            let ledger = try invocation.openForReading()
            switch try ledger.explain(id) {
            case .session(let told): try console.explain(told, ledger, invocation)
            case .delivery(let told): try console.explain(told, ledger, invocation)
            case .capture(let told): try console.explain(told, ledger, invocation)
            case nil:
                throw Complaint(
                    "not_found", "This ledger has no session, capture or delivery with that id.",
                    remedy: "Copy one from session list, sync list or timeline.", exit: .notFound)
            }
            return .done
        })
}

extension Console {
    fileprivate func explain(_ told: SessionExplanation, _ ledger: Ledger, _ invocation: Invocation) throws {
        let now = ledger.clock.nowMilliseconds()
        let pieces = told.pieces.map { piece -> JSONValue in
            let object: JSONValue = [
                "piece": .string(piece.view.piece.rawValue), "status": .string(piece.view.status.rawValue),
            ]
            return object.adding(piece.situation, invocation)
        }
        let json: JSONValue = ["kind": "session", "session": told.view.json, "pieces": .array(pieces)]
        let flow = told.view.flow
        var lines = ["Session \(told.view.session.text): \(flow.status.rawValue), version \(flow.version)"]
        lines += told.situation.lines(invocation, now: now)
        lines.append("Pieces:")
        lines += told.pieces.map { piece in
            "  \(piece.view.piece.rawValue), \(Words.plain(piece.view.status.rawValue)): \(piece.situation.line) (\(piece.situation.who.words))"
        }
        try result(json.adding(told.situation, invocation), lines.joined(separator: "\n"))
    }

    fileprivate func explain(_ told: CaptureExplanation, _ ledger: Ledger, _ invocation: Invocation) throws {
        let hasOriginal = try? ledger.holdsMedia(of: told.capture)
        let json: JSONValue = [
            "kind": "capture", "capture_id": .string(told.capture.text), "session_id": .string(told.session.text),
            "piece": .string(told.piece.rawValue), "captured_at_ms": .integer(told.capturedAtMilliseconds),
            "is_latest": .bool(told.isLatest), "has_original": hasOriginal.map { .bool($0) } ?? .null,
        ]
        var lines = [
            "Capture \(told.capture.text): \(told.piece.rawValue) of session \(told.session.text), taken \(Words.time(told.capturedAtMilliseconds))"
        ]
        if hasOriginal == false { lines.append("Its original no longer exists.") }
        lines += told.situation.lines(invocation, now: ledger.clock.nowMilliseconds())
        try result(json.adding(told.situation, invocation), lines.joined(separator: "\n"))
    }
}
