/// How much a measurement does.
package struct BenchExtent: Sendable {
    /// Events of one round; with `seconds`, whichever comes first ends the round.
    package var events: Int?
    /// Seconds of one round, more than 0.
    package var seconds: Double?
    /// Rounds of each kind, taken in turn so that a busy moment of the machine meets all alike; figures are medians over them.
    package var rounds: Int

    package init(events: Int? = nil, seconds: Double? = nil, rounds: Int = 5) {
        self.events = events
        self.seconds = seconds ?? (events == nil ? 1 : nil)
        self.rounds = max(1, rounds)
    }
}
