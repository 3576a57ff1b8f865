import SessionDomain

/// An ended request with everything that judging it needs.
package struct EndedRequest: Sendable {
    package var kind: AttemptRecord.Kind
    package var result: TransferResult
    /// Length of the body that was to be sent; 0 for a status query.
    package var bodyLength: Int64
    /// Of the archived answer, when there is one.
    package var evidence: EvidenceReference?

    package init(kind: AttemptRecord.Kind, result: TransferResult, bodyLength: Int64, evidence: EvidenceReference?) {
        self.kind = kind
        self.result = result
        self.bodyLength = bodyLength
        self.evidence = evidence
    }

    package var certainty: Certainty {
        ClassificationTable.certainty(curlCode: result.curlCode, status: result.status, bytesSent: result.bytesSent)
    }
}

extension DeliveryDecider {
    /// What an ended request means for its delivery and its destination.
    package func judge(
        _ ended: EndedRequest, of claim: ClaimedDelivery, state: DestinationState, nowMilliseconds: Int64,
        using random: inout some RandomNumberGenerator
    ) -> Settlement {
        var judgement = Judgement(
            destination: destination, claim: claim, state: state, ended: ended, now: nowMilliseconds,
            chance: random.next())
        switch ended.certainty {
        case .notSent: judgement.notSent()
        case .unknown: judgement.unknown()
        case .answered: judgement.answered()
        }
        return judgement.settlement
    }
}
