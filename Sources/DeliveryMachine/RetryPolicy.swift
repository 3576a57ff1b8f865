/// How long a delivery is tried; `delivery.md`, rules.
package struct RetryPolicy: Hashable, Sendable {
    package var baseMilliseconds: Int64 = 2_000
    package var capMilliseconds: Int64 = 3_600_000
    /// Attempts that reached the endpoint, or may have.
    package var attemptLimit = 25
    /// Counted from the first bytes sent, so that a long weekend offline parks nothing.
    package var ageLimitMilliseconds: Int64 = 72 * 3_600_000
    /// How often a paused destination lets one delivery through to see whether it is back.
    package var probeIntervalMilliseconds: Int64 = 15 * 60_000
    /// How soon something of our own side that is missing, such as a credential or an original, is looked for again.
    package var lookAgainMilliseconds: Int64 { min(probeIntervalMilliseconds, 60_000) }
    /// How soon an accepted delivery (202) is asked about when its answer does not say.
    package var pollMilliseconds: Int64 = 2_000
    /// Claims without an outcome before a delivery is quarantined: it may be what kills the worker.
    package var claimLimit = 3
    /// Answers outside the contract before a delivery is parked, when others get through.
    package var contractBreakLimit = 3

    /// An age is believed only of a delivery that was tried as often: a clock that jumps, or a week without a network after the
    /// first try, parks nothing.
    package var ageAttemptFloor = 3

    package init() {}

    /// The furthest that a next attempt can lie ahead: the longest `Retry-After` and the longest back-off. One that lies
    /// further was stored by a clock that has gone back since, and is due now.
    package var longestWaitMilliseconds: Int64 { RetryAfter.limitMilliseconds + capMilliseconds }
}

/// When a destination that keeps failing is left alone, and for how long.
package struct BreakerPolicy: Hashable, Sendable {
    /// Failures in a row of the endpoint, or of the way to it.
    package var failureLimit = 5
    /// How long it stays open the first time; twice as long each time after.
    package var baseMilliseconds: Int64 = 15_000
    /// Short enough that an outage's end is noticed within two minutes.
    package var capMilliseconds: Int64 = 120_000
    /// A delivery that has failed more often than this says nothing about its endpoint any more, unless nothing could be sent
    /// at all: one poisoned delivery holds up nobody else (F17).
    package var attemptsThatCount = 3

    package init() {}
}
