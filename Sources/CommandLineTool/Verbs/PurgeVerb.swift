import CaptureLedger
import SessionDomain

extension Verb {
    static let purge = Verb(
        path: ["purge"], summary: "Destroy the originals that the retention rules name, and what crashes left.",
        details: """
            The rules are privacy.retention of the settings; every sync applies them too. What was decided, and each original's keyed \
            digest, stays; so does what waits for its delivery.
            """,
        options: [.flag("dry-run", "say what would go, and change nothing")],
        examples: ["capture-ledger purge --dry-run", "capture-ledger purge"],
        exits: [.refused, .notFound, .inputOutput, .notPermitted],
        run: { invocation, console in
            let isDry = invocation.has("dry-run")
            let ledger = try isDry ? invocation.openForReading() : invocation.openLedger()
            let report = try ledger.purge(isDry: isDry)
            try console.result(report.json, report.words(hasRules: !ledger.settings.privacy.retention.isEmpty))
            return .done
        })
}

extension PurgeReport {
    fileprivate var json: JSONValue {
        [
            "dry_run": .bool(isDry), "purged": .whole(count), "bytes": .integer(bytes), "sessions": .whole(sessions),
            "by": .array(
                table.map { group, figures in
                    [
                        "piece": .string(group.piece.rawValue), "status": .string(group.status.rawValue),
                        "purged": .whole(figures.count), "bytes": .integer(figures.bytes),
                    ]
                }),
            "captures": .array(
                items.map {
                    [
                        "session_id": .string($0.session.text), "capture_id": .string($0.capture.text),
                        "piece": .string($0.piece.rawValue), "status": .string($0.status.rawValue),
                        "bytes": .integer($0.bytes),
                    ]
                }),
            "captures_left_out": .whole(count - items.count),
            "leftovers": .array(
                findings.map { ["code": .string($0.code), "message": .string($0.message), "removed": .bool($0.fixed)] }),
        ]
    }

    private var table: [(Group, (count: Int, bytes: Int64))] {
        groups.sorted { ($0.key.piece.rawValue, $0.key.status.rawValue) < ($1.key.piece.rawValue, $1.key.status.rawValue) }
            .map { ($0.key, $0.value) }
    }

    fileprivate func words(hasRules: Bool) -> String {
        let verb = isDry ? "Would destroy" : "Destroyed"
        var lines = ["\(verb) \(Words.count(count, "original")), \(Words.bytes(bytes))."]
        if !hasRules { lines.append("The settings have no retention rules: privacy.retention.") }
        if !groups.isEmpty {
            lines.append(
                Words.table(
                    table.map { group, figures in
                        [
                            group.piece.rawValue, Words.plain(group.status.rawValue), String(figures.count),
                            Words.bytes(figures.bytes),
                        ]
                    }))
        }
        lines += findings.map { "\($0.fixed ? "Removed" : "Would remove"): \($0.message)" }
        return lines.joined(separator: "\n")
    }
}
