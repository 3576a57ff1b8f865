/// A limit with two values, so that a measurement which trembles around it changes its judgement once and not with every frame (S62).
public struct HysteresisBand: Codable, Sendable, Hashable {
    /// What a value must reach to be good: at least, or at most where small values are the good ones, as with an angle.
    public var enter: Double
    /// Where a good value stops being good. Between the two nothing changes.
    public var leave: Double

    public init(enter: Double, leave: Double) {
        self.enter = enter
        self.leave = leave
    }
}

/// Remembers on which side of a band the last value was.
struct HysteresisGate: Sendable, Hashable {
    private(set) var isInside = false

    /// - Parameter smallIsGood: said, and not guessed from the band: its two values may be the same.
    /// - Returns: whether the value counts as good. The first one has to reach `enter`; one that is not a number is never good.
    mutating func judge(_ value: Double, _ band: HysteresisBand, smallIsGood: Bool = false) -> Bool {
        let limit = isInside ? band.leave : band.enter
        isInside = smallIsGood ? value <= limit : value >= limit
        return isInside
    }
}
