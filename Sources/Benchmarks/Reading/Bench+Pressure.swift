package import CaptureLedger
import Dispatch
import EventStorage
package import SessionDomain
import Synchronization
import SystemCalls

/// What the write-ahead log came to while somebody read the whole ledger and others appended to it.
package struct PressureFigures: Sendable {
    package var eventsRead = 0
    package var replays = 0
    package var seconds = 0.0
    package var eventsAppended = 0
    package var logPeakBytes: Int64 = 0

    package var json: JSONValue {
        .members([
            .init("events_read", .integer(Int64(eventsRead))), .init("replays", .integer(Int64(replays))),
            .init("seconds", .rounded(seconds, to: 1000)),
            .init("appended_per_second", .rounded(Double(eventsAppended) / seconds, to: 1)),
            .init("read_per_second", .rounded(Double(eventsRead) / seconds, to: 1)),
            .init("log_peak_bytes", .integer(logPeakBytes)),
        ])
    }
}

extension Bench {
    /// Replays a ledger while clients append to it as fast as they can, until `limit` seconds have passed and a replay is done.
    package static func pressure(
        at path: String?, events: Int, clients: Int, seconds limit: Double, folder: String
    ) async throws(LedgerError) -> PressureFigures {
        try await withHistory(at: path, events: events, folder: folder) { (ledger) async throws(LedgerError) in
            let replay = Replay(limitNanoseconds: Int64(limit * 1e9))
            DispatchQueue(label: "capture-ledger.bench.replay").async { replay.run(ledger) }
            let began = SystemClock.monotonicNanoseconds()
            var appended = 0
            while !replay.isOver {
                appended += try await AppendRound.run(ledger, clients: clients, extent: BenchExtent(seconds: 0.25)).events
            }
            var figures = try replay.result()
            figures.eventsAppended = appended
            figures.seconds = seconds(since: began)
            return figures
        }
    }
}

/// Reads the whole ledger again and again on a thread that it may block, and looks at the log's size meanwhile.
private final class Replay: Sendable {
    private let limit: Int64
    private let answer = Mutex<Result<PressureFigures, LedgerError>?>(nil)

    init(limitNanoseconds: Int64) { limit = limitNanoseconds }

    var isOver: Bool { answer.withLock { $0 != nil } }

    func result() throws(LedgerError) -> PressureFigures {
        guard let result = answer.withLock({ $0 }) else { return PressureFigures() }
        return try result.get()
    }

    func run(_ ledger: Ledger) {
        var figures = PressureFigures()
        let result: Result<PressureFigures, LedgerError>
        do throws(LedgerError) {
            let end = SystemClock.monotonicNanoseconds() + limit
            repeat {
                var peak = figures.logPeakBytes
                var count = 0
                _ = try ledger.read { (context) throws(LedgerError) in
                    try Bench.stored { () throws(StorageError) in
                        try context.events.forEachRow(after: 0) { (row) throws(StorageError) in
                            count += 1
                            if row.position % 2048 == 0 { peak = max(peak, Self.size(ledger.files.log)) }
                        }
                    }
                }
                figures.logPeakBytes = max(peak, Self.size(ledger.files.log))
                figures.eventsRead += count
                figures.replays += 1
            } while SystemClock.monotonicNanoseconds() < end
            result = .success(figures)
        } catch {
            result = .failure(error)
        }
        answer.withLock { $0 = result }
    }

    private static func size(_ path: String) -> Int64 { (try? FileStatus.of(path))??.size ?? 0 }
}
