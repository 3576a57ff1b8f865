/// Full jitter: a uniform time below a window that doubles with every attempt, so that clients which failed together do not
/// come back together (Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015).
package enum BackOff {
    /// In milliseconds: `base * 2^(attempt - 1)`, at most the cap.
    package static func window(afterAttempt attempt: Int, _ policy: RetryPolicy) -> Int64 {
        let base = max(1, policy.baseMilliseconds)
        let doublings = min(max(attempt - 1, 0), 62)
        guard doublings < base.leadingZeroBitCount - 1 else { return max(1, policy.capMilliseconds) }
        return min(base << Int64(doublings), max(1, policy.capMilliseconds))
    }

    package static func delay(
        afterAttempt attempt: Int, _ policy: RetryPolicy, using random: inout some RandomNumberGenerator
    ) -> Int64 {
        Int64.random(in: 0..<window(afterAttempt: attempt, policy), using: &random)
    }
}

/// SplitMix64: a small generator whose whole state is its seed, so that a run can be repeated.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64
    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
