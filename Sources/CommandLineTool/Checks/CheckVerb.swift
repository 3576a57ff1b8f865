import CaptureLedger
import SessionDomain

extension Verb {
    static let check = Verb(
        path: ["check"], summary: "Check everything in the ledger that waits for it.",
        details: """
            It judges captures that a crash left unchecked, whose scanner was not ready, or of sessions with deferred checks, and ends
            with 75 while some are left.
            """,
        options: [
            .flag("pending", "judge what waits in the ledger"), .value("limit", "N", "judge at most so many"),
        ],
        examples: ["capture-ledger check --pending --limit 100"], exits: [.notFound, .inputOutput, .workLeft, .notPermitted],
        run: { invocation, console in
            guard invocation.has("pending") else {
                throw Complaint.usage("check needs to know what.", remedy: "Add --pending.")
            }
            let limit = try invocation.integer("limit", in: 1...Int64.max).map { Int(clamping: $0) } ?? .max
            let done = try invocation.openLedger().checkPending(limit: limit)
            try console.result(done.json, done.words)
            return done.left > 0 ? .workLeft : .done
        })
}

extension PendingChecks {
    var json: JSONValue {
        let object: JSONValue = [
            "checked": .whole(judged.count), "passed": .whole(passed), "failed": .whole(failed), "left": .whole(left),
            "captures": .array(
                judged.map { item in
                    [
                        "session_id": .string(item.session.text), "piece": .string(item.piece.rawValue),
                        "capture_id": .string(item.capture.text), "failure": .text(item.check.failure?.rawValue),
                        "findings": item.check.findings.json,
                    ]
                }),
            "broken": .array(
                broken.map {
                    [
                        "capture_id": .string($0.capture.text), "code": .string($0.error.code.rawValue),
                        "message": .string($0.error.message),
                    ]
                }),
        ]
        return object.adding("obstacle", obstacle?.json)
    }

    var words: String {
        var lines = judged.map { item in
            "\(item.session.text) \(item.piece.rawValue): \(item.check.failure.map { Words.plain($0.rawValue) } ?? "passed")"
        }
        lines += broken.map { "\($0.capture.text): \($0.error.message) \($0.error.remedy)" }
        if let obstacle { lines.append("The checks cannot run. \(obstacle.words)") }
        if judged.isEmpty, left == 0 { return "Nothing waits for a check." }
        lines.append("\(passed) passed, \(failed) failed, \(Words.count(left, "capture")) left.")
        return lines.joined(separator: "\n")
    }
}
