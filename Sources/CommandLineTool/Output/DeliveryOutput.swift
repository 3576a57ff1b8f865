import CaptureLedger
import DeliveryMachine
import Outbox
import SessionDomain

extension DeliveryRow {
    var pieceName: String { Piece(code: pieceCode)?.rawValue ?? String(pieceCode) }

    var json: JSONValue {
        let object: JSONValue = [
            "id": .string(id.text), "key": .string(id.text), "session_id": .string(session.text), "piece": .string(pieceName),
            "capture_id": .string(capture.text), "destination": .string(destination), "status": .string(status.name),
            "attempts": .whole(attempts), "next_attempt_at_ms": status == .waiting ? .whole(nextAttemptAtMilliseconds) : .null,
            "confirmed_at_ms": .integer(confirmedAtMilliseconds),
        ]
        return object.adding("cause", cause.map { .string($0) }).adding("blocked", blocked.map { .string($0) })
            .adding("explanation", explanation.map { .string($0) })
    }

    func row(next: String) -> [String] {
        [id.text, pieceName, destination, status.name, Words.count(attempts, "attempt"), next]
    }
}

extension AttemptRow {
    func json(of delivery: DeliveryID) -> JSONValue {
        [
            "traceparent": .string(TraceParent.text(delivery, fence: fence)), "number": .whole(number), "kind": .string(kind),
            "started_at_ms": .integer(startedAtMilliseconds),
            "finished_at_ms": .integer(finishedAtMilliseconds), "certainty": .string(certainty), "status": .whole(status),
            "curl_code": .whole(curlCode), "bytes_sent": .integer(bytesSent), "bytes_received": .integer(bytesReceived),
            "explanation": .string(explanation), "action": .string(action),
            "next_attempt_at_ms": .whole(nextAttemptAtMilliseconds), "evidence_id": .text(evidenceID?.text),
        ]
    }

    var row: [String] {
        [
            "#\(number)", Words.time(startedAtMilliseconds), status == 0 ? "no answer" : "status \(status)",
            Words.plain(certainty), Words.plain(explanation), Words.plain(action),
        ]
    }
}

extension Ledger {
    /// Every delivery, in pages.
    func allDeliveries(after number: Int64 = 0) throws -> [DeliveryRow] {
        var rows: [DeliveryRow] = []
        while true {
            let page = try deliveries(after: rows.last?.number ?? number)
            if page.isEmpty { return rows }
            rows += page
        }
    }

    func delivery(_ text: String) throws -> DeliveryRow {
        guard let id = DeliveryID(text) else {
            throw Complaint.usage("DELIVERY is not a delivery's id.", remedy: "Copy it from capture-ledger sync list.")
        }
        guard let row = try delivery(id) else {
            throw Complaint(
                "no_such_delivery", "This ledger has no delivery with that id.",
                remedy: "List them with capture-ledger sync list.",
                exit: .notFound)
        }
        return row
    }
}
