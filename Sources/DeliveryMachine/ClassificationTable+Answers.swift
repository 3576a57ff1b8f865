/// Complete answers with a 2xx status, by what our own checks found in them.
extension ClassificationTable {
    static let answerRows: [ClassificationRule] = [
        .init(
            .finding(.lengthsDiffer), .answered, .contractBreak, .unclear, .lengthsDiffer,
            "2xx whose lengths contradict each other: whoever reads only one of them reads another message"),
        .init(
            .finding(.statusAddress), .answered, .poll, .works, .accepted,
            "202: taken in, its status address is asked until there is an outcome"),
        .init(
            .finding(.noStatusAddress), .answered, .contractBreak, .unclear, .noStatusAddress,
            "202 that says nowhere where to ask for the outcome"),
        .init(
            .finding(.foreignStatusAddress), .answered, .contractBreak, .unclear, .foreignStatusAddress,
            "202 whose status address is of another origin: credentials never go there"),
        .init(
            .finding(.outcome), .answered, .deliver, .works, .answered,
            "2xx with a decision that belongs to this delivery: verified and rejected are both delivered"),
        .init(
            .finding(.noDecision), .answered, .retry, .works, .failed,
            "2xx that says that no decision was reached: the same capture is sent again"),
        .init(
            .finding(.foreign), .answered, .contractBreak, .unclear, .foreignAnswer,
            "2xx that belongs to another delivery"),
        .init(
            .finding(.notJSON), .answered, .contractBreak, .unclear, .notJSON,
            "2xx that is not JSON: a captive portal's page, nothing, or cut text"),
        .init(
            .finding(.noOutcome), .answered, .contractBreak, .unclear, .noOutcome, "2xx without an outcome that is known"),
        .init(
            .finding(.noScore), .answered, .contractBreak, .unclear, .noScore, "2xx of a hologram endpoint without a score"),
        .init(
            .statuses(200...299), .answered, .contractBreak, .unclear, .contractBreak, "any other 2xx is outside the contract"),
    ]
}
