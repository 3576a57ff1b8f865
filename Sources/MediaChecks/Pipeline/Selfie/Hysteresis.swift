/// A yes or no that a value near its threshold does not make flicker (S62): it begins at `enter` and ends below `exit`.
package struct Hysteresis: Sendable, Hashable {
    package let enter, exit: Double
    package private(set) var isInside: Bool

    /// - Precondition: `exit` is at most `enter`.
    package init(enter: Double, exit: Double, isInside: Bool = false) {
        precondition(exit <= enter, "what begins at a value must not end above it")
        self.enter = enter
        self.exit = exit
        self.isInside = isInside
    }

    /// - Returns: whether it is inside now. A value that is not a number is outside.
    @discardableResult
    package mutating func update(_ value: Double) -> Bool {
        isInside = isInside ? value >= exit : value >= enter
        return isInside
    }
}
