import CaptureLedger
import Outbox
import Sandbox
import SessionDomain

/// What the demonstration came to, read back from the ledger and from the sandbox's record.
struct DemoReport {
    let ledgerPath: String
    let session: SessionView
    let deliveries: [DeliveryRow]
    let timeline: [EventView]
    let record: SandboxRecord
    /// Pieces whose original can still be opened.
    let kept: [Piece]

    init(_ stage: DemoStage) throws {
        let ledger = try stage.open()
        defer { ledger.closeAndWait() }
        let id = try stage.session(in: ledger)
        ledgerPath = stage.ledgerPath
        session = try ledger.session(id)
        deliveries = try ledger.deliveries(of: id)
        timeline = try ledger.timeline(id)
        record = try stage.record()
        kept = try session.flow.pieces.filter { piece in
            try piece.captureID.map { try ledger.holdsMedia(of: $0) } ?? false
        }.map(\.piece)
    }

    var json: JSONValue {
        [
            "ledger": .string(ledgerPath), "session": session.json,
            "deliveries": .array(deliveries.map(\.json)), "sandbox": sandbox, "timeline": .array(timeline.map(\.json)),
        ]
    }

    private var sandbox: JSONValue {
        let effects = record.effects.map { JSONValue.Member($0.key, .whole($0.value)) }
        return ["effects": .members(effects), "keys": .whole(record.keys), "requests": .whole(record.requests.count)]
    }

    var words: String {
        let payloads = session.flow.pieces.map { piece in
            "  \(piece.piece.rawValue): \(session.payloads[piece.piece] ?? "none")"
        }
        let once = record.effects.values.allSatisfy { $0 == 1 }
        return """

            Timeline
            \(Words.table(timeline.map(\.row)))

            Payloads
            \(payloads.joined(separator: "\n"))

            The session is \(session.flow.status.rawValue). The sandbox took in \
            \(Words.count(record.effects.count, "capture")), \(once ? "each exactly once" : "NOT each once"), under \
            \(Words.count(record.keys, "key")).
            Originals kept, sealed: \(kept.map(\.rawValue).joined(separator: ", ")). \
            The hologram's video is \(kept.contains(.hologram) ? "STILL THERE" : "destroyed"); its score is kept.
            The ledger is \(ledgerPath)
            """
    }
}
