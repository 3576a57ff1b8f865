extension Endpoints {
    /// Answers a well-formed submission whose key is free for it.
    mutating func takeIn(
        _ submission: Submission, _ arrival: Arrival, _ key: String, _ rule: SandboxScenario.Rule?, _ entry: inout KeyEntry
    ) -> Decision {
        var request = requestRecord(arrival, submission)
        let reply: Reply
        var kept: [SandboxJSON.Member] = []
        if let first = entry.first {
            request.isReplayed = true
            switch first {
            case .outcome(let json): reply = .outcome(json, isReplayed: true)
            case .later(let token):
                reply = .accepted(
                    token: token, captureID: submission.captureID, retryAfter: pending[token]?.later.retryAfter,
                    isReplayed: true)
            }
        } else {
            let answer = rule?.answer ?? .byDefault(submission)
            let body = answer.json(piece: submission.piece, captureID: submission.captureID)
            let isKept = rule?.fault?.keepsSubmission ?? true
            if let later = rule?.later {
                tokens += 1
                let token = "s\(tokens)"
                if isKept {
                    kept = [.init("answer", body), .init("failed", .bool(answer.isFailed))] + later.members(token)
                    pending[token] = PendingOutcome(
                        destination: arrival.destination, captureID: submission.captureID, key: name(arrival, key),
                        later: later,
                        body: body, isFailed: answer.isFailed, pollsLeft: later.polls)
                    if !later.isLost { entry.first = .later(token: token) }
                }
                reply = .accepted(
                    token: token, captureID: submission.captureID, retryAfter: later.retryAfter, isReplayed: false)
            } else {
                if isKept, !answer.isFailed {
                    entry.first = .outcome(body)
                    kept = [.init("answer", body)]
                }
                reply = .outcome(body, isReplayed: false)
            }
            request.isEffect = entry.first != nil && !answer.isFailed
            if request.isEffect { record.effects[submission.effectName, default: 0] += 1 }
        }
        let spoilt = reply.spoilt(by: rule?.fault)
        request.status = spoilt.status
        return Decision(reply: spoilt, delayMilliseconds: rule?.delayMilliseconds ?? 0, request: request, kept: kept)
    }
}
