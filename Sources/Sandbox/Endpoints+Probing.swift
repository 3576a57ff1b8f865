extension Endpoints {
    /// Answers a question to a status address.
    mutating func probe(_ token: String) -> (reply: Reply, probe: SandboxRecord.Probe) {
        guard var outcome = pending[token], !outcome.later.isLost else {
            let reply = Reply.refused(Refusal(status: 404, code: "unknown_submission", detail: "No such submission."))
            let known = pending[token]
            return (reply, note(.init(destination: known?.destination, captureID: known?.captureID, status: 404)))
        }
        if outcome.pollsLeft > 0 {
            outcome.pollsLeft -= 1
            pending[token] = outcome
            let reply = Reply.accepted(
                token: token, captureID: outcome.captureID, retryAfter: outcome.later.retryAfter, isReplayed: false)
            return (reply, note(.init(destination: outcome.destination, captureID: outcome.captureID, status: 202)))
        }
        // a failed outcome frees its key for the next attempt, once it is known
        if outcome.isFailed { entries[outcome.key]?.first = nil }
        return (
            .outcome(outcome.body, isReplayed: false),
            note(.init(destination: outcome.destination, captureID: outcome.captureID, status: 200))
        )
    }

    private mutating func note(_ probe: SandboxRecord.Probe) -> SandboxRecord.Probe {
        record.probes.append(probe)
        return probe
    }
}
