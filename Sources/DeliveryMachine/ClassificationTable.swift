/// How an ended request is read: data, with an edition that every attempt names. Whoever decides looks the rows up.
package enum ClassificationTable {
    package static let version = 3

    /// Looked through from the top: the first row that holds decides. The last rows of each part catch what is left, so that
    /// everything that can end has a row.
    package static let rows: [ClassificationRule] =
        ownSideRows + codeRows + noFinalStatusRows + statusQueryRows + answerRows + statusRows

    package static func rule(for facts: RequestFacts) -> ClassificationRule {
        let rows = rows.span
        for index in rows.indices where rows[index].condition.holds(facts) { return rows[index] }
        return lastRow
    }

    /// Whether a request arrived, from everything that is known. On a reused connection libcurl may have sent the request
    /// once already before a second try failed to connect, so counted bytes outweigh the code.
    package static func certainty(curlCode: Int32, status: Int, bytesSent: Int64) -> Certainty {
        rule(for: RequestFacts(curlCode: curlCode, status: status, hasSentBytes: bytesSent > 0)).certainty
    }

    /// Holds always, and is never reached.
    static let lastRow = ClassificationRule(
        RuleCondition(), .unknown, .retry, .unclear, .answerLost, "anything else is taken for a lost answer")
}
