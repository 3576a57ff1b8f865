package import SessionDomain

/// What rebuilding the projections of one ledger took.
package struct RebuildFigures: Sendable {
    /// The ledger that stayed.
    package var ledger: String?
    package var sessions: Int64 = 0
    package var events: Int64 = 0
    /// nil: it had its past already.
    package var makingSeconds: Double?
    /// Of every round, in order.
    package var seconds: [Double] = []
    /// Of all its threads, of every round: what a busy machine changes less.
    package var processorSeconds: [Double] = []
    /// The most memory that was resident in any round.
    package var peakKibibytes = 0

    package var best: Double { seconds.min() ?? 0 }
    package var eventsPerSecond: Double { best > 0 ? Double(events) / best : 0 }

    package var json: JSONValue {
        .members([
            .init("sessions", .integer(sessions)), .init("events", .integer(events)),
            .init("seconds", .rounded(best, to: 1000)),
            .init("rounds_seconds", .array(seconds.map { .rounded($0, to: 1000) })),
            .init("processor_seconds", .rounded(processorSeconds.min() ?? 0, to: 1000)),
            .init("events_per_second", .rounded(eventsPerSecond, to: 1)),
            .init("peak_memory_kib", .integer(Int64(peakKibibytes))),
            .init("making_seconds", makingSeconds.map { .rounded($0, to: 1000) } ?? .null),
            .init("ledger", ledger.map { .string($0) } ?? .null),
        ])
    }
}
