/// What our own checks of a complete 2xx answer found: the status alone proves nothing.
package enum AnswerFinding: String, Hashable, Sendable, CaseIterable {
    /// A decision that fits the schema and belongs to this delivery.
    case outcome
    /// The schema's own "no decision was reached" (S14).
    case noDecision = "no_decision"
    /// A 202 whose outcome can be asked for.
    case statusAddress = "status_address"

    /// Two lengths that contradict each other, or one that contradicts the bytes.
    case lengthsDiffer = "lengths_differ"
    /// HTML from a captive portal, nothing at all, or text that is cut.
    case notJSON = "not_json"
    /// It names another capture than the one that was sent, or none.
    case foreign
    /// No outcome, an unknown one, or a field that is not what it should be.
    case noOutcome = "no_outcome"
    /// A hologram's answer without a score.
    case noScore = "no_score"
    /// A 202 that says nowhere where to ask.
    case noStatusAddress = "no_status_address"
    /// A status address at another origin: credentials never go there.
    case foreignStatusAddress = "foreign_status_address"
}
