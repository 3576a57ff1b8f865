package import SessionDomain

/// What is remembered about a destination across runs.
package struct DestinationState: Hashable, Sendable {
    package var pause: DestinationPause?
    /// The delivery whose answer broke the contract last, while nothing got through since.
    package var contractBreakWitness: DeliveryID?
    /// Failures in a row that were the endpoint's (5xx, no connection); a success clears it.
    package var failuresInARow = 0
    /// Open while the endpoint is left alone because it keeps failing.
    package var breaker: Breaker?
    /// When the last delivery got through, for whatever session.
    package var lastDeliveredAtMilliseconds: Int64?

    package init() {}

    package mutating func apply(_ change: DestinationChange) {
        switch change {
        case .pause(let pause): self.pause = pause
        case .resume: pause = nil
        case .contractBreakWitness(let witness): contractBreakWitness = witness
        case .failuresInARow(let count): failuresInARow = count
        case .breaker(let breaker): self.breaker = breaker
        case .lastDeliveredAt(let time): lastDeliveredAtMilliseconds = time
        }
    }
}

package struct DestinationPause: Hashable, Sendable {
    package var reason: Explanation
    package var sinceMilliseconds: Int64
    /// When one delivery may go through to see; nil stays until a person acts.
    package var probeAtMilliseconds: Int64?
    /// Set when another credential would lift the pause.
    package var credentialFingerprint: String?

    package init(
        reason: Explanation, sinceMilliseconds: Int64, probeAtMilliseconds: Int64?, credentialFingerprint: String? = nil
    ) {
        self.reason = reason
        self.sinceMilliseconds = sinceMilliseconds
        self.probeAtMilliseconds = probeAtMilliseconds
        self.credentialFingerprint = credentialFingerprint
    }
}

/// A circuit breaker that is open: nothing is sent until its time, then one delivery goes through to see. Kept across runs.
package struct Breaker: Hashable, Sendable {
    package var untilMilliseconds: Int64
    /// How often it has opened since a delivery last got through: each time it stays open for longer.
    package var openings: Int
    /// `endpoint_keeps_failing`, or `throttled` when the endpoint itself asked to be left alone.
    package var reason: Explanation

    package init(untilMilliseconds: Int64, openings: Int, reason: Explanation = .keepsFailing) {
        self.untilMilliseconds = untilMilliseconds
        self.openings = openings
        self.reason = reason
    }
}

/// One change to one column of a destination's state, so that a pause set by a person meanwhile is not overwritten.
package enum DestinationChange: Hashable, Sendable {
    case pause(DestinationPause)
    /// Lifts a pause that the machine set.
    case resume
    case contractBreakWitness(DeliveryID?)
    case failuresInARow(Int)
    case breaker(Breaker?)
    case lastDeliveredAt(milliseconds: Int64)
}
