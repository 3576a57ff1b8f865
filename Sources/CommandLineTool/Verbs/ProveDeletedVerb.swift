import Audit
import CaptureLedger
import SessionDomain

extension Verb {
    static let auditProveDeleted = Verb(
        path: ["audit", "prove-deleted"],
        summary: "State what was destroyed of a session or of one original, and that it is gone.",
        details:
            "Looks at the event, the key, every file, the look-ups and the tombstone. Ends with 65 when something is still there.",
        positionals: [Positional("ID", "a session's or a capture's id")],
        examples: ["capture-ledger audit prove-deleted 0193…", "capture-ledger audit prove-deleted 0193… --json"],
        exits: [.refused, .notFound, .inputOutput, .notPermitted],
        run: { invocation, console in
            let ledger = try invocation.openForReading()
            let proof = try prove(invocation[0], ledger)
            try console.result(["proof": proof.json(ledger)], proof.words)
            return proof.isProved ? .done : .refused
        })

    private static func prove(_ text: String, _ ledger: Ledger) throws -> DeletionProof {
        guard let session = SessionID(text), let capture = CaptureID(text) else {
            throw Complaint.usage("ID is no id.", remedy: "Copy a session's from session list, or a capture's from timeline.")
        }
        do throws(LedgerError) { return try ledger.proveDeleted(session: session) } catch {
            guard error.code.rawValue == "no_such_session" else { throw error }
        }
        return try ledger.proveDeleted(capture: capture)
    }
}

extension DeletionProof {
    fileprivate func json(_ ledger: Ledger) -> JSONValue {
        var value: JSONValue = [
            "proved": .bool(isProved), "ledger_id": .string(ledger.ledgerID.text), "epoch": .string(ledger.epoch.text),
            "proved_at_ms": .integer(provedAtMilliseconds), "last_position": .integer(lastPosition),
            "session_id": .string(session.text), "position": .whole(position), "erased_at_ms": .whole(erasedAtMilliseconds),
            "originals": .array(
                originals.map {
                    [
                        "capture_id": .string($0.capture.text), "piece": .string($0.piece), "bytes": .integer($0.bytes),
                        "sealed_sha256": .string($0.sealedDigest), "position": .integer($0.position),
                        "destroyed_position": .whole($0.destroyedPosition),
                        "destroyed_at_ms": .whole($0.destroyedAtMilliseconds), "cause": .text($0.cause),
                        "files_present": .whole($0.filesPresent),
                    ]
                }),
            "recipients": .array(recipients.map(\.json)),
            "problems": .array(problems.map { ["code": .string($0.code), "message": .string($0.message)] }),
        ]
        if case .capture(let capture) = subject { value = value.adding("capture_id", .string(capture.text)) }
        return
            value
            .adding("key", ["key_no": .whole(keyNumber), "state": .text(keyState)])
            .adding("key_destroyed_at_ms", .whole(progress?.keyDestroyedAtMilliseconds))
            .adding("finished_at_ms", .whole(progress?.sweptAtMilliseconds))
            .adding("evidence", ["named": .whole(evidence), "files_present": .whole(evidencePresent)])
            .adding(
                "rows",
                [
                    "look_ups": .whole(traces.lookups), "receipts": .whole(traces.receipts),
                    "delivery_secrets": .whole(traces.deliverySecrets),
                ]
            )
            .adding("inclusion", inclusion(ledger) ?? .null)
            .adding("tombstone", tombstone.flatMap { try? JSONValue.parse(Array($0.utf8)) } ?? .null)
    }

    /// That the event which ended it is in the log, for somebody without it; nil for a ledger of an older version.
    private func inclusion(_ ledger: Ledger) -> JSONValue? {
        guard let position = position ?? originals.compactMap(\.destroyedPosition).first,
            let proof = try? ledger.inclusionProof(position: position)
        else { return nil }
        return LedgerProof.inclusion(proof).json
    }

    fileprivate var words: String {
        var lines = [isProved ? "Proved: nothing of it is there." : "NOT proved:"]
        lines += problems.map { "  \($0.message)" }
        if let position, let time = erasedAtMilliseconds {
            lines.append("Session \(session.text) was erased at \(Words.time(time)), position \(position).")
        }
        for original in originals {
            guard let position = original.destroyedPosition, let time = original.destroyedAtMilliseconds else { continue }
            lines.append(
                "\(original.piece) \(original.capture.text): destroyed at \(Words.time(time)), position \(position), \(Words.plain(original.cause ?? ""))."
            )
        }
        for held in recipients {
            lines.append("\(held.destination) \(held.isCertain ? "holds" : "may hold") \(held.piece) \(held.capture.text).")
        }
        return lines.joined(separator: "\n")
    }
}
