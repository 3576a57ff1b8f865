/// Full jitter: a uniform time below a window that doubles with every attempt, so that clients which failed together do not
/// come back together (Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015).
package enum BackOff {
    /// In milliseconds: `base * 2^(attempt - 1)`, at most the cap.
    package static func window(afterAttempt attempt: Int, _ policy: RetryPolicy) -> Int64 {
        doubled(policy.baseMilliseconds, times: attempt - 1, cap: policy.capMilliseconds)
    }

    package static func delay(
        afterAttempt attempt: Int, _ policy: RetryPolicy, using random: inout some RandomNumberGenerator
    ) -> Int64 {
        Int64.random(in: 0..<window(afterAttempt: attempt, policy), using: &random)
    }

    /// What is added to a time that the endpoint asked for, so that not everybody comes back at its very end.
    package static func spread(
        after askedMilliseconds: Int64, _ policy: RetryPolicy, using random: inout some RandomNumberGenerator
    ) -> Int64 {
        let window = min(max(askedMilliseconds, policy.baseMilliseconds), 60_000, policy.capMilliseconds)
        return Int64.random(in: 0..<max(1, window), using: &random)
    }

    /// How long a breaker stays open: between half of its window and all of it. Once the window has stopped growing, clients
    /// with such waits come back evenly over the half of it that follows an outage's end, whenever they went away.
    package static func opening(
        _ openings: Int, _ policy: BreakerPolicy, using random: inout some RandomNumberGenerator
    ) -> Int64 {
        let window = doubled(policy.baseMilliseconds, times: openings - 1, cap: policy.capMilliseconds)
        return window / 2 + Int64.random(in: 0...(window / 2), using: &random)
    }

    private static func doubled(_ base: Int64, times: Int, cap: Int64) -> Int64 {
        let base = max(1, base)
        let doublings = min(max(times, 0), 62)
        guard doublings < base.leadingZeroBitCount - 1 else { return max(1, cap) }
        return min(base << Int64(doublings), max(1, cap))
    }
}
