import SessionDomain

/// An ended request with everything that judging it needs.
package struct EndedRequest: Sendable {
    package var kind: AttemptRecord.Kind
    package var result: TransferResult
    /// Length of the body that was to be sent; 0 for a status query.
    package var bodyLength: Int64
    /// Of the archived answer, when there is one.
    package var evidence: EvidenceReference?

    package init(kind: AttemptRecord.Kind, result: TransferResult, bodyLength: Int64, evidence: EvidenceReference? = nil) {
        self.kind = kind
        self.result = result
        self.bodyLength = bodyLength
        self.evidence = evidence
    }
}

extension EndedRequest {
    /// nil for what is no complete answer with a 2xx status.
    func answer(of claim: ClaimedDelivery, from destination: Destination) -> ReadAnswer? {
        guard result.curlCode == 0, result.localFault == nil, (200...299).contains(result.status) else { return nil }
        return AnswerReader(destination: destination, capture: claim.capture).read(
            result, of: kind, knownAddress: claim.work.statusAddress)
    }

    func rule(_ answer: ReadAnswer?) -> ClassificationRule {
        ClassificationTable.rule(
            for: RequestFacts(
                kind: kind, curlCode: result.curlCode, status: result.status, hasSentBytes: result.bytesSent > 0,
                fault: result.localFault?.code, finding: answer?.finding))
    }

    /// Whether something came back that is worth keeping: every complete answer, and one that was cut for its length.
    package var hasAnswer: Bool {
        let facts = RequestFacts(
            kind: kind, curlCode: result.curlCode, status: result.status, hasSentBytes: result.bytesSent > 0,
            fault: result.localFault?.code)
        let rule = ClassificationTable.rule(for: facts)
        return rule.certainty == .answered || (rule.action == .contractBreak && result.status >= 200)
    }

    /// The credential that the request carried was refused.
    package var refusesCredential: Bool { rule(nil).action == .renewCredential }

    /// 421: the next request wants a connection of its own.
    package var wantsNewConnection: Bool { rule(nil).action == .retryOnNewConnection }
}

/// What is known about the credential of a destination when an answer is judged.
package struct CredentialFacts: Hashable, Sendable {
    /// Of the one in use: it changes whenever the credential does.
    package var fingerprint: String?
    /// Another one is at hand than the one that the request carried.
    package var hasAnother: Bool
    /// Why it is not known whether there is another: asking for it failed, or the run ended meanwhile.
    package var fault: DeliveryFault.Code?

    package init(fingerprint: String? = nil, hasAnother: Bool = false, fault: DeliveryFault.Code? = nil) {
        self.fingerprint = fingerprint
        self.hasAnother = hasAnother
        self.fault = fault
    }
}

extension DeliveryDecider {
    /// What an ended request means for its delivery and its destination.
    package func judge(
        _ ended: EndedRequest, of claim: ClaimedDelivery, state: DestinationState,
        credential: CredentialFacts = CredentialFacts(), nowMilliseconds: Int64, using random: inout some RandomNumberGenerator
    ) -> Settlement {
        var judgement = Judgement(
            destination: destination, claim: claim, state: state, ended: ended, credential: credential,
            now: nowMilliseconds, chance: random.next())
        judgement.decide()
        return judgement.settlement
    }
}
