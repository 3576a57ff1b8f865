package import CaptureLedger

extension Bench {
    /// The numbers of clients that `group` measures.
    package static let groupClients = [1, 8, 32, 64]

    /// Appends with one client and with `clients` in turn; with 1, that client alone.
    ///
    /// - Parameters:
    ///   - folder: where the scratch ledger is made and removed.
    ///   - kept: a folder to make it in that stays, for other programs to read.
    /// - Throws: what making or writing a ledger throws; `cannot_create`.
    package static func append(
        clients: Int = 64, extent: BenchExtent = BenchExtent(), folder: String, kept: String? = nil
    ) async throws(LedgerError) -> AppendComparison {
        let counts = clients == 1 ? [1] : [1, clients]
        let rounds = try await rounds(clients: counts, extent: extent, folder: folder, kept: kept)
        let (one, many) = (rounds[0], rounds[rounds.count - 1])
        let ratios = zip(one, many).map { one, many in many.eventsPerSecond / one.eventsPerSecond }
        return AppendComparison(
            many: AppendFigures(many, clients: clients), one: AppendFigures(one, clients: 1), ratioToOneClient: median(ratios))
    }

    /// Appends with each of `clients` in turn.
    package static func group(
        clients: [Int] = groupClients, extent: BenchExtent = BenchExtent(), folder: String
    ) async throws(LedgerError) -> [AppendFigures] {
        let rounds = try await rounds(clients: clients, extent: extent, folder: folder)
        return zip(rounds, clients).map { AppendFigures($0, clients: $1) }
    }

    /// For each number of clients its rounds, on one ledger, interleaved; a short round of each comes first and is not counted.
    private static func rounds(
        clients: [Int], extent: BenchExtent, folder: String, kept: String? = nil
    ) async throws(LedgerError) -> [[AppendRound]] {
        try await withLedger(in: folder, kept: kept) { (ledger) async throws(LedgerError) in
            var start = extent
            (start.events, start.seconds) = (nil, 0.1)
            // What stays holds whole sessions and nothing else.
            for count in clients where kept == nil {
                _ = try await AppendRound.run(ledger, clients: count, extent: start)
            }
            var rounds = clients.map { _ in [AppendRound]() }
            for _ in 0..<extent.rounds {
                for (index, count) in clients.enumerated() {
                    rounds[index].append(
                        try await AppendRound.run(ledger, clients: count, extent: extent))
                }
            }
            return rounds
        }
    }
}

extension AppendFigures {
    init(_ rounds: [AppendRound], clients: Int) {
        let latencies = rounds.flatMap(\.acknowledgementNanoseconds).sorted()
        self.init(
            clients: clients, events: rounds.reduce(0) { $0 + $1.events }, commits: rounds.reduce(0) { $0 + $1.commits },
            rounds: rounds.count, seconds: rounds.reduce(0) { $0 + $1.seconds },
            eventsPerSecond: median(rounds.map(\.eventsPerSecond)),
            commitsPerSecond: median(rounds.map { Double($0.commits) / $0.seconds }),
            processorMicrosecondsPerEvent: median(rounds.map { $0.processorSeconds * 1e6 / Double(max(1, $0.events)) }),
            acknowledgementP50Microseconds: quantile(latencies, 0.50),
            acknowledgementP99Microseconds: quantile(latencies, 0.99),
            acknowledgementMaximumMicroseconds: quantile(latencies, 1))
    }
}

/// The middle one; of an even number the mean of the two in the middle.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// By nearest rank, in microseconds.
func quantile(_ sortedNanoseconds: [UInt64], _ fraction: Double) -> Int {
    guard !sortedNanoseconds.isEmpty else { return 0 }
    let rank = Int((fraction * Double(sortedNanoseconds.count)).rounded(.up))
    return Int(sortedNanoseconds[max(0, min(sortedNanoseconds.count, rank) - 1)] / 1000)
}
