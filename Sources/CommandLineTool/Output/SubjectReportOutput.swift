import CaptureLedger
import SessionDomain

extension SubjectReport {
    var json: JSONValue {
        [
            "subject": .text(reference), "made_at_ms": .integer(madeAtMilliseconds), "ledger_id": .string(ledgerID.text),
            "last_position": .integer(lastPosition), "retention": .string(retentionWords),
            "sessions": .array(parts.map(\.json)),
        ]
    }

    var words: String {
        let about = reference.map { " about \($0)" } ?? ""
        return
            (["Held\(about): \(Words.count(parts.count, "session")). \(retentionWords)"] + parts.map(\.words))
            .joined(separator: "\n\n")
    }
}

extension SubjectReport.Part {
    fileprivate var json: JSONValue {
        let object: JSONValue = [
            "session": view.json, "events": .whole(events), "erased": .bool(isErased), "sealed": .whole(sealed),
            "captures": .array(captures.map(\.json)),
            "private": .array(
                opened.map {
                    [
                        "position": .integer($0.position), "type": .string($0.type),
                        "recorded_at_ms": .integer($0.recordedAtMilliseconds), "content": $0.content,
                    ]
                }),
            "recipients": .array(recipients.map(\.json)), "deliveries": .array(deliveries.map(\.json)),
            "archived_answers": .whole(answers),
        ]
        return object.adding("erasure_due_at_ms", erasure.map { .integer($0.dueAtMilliseconds) })
            .adding("remains", remains.map { .string($0) })
    }

    fileprivate var words: String {
        var lines = [
            "Session \(view.session.text): \(view.flow.status.rawValue), begun \(Words.time(view.startedAtMilliseconds))"
        ]
        if let remains { lines.append(remains) }
        if !captures.isEmpty {
            lines.append("Pictures and videos:")
            lines.append(
                Words.table(
                    captures.map {
                        [
                            $0.facts.piece.rawValue, Words.time($0.capturedAtMilliseconds), $0.facts.media.type,
                            Words.bytes($0.facts.media.bytes), $0.whereabouts, $0.verdict,
                        ]
                    }))
        }
        if !opened.isEmpty {
            lines.append("Said and answered:")
            lines.append(
                Words.table(
                    opened.flatMap { entry in
                        entry.lines.map {
                            [Words.time(entry.recordedAtMilliseconds), Words.plain(entry.type), $0.name, Words.shown($0.text)]
                        }
                    }))
        }
        lines.append(recipients.isEmpty ? "Nobody received anything." : "Received by:")
        if !recipients.isEmpty {
            lines.append(
                Words.table(
                    recipients.map {
                        [
                            $0.destination, $0.piece,
                            $0.deliveredAtMilliseconds.map { "answered \(Words.time($0))" } ?? "may have it; no answer says so",
                        ]
                    }))
        }
        return lines.joined(separator: "\n")
    }
}

extension SubjectReport.Capture {
    fileprivate var json: JSONValue {
        [
            "capture_id": .string(facts.captureID.text), "piece": .string(facts.piece.rawValue),
            "attempt": .whole(facts.attempt ?? 1),
            "source": .string(facts.source.rawValue), "captured_at_ms": .integer(capturedAtMilliseconds),
            "media": [
                "type": .string(facts.media.type), "bytes": .integer(facts.media.bytes), "width": .whole(facts.media.width),
                "height": .whole(facts.media.height),
            ],
            "has_original": .bool(hasOriginal), "destroyed_at_ms": .whole(destroyedAtMilliseconds),
            "destruction_cause": .text(destructionCause),
            "measurements": .array(
                facts.measurements.map { ["metric": .string($0.metric), "value": .double($0.value)] }),
            "judgements": .array(
                judgements.map {
                    [
                        "checked_at_ms": .integer($0.atMilliseconds), "failure": .text($0.checked.failure?.rawValue),
                        "findings": $0.checked.findings.json,
                    ]
                }),
        ]
    }
}

extension Words {
    /// Text from outside, without what could steer a terminal.
    static func shown(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }
}
