/// A row of the table: when it holds, how much is known about the request's arrival, what is done, and why.
package struct ClassificationRule: Hashable, Sendable {
    package let condition: RuleCondition
    package let certainty: Certainty
    package let action: RuleAction
    package let sign: EndpointSign
    /// A stable code that says why.
    package let explanation: Explanation
    /// The row in plain words.
    package let text: String

    init(
        _ condition: RuleCondition, _ certainty: Certainty, _ action: RuleAction, _ sign: EndpointSign,
        _ explanation: Explanation, _ text: String
    ) {
        self.condition = condition
        self.certainty = certainty
        self.action = action
        self.sign = sign
        self.explanation = explanation
        self.text = text
    }
}

extension RuleCondition {
    static func codes(_ codes: [Int32], sent: Bool? = nil) -> Self {
        RuleCondition(codes: codes.map { $0...$0 }, hasSentBytes: sent)
    }

    /// A complete exchange that ended with one of these statuses.
    static func statuses(_ statuses: ClosedRange<Int>..., of kind: AttemptRecord.Kind? = nil) -> Self {
        RuleCondition(kind: kind, codes: [0...0], statuses: statuses)
    }

    static func finding(_ finding: AnswerFinding) -> Self {
        RuleCondition(codes: [0...0], statuses: [200...299], finding: finding)
    }

    static func fault(_ fault: DeliveryFault.Code, sent: Bool) -> Self {
        RuleCondition(hasSentBytes: sent, fault: fault)
    }
}
