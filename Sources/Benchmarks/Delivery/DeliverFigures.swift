package import SessionDomain

/// How one side of a comparison moved its bytes.
package struct DeliverFigures: Sendable {
    /// Of every round.
    package var seconds: [Double] = []
    /// Bytes of media, which both sides move alike.
    package var bytes: Int64
    /// Of every round; the whole process.
    package var processorSeconds: [Double] = []
    package var peakResidentKibibytes = 0
    /// The most that one round opened.
    package var connections = 0

    package init(bytes: Int64) { self.bytes = bytes }

    package var bytesPerSecond: Double { Double(bytes) / median(seconds) }

    package var json: JSONValue {
        .members([
            .init("seconds", .rounded(median(seconds), to: 1000)),
            .init("seconds_least", .rounded(seconds.min() ?? 0, to: 1000)),
            .init("seconds_most", .rounded(seconds.max() ?? 0, to: 1000)),
            .init("bytes_per_second", .rounded(bytesPerSecond, to: 1)),
            .init("processor_seconds", .rounded(median(processorSeconds), to: 1000)),
            .init("peak_resident_kib", .integer(Int64(peakResidentKibibytes))),
            .init("connections", .integer(Int64(connections))),
        ])
    }
}

/// `sync` beside `curl` with the same bytes from plain files, to the same endpoint, in the same run.
package struct DeliverComparison: Sendable {
    package var pieces: Int
    package var pieceBytes: Int
    package var inFlight: Int
    package var rounds: Int
    package var product: DeliverFigures
    package var reference: DeliverFigures

    /// Of every round: how much of curl's rate the product reaches.
    package var ratios: [Double] { zip(product.seconds, reference.seconds).map { $1 / $0 } }
    package var ratio: Double { median(ratios) }

    package var json: JSONValue {
        .members([
            .init("pieces", .integer(Int64(pieces))), .init("bytes_each", .integer(Int64(pieceBytes))),
            .init("in_flight", .integer(Int64(inFlight))), .init("rounds", .integer(Int64(rounds))),
            .init("sync", product.json), .init("curl", reference.json), .init("ratio_to_curl", .rounded(ratio, to: 100)),
            .init("ratio_least", .rounded(ratios.min() ?? 0, to: 100)),
            .init("ratio_most", .rounded(ratios.max() ?? 0, to: 100)),
        ])
    }
}
