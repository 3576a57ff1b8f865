import DeliveryMachine

extension Row {
    /// Whole answers with a good status and something else inside.
    static let answers: [Row] =
        broken(
            .notJSON, "F15",
            [
                "html", "empty", "blank", "cut", "trailing-garbage", "two-documents", "deep", "deep-open", "duplicate-keys",
                "duplicate-captures", "escaped-duplicate", "huge-number", "bad-utf8", "lone-surrogate", "bom", "utf16", "nul",
                "single-quotes", "comment",
            ])
        + broken(
            .noOutcome, "F15",
            [
                "no-outcome", "outcome-unknown", "outcome-null", "outcome-list", "outcome-capitals", "rejected-without-reason",
                "drop-is-text", "list", "null", "text",
            ])
        + broken(
            .foreignAnswer, "F15",
            [
                "no-capture", "other-capture", "capture-is-prefix", "nested-outcome", "problem",
            ])
        + [
            Row("an outcome among blanks", "body", #"{"is":"surrounded-by-blanks"}"#, .yes, hasOwnAnswer: false),
            Row(
                "an outcome as text/html", "body", #"{"is":"surrounded-by-blanks","type":"Content-Type: text/html"}"#, .yes,
                hasOwnAnswer: false),
            Row("rejected", "body", #"{"is":"rejected"}"#, .no, hasOwnAnswer: false),
            Row("failed", "body", #"{"is":"failed"}"#, .retries(.failed)),
        ]
        + broken(.notJSON, "S78", ["empty", "html", "score-nan", "score-infinite"], kind: .hologram)
        + broken(
            .noScore, "S78",
            [
                "no-entries", "entries-are-none", "no-hologram", "hologram-in-small-letters", "score-missing", "score-null",
                "score-text", "score-true", "null-then-score",
            ], kind: .hologram)
        + [
            Row("hologram: honest", "honest", .yes, kind: .hologram),
            Row("hologram: two scores", "body", #"{"is":"two-scores"}"#, .yes, kind: .hologram),
            Row("hologram: unknown entries", "body", #"{"is":"unknown-entries"}"#, .yes, kind: .hologram),
            Row("hologram: F1 reset before the status", "reset-without-answer", .lost, kind: .hologram),
            Row("hologram: reset in the middle of the body", "reset-mid-body", .lost, size: 2 << 20, kind: .hologram),
            Row("hologram: closed in the middle of the answer", "close-mid-answer", .lost, kind: .hologram),
        ]

    private static func broken(
        _ why: Explanation, _ item: String, _ bodies: [String], kind: Destination.Kind = .verifier
    ) -> [Row] {
        bodies.map { Row("\(item) \(kind.rawValue): \($0)", "body", #"{"is":"\#($0)"}"#, .broken(why), kind: kind) }
    }

    /// What the delivery before left on the connection: never the next one's answer.
    static let leftovers: [Row] = [Destination.Kind.verifier, .hologram].flatMap { kind in
        [
            "then-the-same-again", "then-a-timeout", "then-a-refusal", "then-a-hologram", "then-a-hint", "then-garbage",
            "then-silent-close",
        ].flatMap { behaviour in
            [false, true].map { atOnce in
                var row = Row(
                    "\(behaviour)\(atOnce ? " at once" : ""), \(kind.rawValue)", "honest", .yes, kind: kind)
                row.before = Step(behaviour: behaviour, options: #"{"at-once":\#(atOnce)}"#)
                return row
            }
        }
    }
}
