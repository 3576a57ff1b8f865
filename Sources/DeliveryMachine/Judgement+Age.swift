extension Judgement {
    /// Whether the delivery has been tried for longer than the policy allows, counted from the first bytes sent.
    ///
    /// Clocks jump. An age that nobody can have watched grow (further beyond the limit than the longest wait between two
    /// looks) is a jump or a long time without a worker: it restarts instead of parking. So does one that lies in the future.
    ///
    /// - Parameter isBelieved: false for a delivery that was hardly tried.
    mutating func isTooOld(_ isBelieved: Bool) -> Bool {
        guard let first = settlement.work.firstSentAtMilliseconds else { return false }
        let age = now - first
        if age < 0 || age > policy.ageLimitMilliseconds + policy.longestWaitMilliseconds {
            settlement.work.firstSentAtMilliseconds = now
            return false
        }
        return isBelieved && age > policy.ageLimitMilliseconds
    }
}
