/// When a row of the table holds. What is nil or empty does not matter to it.
package struct RuleCondition: Hashable, Sendable {
    package var kind: AttemptRecord.Kind?
    package var codes: [ClosedRange<Int32>] = []
    package var statuses: [ClosedRange<Int>] = []
    package var hasSentBytes: Bool?
    package var fault: DeliveryFault.Code?
    package var finding: AnswerFinding?

    package func holds(_ facts: RequestFacts) -> Bool {
        if let kind, kind != facts.kind { return false }
        if let hasSentBytes, hasSentBytes != facts.hasSentBytes { return false }
        if let fault, fault != facts.fault { return false }
        if let finding, finding != facts.finding { return false }
        if !codes.isEmpty, !codes.contains(where: { $0.contains(facts.curlCode) }) { return false }
        return statuses.isEmpty || statuses.contains { $0.contains(facts.status) }
    }
}

/// Everything about an ended request that the table looks at. A libcurl code alone cannot be classified.
package struct RequestFacts: Hashable, Sendable {
    package var kind: AttemptRecord.Kind
    package var curlCode: Int32
    package var status: Int
    package var hasSentBytes: Bool
    /// Why our own side ended it, when it did.
    package var fault: DeliveryFault.Code?
    /// What our own checks found in a complete answer with a 2xx status.
    package var finding: AnswerFinding?

    package init(
        kind: AttemptRecord.Kind = .send, curlCode: Int32, status: Int, hasSentBytes: Bool, fault: DeliveryFault.Code? = nil,
        finding: AnswerFinding? = nil
    ) {
        self.kind = kind
        self.curlCode = curlCode
        self.status = status
        self.hasSentBytes = hasSentBytes
        self.fault = fault
        self.finding = finding
    }
}
