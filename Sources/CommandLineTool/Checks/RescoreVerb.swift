import CaptureLedger
import MediaChecks
import SessionDomain

extension Verb {
    static let rescore = Verb(
        path: ["rescore"], summary: "Say what other thresholds would have made of the captures that were judged.",
        details: """
            Judges the stored findings again by FILE: no picture is opened, nothing is written. What cannot be told without the picture is \
            counted apart, with the reason. With --list each capture that would change is a line of its own before the summary (with --json: \
            JSON lines).
            """,
        options: [
            .value("policy", "FILE", "the policy to try, as policy show prints it"),
            .value("since", "T", "only what was judged since then: ISO 8601, Unix milliseconds, or how long ago, such as 30d"),
            .flag("list", "name each capture that would change"),
        ],
        examples: [
            "capture-ledger rescore --policy strict.json5",
            "capture-ledger rescore --policy strict.json5 --since 30d --list --json",
        ],
        exits: [.notFound],
        run: { invocation, console in
            guard let path = invocation.text("policy") else {
                throw Complaint.usage(
                    "rescore needs --policy.",
                    remedy: "Write the rules to try into a file: capture-ledger policy show prints one.")
            }
            let policy = try PolicyFile.read(path)
            let ledger = try invocation.openForReading()
            let since = try invocation.moment("since", now: ledger.clock.nowMilliseconds())
            let lists = invocation.has("list")
            var run = try ledger.rescoring(policy, since: since)
            while let flips = try run.next() {
                guard lists else { continue }
                for flip in flips { try console.result(flip.json, flip.words) }
            }
            try console.result(run.report.json(since: since), run.report.words)
            return .done
        })
}

extension RescoreFlip {
    fileprivate var json: JSONValue {
        [
            "position": .integer(position), "session_id": .string(session.text), "capture_id": .string(capture.text),
            "piece": .string(change.piece.rawValue), "from": .text(change.from?.rawValue), "to": .text(change.to?.rawValue),
        ]
    }

    fileprivate var words: String { "\(session.text)  \(capture.text)  \(change.words)" }
}

extension RescoreReport.Change {
    fileprivate var words: String { "\(piece.rawValue): \(Self.name(from)) → \(Self.name(to))" }

    private static func name(_ failure: CaptureFailure?) -> String { failure.map { Words.plain($0.rawValue) } ?? "passed" }
}

extension RescoreReport {
    fileprivate func json(since: Int64?) -> JSONValue {
        [
            "policy_version": .string(policyVersion), "since_ms": .whole(since), "last_position": .integer(lastPosition),
            "judgements": .whole(judgements), "rescored": .whole(rescored), "unchanged": .whole(unchanged),
            "flips": .whole(flips),
            "not_rescored": .whole(notRescored),
            "changes": .array(
                sortedChanges.map {
                    [
                        "piece": .string($0.key.piece.rawValue), "from": .text($0.key.from?.rawValue),
                        "to": .text($0.key.to?.rawValue), "count": .whole($0.value),
                    ]
                }),
            "checks": .array(
                sortedChecks.map {
                    [
                        "piece": .string($0.key.piece.rawValue), "metric": .string($0.key.metric),
                        "fails_now": .whole($0.value.failsNow), "passes_now": .whole($0.value.passesNow),
                        "unchanged": .whole($0.value.unchanged),
                    ]
                }),
            "gaps": .array(
                sortedGaps.map {
                    [
                        "piece": .string($0.key.piece.rawValue), "metric": .text($0.key.metric),
                        "reason": .string($0.key.reason),
                        "count": .whole($0.value),
                    ]
                }),
        ]
    }

    fileprivate var words: String {
        if judgements == 0 { return "Nothing was judged in that time: there is nothing to judge again." }
        var lines = [
            "By \(policyVersion), of \(Words.count(judgements, "judgement")): \(flips) would change, \(unchanged) would not, \(notRescored) cannot be told."
        ]
        if !changes.isEmpty {
            lines.append("Would change:")
            lines.append(Words.table(sortedChanges.map { [String($0.value), $0.key.words] }))
        }
        let moved = sortedChecks.filter { $0.value.failsNow + $0.value.passesNow > 0 }
        if !moved.isEmpty {
            lines.append("Check by check:")
            let head = ["piece", "check", "fails now", "passes now", "as before"]
            lines.append(
                Words.table(
                    [head]
                        + moved.map {
                            [
                                $0.key.piece.rawValue, Words.plain($0.key.metric), String($0.value.failsNow),
                                String($0.value.passesNow), String($0.value.unchanged),
                            ]
                        }))
        }
        if !gaps.isEmpty {
            lines.append("Cannot be told without the pictures:")
            lines.append(
                Words.table(
                    sortedGaps.map {
                        [String($0.value), $0.key.piece.rawValue, $0.key.metric.map { Words.plain($0) } ?? "", $0.key.words]
                    }))
        }
        return lines.joined(separator: "\n")
    }

    private var sortedChanges: [(key: Change, value: Int)] {
        changes.sorted { ($1.value, $0.key.words) < ($0.value, $1.key.words) }
    }

    private var sortedChecks: [(key: Check, value: Verdicts)] {
        checks.sorted { ($0.key.piece.rawValue, $0.key.metric) < ($1.key.piece.rawValue, $1.key.metric) }
    }

    private var sortedGaps: [(key: Gap, value: Int)] {
        gaps.sorted {
            ($1.value, $0.key.piece.rawValue, $0.key.metric ?? "") < ($0.value, $1.key.piece.rawValue, $1.key.metric ?? "")
        }
    }
}

extension RescoreReport.Gap {
    fileprivate var words: String {
        switch reason {
        case "without_findings": "nothing was measured: the picture could not be read, or no scanner was ready"
        case "policy_unknown": "the policy that judged it is not on record"
        case Rescoring.Gap.notMeasured.rawValue: "it was not measured, since a check before it had failed"
        case Rescoring.Gap.pageMoved.rawValue: "another part of the picture would be the page"
        case Rescoring.Gap.measuredDifferently.rawValue: "the two policies measure it in different ways"
        case Rescoring.Gap.otherModel.rawValue: "the policy pins another model than the one that looked"
        case Rescoring.Gap.detectionsCut.rawValue: "more was detected than is kept"
        default: Words.plain(reason)
        }
    }
}
