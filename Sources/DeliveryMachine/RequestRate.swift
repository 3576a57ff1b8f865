/// A token bucket: how many requests may begin now so that no second has more than its share.
package struct RequestRate: Sendable {
    private let perSecond: Double
    private let capacity: Double
    private var tokens: Double
    private var filledAtMilliseconds: Int64

    /// - Parameters:
    ///   - perSecond: above 0; a burst holds one second's worth, and at least one request.
    ///   - nowMilliseconds: on a steady clock.
    package init(perSecond: Double, nowMilliseconds: Int64) {
        self.perSecond = max(perSecond, 0.001)
        capacity = max(1, perSecond)
        tokens = 1
        filledAtMilliseconds = nowMilliseconds
    }

    /// Whole requests that may begin now.
    package mutating func available(nowMilliseconds: Int64) -> Int {
        let passed = max(0, nowMilliseconds - filledAtMilliseconds)
        filledAtMilliseconds = nowMilliseconds
        tokens = min(capacity, tokens + Double(passed) / 1_000 * perSecond)
        return Int(tokens + 1e-9)
    }

    package mutating func take() { tokens -= 1 }

    /// Until one more may begin; 0 when one may now.
    package func millisecondsToNext() -> Int64 {
        tokens + 1e-9 >= 1 ? 0 : Int64(((1 - tokens) / perSecond * 1_000).rounded(.up))
    }
}
