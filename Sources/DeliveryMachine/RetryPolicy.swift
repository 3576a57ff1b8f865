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
    /// How soon an accepted delivery (202) is asked about when its answer does not say.
    package var pollMilliseconds: Int64 = 2_000
    /// Claims without an outcome before a delivery is quarantined: it may be what kills the worker.
    package var claimLimit = 3
    /// Answers outside the contract before a delivery is parked, when others get through.
    package var contractBreakLimit = 3

    package init() {}
}
