package import SessionDomain

/// How long one client waits for its commands while the host's callbacks sleep, beside how long it waits without.
package struct CallbackFigures: Sendable {
    /// Callbacks that slept while the client worked, at the least.
    package var sleeping: Int
    package var rounds: Int
    /// Commands of each kind over all rounds.
    package var events: Int
    package var quiet: Waiting
    package var asleep: Waiting
    /// Median over the rounds of the median wait while callbacks sleep by that without.
    package var ratio: Double

    package struct Waiting: Sendable {
        /// Median of the rounds' medians.
        package var p50Microseconds: Int
        /// Of all commands.
        package var p99Microseconds: Int

        init(_ rounds: [[UInt64]]) {
            p50Microseconds = Int(median(rounds.map(median)) / 1000)
            p99Microseconds = quantile(rounds.flatMap(\.self).sorted(), 0.99)
        }

        var json: JSONValue {
            .members([
                .init("ack_p50_us", .integer(Int64(p50Microseconds))), .init("ack_p99_us", .integer(Int64(p99Microseconds))),
            ])
        }
    }

    init(quiet: [[UInt64]], asleep: [[UInt64]], sleeping: Int) {
        self.sleeping = sleeping
        rounds = quiet.count
        events = quiet.reduce(0) { $0 + $1.count }
        self.quiet = Waiting(quiet)
        self.asleep = Waiting(asleep)
        ratio = median(zip(quiet, asleep).map { median($1) / median($0) })
    }

    package var json: JSONValue {
        .members([
            .init("sleeping", .integer(Int64(sleeping))), .init("rounds", .integer(Int64(rounds))),
            .init("events", .integer(Int64(events))), .init("quiet", quiet.json), .init("asleep", asleep.json),
            .init("ratio", .rounded(ratio, to: 1000)),
        ])
    }
}

private func median(_ nanoseconds: [UInt64]) -> Double { median(nanoseconds.map { Double($0) }) }
