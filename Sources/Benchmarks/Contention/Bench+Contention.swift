package import CaptureLedger
import EventStorage
package import SessionDomain
import SystemCalls

/// What processes got that append to one ledger at once, each command durable before the next is sent.
package struct ContentionFigures: Sendable {
    package var processes: Int
    /// Acknowledged.
    package var events = 0
    package var failed = 0
    /// Acknowledged and not there afterwards.
    package var lost = 0
    package var seconds = 0.0
    package var acknowledgementMicroseconds: [Int] = []

    package func microseconds(_ fraction: Double) -> Int {
        guard !acknowledgementMicroseconds.isEmpty else { return 0 }
        let last = acknowledgementMicroseconds.count - 1
        return acknowledgementMicroseconds[min(last, Int(fraction * Double(last + 1)))]
    }

    package var eventsPerSecond: Double { seconds > 0 ? Double(events) / seconds : 0 }

    package var json: JSONValue {
        .members([
            .init("processes", .integer(Int64(processes))), .init("events", .integer(Int64(events))),
            .init("failed", .integer(Int64(failed))), .init("lost", .integer(Int64(lost))),
            .init("seconds", .rounded(seconds, to: 1000)), .init("events_per_second", .rounded(eventsPerSecond, to: 1)),
            .init("ack_p50_us", .integer(Int64(microseconds(0.5)))), .init("ack_p99_us", .integer(Int64(microseconds(0.99)))),
            .init("ack_max_us", .integer(Int64(microseconds(1)))),
        ])
    }
}

extension Bench {
    /// Lets processes of this program append to one new ledger at once.
    ///
    /// - Parameters:
    ///   - events: of each process.
    ///   - product: the path of this program.
    package static func contention(
        processes: Int, events: Int, product: String, folder: String
    ) throws(LedgerError) -> ContentionFigures {
        let scratch = try ScratchFolder(in: folder)
        try makeLedger(in: scratch.path).closeAndWait()
        let path = ledgerPath(in: scratch.path)
        var figures = ContentionFigures(processes: processes)
        let began = SystemClock.monotonicNanoseconds()
        let workers = try (0..<processes).map { (_) throws(LedgerError) in
            try ContentionWorker(product, ledger: path, events: events)
        }
        for worker in workers {
            let answer = try worker.answer()
            figures.events += answer["events"]?.asInt ?? 0
            figures.failed += answer["failed"]?.asInt ?? events
            figures.acknowledgementMicroseconds += answer["waits_us"]?.asArray?.compactMap(\.asInt) ?? []
        }
        figures.seconds = seconds(since: began)
        figures.acknowledgementMicroseconds.sort()
        let ledger = try Ledger.open(folder: path)
        defer { ledger.closeAndWait() }
        let stored = try ledger.read { (context) throws(LedgerError) in
            try self.stored { () throws(StorageError) in
                var count = 0
                for number in 1...max(1, try context.events.lastSessionNumber()) {
                    count += Int(try context.events.version(ofSession: number))
                }
                return count
            }
        }
        figures.lost = figures.events - stored
        withExtendedLifetime(scratch) {}
        return figures
    }

    /// One of the processes: appends a command at a time and says how long each took, in microseconds.
    package static func contentionWorker(ledger path: String, events: Int) throws(LedgerError) -> JSONValue {
        let ledger = try Ledger.open(folder: path)
        defer { ledger.closeAndWait() }
        var sessions = BenchSessions(.captures, sideBySide: 1)
        var (failed, waits): (Int, [JSONValue]) = (0, [])
        for _ in 0..<events {
            let began = SystemClock.monotonicNanoseconds()
            let results = try ledger.performTogether([sessions.next(now: ledger.clock.nowMilliseconds())])
            guard case .success? = results.first else {
                failed += 1
                continue
            }
            waits.append(.integer((SystemClock.monotonicNanoseconds() - began) / 1000))
        }
        return .members([
            .init("events", .integer(Int64(waits.count))), .init("failed", .integer(Int64(failed))),
            .init("waits_us", .array(waits)),
        ])
    }
}

/// One process that appends, from its start to its answer.
private final class ContentionWorker {
    private var child: ChildProcess

    init(_ product: String, ledger: String, events: Int) throws(LedgerError) {
        child = try called { () throws(SystemError) in
            try ChildProcess(
                path: product,
                arguments: [
                    product, "--ledger", ledger, "--json", "--log", "error", "bench", "contention", "--worker", "--events",
                    String(events),
                ])
        }
    }

    func answer() throws(LedgerError) -> JSONValue {
        let (output, end) = try called { () throws(SystemError) in
            let output = try child.output.readToEnd(limit: 1 << 26)
            return (output, try child.wait(limitMilliseconds: 60_000))
        }
        guard end == .exited(0), let answer = try? JSONValue.parse(output, limit: 1 << 26) else {
            throw LedgerError(
                code: .init(rawValue: "bench_failed"),
                message: "A process that was to append ended with \(end.map { "\($0)" } ?? "no end").",
                remedy: "Look at what it wrote to standard error.")
        }
        return answer
    }
}
