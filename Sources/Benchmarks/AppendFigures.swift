package import SessionDomain

/// What a number of concurrent clients got, each waiting for the durable commit of its command before it sends the next.
package struct AppendFigures: Sendable {
    package var clients: Int
    /// Over all rounds.
    package var events: Int
    /// Over all rounds.
    package var commits: Int
    package var rounds: Int
    package var seconds: Double
    /// Median of the rounds.
    package var eventsPerSecond: Double
    /// Median of the rounds.
    package var commitsPerSecond: Double
    /// Of the processor, clients included; median of the rounds.
    package var processorMicrosecondsPerEvent: Double
    package var acknowledgementP50Microseconds: Int
    package var acknowledgementP99Microseconds: Int
    package var acknowledgementMaximumMicroseconds: Int

    package var eventsPerCommit: Double { commits == 0 ? 0 : Double(events) / Double(commits) }

    var members: [JSONValue.Member] {
        [
            .init("clients", .integer(Int64(clients))),
            .init("rounds", .integer(Int64(rounds))),
            .init("seconds", .rounded(seconds, to: 1000)),
            .init("events", .integer(Int64(events))),
            .init("commits", .integer(Int64(commits))),
            .init("events_per_second", .rounded(eventsPerSecond, to: 1)),
            .init("commits_per_second", .rounded(commitsPerSecond, to: 1)),
            .init("events_per_commit", .rounded(eventsPerCommit, to: 100)),
            .init("cpu_us_per_event", .rounded(processorMicrosecondsPerEvent, to: 1000)),
            .init("ack_p50_us", .integer(Int64(acknowledgementP50Microseconds))),
            .init("ack_p99_us", .integer(Int64(acknowledgementP99Microseconds))),
            .init("ack_max_us", .integer(Int64(acknowledgementMaximumMicroseconds))),
        ]
    }

    package var json: JSONValue { .members(members) }
}

/// Many clients beside one, in the same run.
package struct AppendComparison: Sendable {
    package var many: AppendFigures
    package var one: AppendFigures
    /// Median over the rounds of how many times the rate of one client the many get together.
    package var ratioToOneClient: Double

    package var json: JSONValue {
        .members(
            many.members + [.init("one_client", one.json), .init("ratio_to_one_client", .rounded(ratioToOneClient, to: 100))])
    }
}

extension JSONValue {
    static func rounded(_ value: Double, to scale: Double) -> JSONValue {
        .double((value * scale).rounded() / scale)
    }
}
