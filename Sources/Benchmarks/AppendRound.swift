import CaptureLedger
import Dispatch
import SessionDomain
import SystemCalls

/// One round: clients that share nothing but the ledger. One alone waits on a thread of its own, as a program does that has nothing else
/// to do; many are tasks.
struct AppendRound: Sendable {
    var seconds: Double
    var commits: Int
    var events: Int
    /// What all threads of this process used.
    var processorSeconds: Double
    /// Of every acknowledgement, in no order.
    var acknowledgementNanoseconds: [UInt64]

    var eventsPerSecond: Double { Double(events) / seconds }

    static func run(_ ledger: Ledger, clients: Int, extent: BenchExtent) async throws(LedgerError) -> AppendRound {
        let commitsBefore = try ledger.commitCount()
        let (start, used) = (DispatchTime.now().uptimeNanoseconds, SystemClock.processorNanoseconds())
        let end = extent.seconds.map { start + UInt64($0 * 1e9) } ?? .max
        let quota = extent.events.map { max(1, $0 / clients) } ?? .max
        let results =
            clients == 1 ? [await alone(ledger, extent, end, quota)] : await together(ledger, clients, extent, end, quota)
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        var round = AppendRound(
            seconds: seconds, commits: 0, events: 0,
            processorSeconds: Double(SystemClock.processorNanoseconds() - used) / 1e9, acknowledgementNanoseconds: [])
        for result in results {
            let client = try result.get()
            round.acknowledgementNanoseconds += client.latencies
            round.events += client.events
        }
        round.commits = Int(try ledger.commitCount() - commitsBefore)
        return round
    }

    private static func alone(
        _ ledger: Ledger, _ extent: BenchExtent, _ end: UInt64, _ quota: Int
    ) async -> Result<Client, LedgerError> {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "capture-ledger.bench.client").async {
                var client = Client(extent)
                do throws(LedgerError) {
                    try client.runAndWait(ledger, end: end, quota: quota)
                    continuation.resume(returning: .success(client))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
    }

    private static func together(
        _ ledger: Ledger, _ clients: Int, _ extent: BenchExtent, _ end: UInt64, _ quota: Int
    ) async -> [Result<Client, LedgerError>] {
        await withTaskGroup(of: Result<Client, LedgerError>.self) { group in
            for _ in 0..<clients {
                group.addTask {
                    var client = Client(extent)
                    do throws(LedgerError) { try await client.run(ledger, end: end, quota: quota) } catch {
                        return .failure(error)
                    }
                    return .success(client)
                }
            }
            var results: [Result<Client, LedgerError>] = []
            for await result in group { results.append(result) }
            return results
        }
    }

    /// Sends a command, or a batch of them, when the one before is acknowledged.
    private struct Client: Sendable {
        private let batch: Int
        private var sessions: BenchSessions
        private(set) var latencies: [UInt64] = []
        private(set) var events = 0

        init(_ extent: BenchExtent) {
            batch = extent.batch
            sessions = BenchSessions(extent.privateHalves, sideBySide: extent.batch == 1 ? 1 : BenchExtent.sideBySide)
        }

        /// The same on a thread that waits.
        mutating func runAndWait(_ ledger: Ledger, end: UInt64, quota: Int) throws(LedgerError) {
            var before = DispatchTime.now().uptimeNanoseconds
            while before < end, events < quota {
                let time = ledger.clock.nowMilliseconds()
                if batch == 1 {
                    switch sessions.next(now: time) {
                    case .start(let request, let id): _ = try ledger.start(request, as: id)
                    case .command(let request): _ = try ledger.perform(request)
                    }
                    events += 1
                } else {
                    let commands = (0..<min(batch, quota - events)).map { _ in sessions.next(now: time) }
                    for result in try ledger.performTogether(commands) { _ = try result.get() }
                    events += commands.count
                }
                let now = DispatchTime.now().uptimeNanoseconds
                latencies.append(now - before)
                before = now
            }
        }

        mutating func run(_ ledger: Ledger, end: UInt64, quota: Int) async throws(LedgerError) {
            var before = DispatchTime.now().uptimeNanoseconds
            while before < end, events < quota {
                let time = ledger.clock.nowMilliseconds()
                if batch == 1 {
                    switch sessions.next(now: time) {
                    case .start(let request, let id): _ = try await ledger.submit(request, as: id)
                    case .command(let request): _ = try await ledger.submit(request)
                    }
                    events += 1
                } else {
                    let commands = (0..<min(batch, quota - events)).map { _ in sessions.next(now: time) }
                    for result in try await ledger.submitTogether(commands) { _ = try result.get() }
                    events += commands.count
                }
                let now = DispatchTime.now().uptimeNanoseconds
                latencies.append(now - before)
                before = now
            }
        }
    }
}
