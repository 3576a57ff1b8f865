/// How much a measurement does.
package struct BenchExtent: Sendable {
    /// Sessions that a client with batches has under way, a command of each in turn.
    static let sideBySide = 16

    /// Events of one round; with `seconds`, whichever comes first ends the round.
    package var events: Int?
    /// Seconds of one round, more than 0.
    package var seconds: Double?
    /// Rounds of each kind, taken in turn so that a busy moment of the machine meets all alike; figures are medians over them.
    package var rounds: Int
    /// Commands that a client sends together, to be made durable together.
    package var batch = 1
    package var privateHalves = PrivateHalves.captures

    package init(events: Int? = nil, seconds: Double? = nil, rounds: Int = 5) {
        self.events = events
        self.seconds = seconds ?? (events == nil ? 1 : nil)
        self.rounds = max(1, rounds)
    }
}
