import CaptureLedger
import Outbox
import SessionDomain
import SystemCalls

extension Verb {
    static let explain = Verb(
        path: ["explain"], summary: "Say why a session, capture or delivery is where it is, and who must act.",
        positionals: [Positional("ID", "the id of a session, a capture or a delivery")],
        examples: ["capture-ledger explain 0193…"], exits: [.notFound],
        run: { invocation, console in
            guard let id = UUID128(invocation[0]) else {
                throw Complaint.usage("ID is not an id.", remedy: "Copy one from session list, sync list or timeline.")
            }
            let ledger = try invocation.openForReading()
            if let view = try session(SessionID(id), ledger) {
                try console.explain(view, try ledger.deliveries(of: view.session), Holds(of: ledger))
                return .done
            }
            let deliveries = try ledger.allDeliveries()
            if let delivery = deliveries.first(where: { $0.id.uuid == id || $0.capture.uuid == id }) {
                try console.explain(delivery, ledger)
                return .done
            }
            guard let event = try capture(CaptureID(id), ledger) else {
                throw Complaint(
                    "not_found", "This ledger has no session, capture or delivery with that id.",
                    remedy: "Copy one from session list, sync list or timeline.", exit: .notFound)
            }
            let text =
                "\(event.piece ?? "") of session \(event.session.text) was captured and not confirmed: it is not sent. Confirm it, or capture the piece again."
            try console.result(
                [
                    "kind": "capture", "session_id": .string(event.session.text), "piece": .text(event.piece),
                    "next": .string(text),
                ], text)
            return .done
        })

    private static func session(_ id: SessionID, _ ledger: Ledger) throws -> SessionView? {
        do throws(LedgerError) { return try ledger.session(id) } catch {
            if error.code.rawValue == "no_such_session" { return nil }
            throw error
        }
    }

    private static func capture(_ id: CaptureID, _ ledger: Ledger) throws -> EventView? {
        var position: Int64 = 0
        while true {
            let page = try ledger.events(after: position)
            guard let last = page.last else { return nil }
            if let event = page.first(where: { $0.captureID == id }) { return event }
            position = last.position
        }
    }
}

extension Console {
    func explain(_ view: SessionView, _ deliveries: [DeliveryRow], _ holds: Holds) throws {
        let now = SystemClock.realtimeMilliseconds()
        let pieces = view.flow.pieces.map { piece -> (json: JSONValue, words: String) in
            let delivery = deliveries.last { $0.capture == piece.captureID }
            let (why, who) = reason(piece, delivery, holds, view.flow.status, now)
            return (
                [
                    "piece": .string(piece.piece.rawValue), "status": .string(piece.status.rawValue), "why": .string(why),
                    "who": .string(who),
                ],
                "  \(piece.piece.rawValue): \(Words.plain(piece.status.rawValue)). \(why)"
            )
        }
        try result(
            ["kind": "session", "session": view.json, "pieces": .array(pieces.map(\.json))],
            view.words + "\n" + pieces.map(\.words).joined(separator: "\n"))
    }

    /// Why a piece is where it is, and who must act: user, host, worker, operator, nobody.
    private func reason(
        _ piece: FlowView.PieceView, _ delivery: DeliveryRow?, _ holds: Holds, _ session: FlowView.Status, _ now: Int64
    ) -> (why: String, who: String) {
        let isClosed = [.cancelled, .expired, .erased].contains(session)
        if isClosed, [.pending, .captured, .refusedByChecks, .rejected, .mediaGone].contains(piece.status) {
            return ("The session is \(Words.plain(session.rawValue)): nothing more is captured.", "nobody")
        }
        let failure = piece.failure.map { "\($0.text.staff) \($0.text.remedy)" }
        return switch piece.status {
        case .pending: (failure ?? "It has not been captured yet.", "user")
        case .captured where piece.waitsForChecks:
            ("It was captured and waits for its checks: check --pending runs them.", "operator")
        case .captured: ("It was captured and waits to be confirmed.", "user")
        case .refusedByChecks: (failure ?? "It did not pass its checks: capture it again.", "user")
        case .awaitingVerification:
            if let delivery, let hold = holds.hold(of: delivery, now: now) {
                ("Waits: \(hold.why).", hold.code == "breaker" ? "worker" : "operator")
            } else {
                (
                    delivery?.nextStep(now: now) ?? "It waits to be sent.",
                    delivery?.status == .withdrawn
                        ? "nobody"
                        : delivery?.blocked == nil
                            ? "worker" : delivery?.blocked == DeliveryFold.waitsForChecks ? "operator" : "host"
                )
            }
        case .parked: (delivery?.nextStep(now: now) ?? "Its delivery is parked.", "operator")
        case .mediaGone: (failure ?? "Its media is gone: capture it again.", "user")
        case .rejected: (failure ?? "The verifier rejected it: capture it again.", "user")
        case .verified: ("It is verified.", "nobody")
        case .dropped: ("It was dropped from the session.", "nobody")
        case .absent: ("It is not part of the session.", "nobody")
        }
    }
}
