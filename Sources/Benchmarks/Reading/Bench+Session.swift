package import CaptureLedger
import EventStorage
package import SessionDomain
import SystemCalls

/// How long one session's events, and its state, take to be had.
package struct SessionFigures: Sendable {
    package var sessions = 0
    package var loads = 0
    /// From a session's id to its events, every column looked at.
    package var events = Spread()
    /// From a session's id to its folded state, as `session show` has it.
    package var state = Spread()

    package struct Spread: Sendable {
        package var p50Nanoseconds: UInt64 = 0
        package var p99Nanoseconds: UInt64 = 0

        init() {}

        init(_ nanoseconds: [UInt64]) {
            let sorted = nanoseconds.sorted()
            p50Nanoseconds = sorted[sorted.count / 2]
            p99Nanoseconds = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        }

        var json: JSONValue {
            .members([
                .init("p50_us", .rounded(Double(p50Nanoseconds) / 1000, to: 100)),
                .init("p99_us", .rounded(Double(p99Nanoseconds) / 1000, to: 100)),
            ])
        }
    }

    package var json: JSONValue {
        .members([
            .init("sessions", .integer(Int64(sessions))), .init("loads", .integer(Int64(loads))), .init("events", events.json),
            .init("state", state.json),
        ])
    }
}

extension Bench {
    /// Loads sessions at random, one after the other.
    package static func session(
        at path: String?, events: Int, loads: Int, folder: String
    ) async throws(LedgerError) -> SessionFigures {
        try await withHistory(at: path, events: events, folder: folder) { (ledger) throws(LedgerError) in
            let ids = try sessionIDs(ledger)
            var figures = SessionFigures()
            (figures.sessions, figures.loads) = (ids.count, loads)
            figures.events = .init(
                try timed(ids, loads) { (id) throws(LedgerError) in
                    let length = try ledger.read { (context) throws(LedgerError) in
                        try stored { () throws(StorageError) in
                            guard let row = try context.events.session(id) else { return 0 }
                            var length = 0
                            try context.events.forEachEvent(ofSession: row.number) { (event) throws(StorageError) in
                                length &+= event.encoded.facts.utf8.count
                                return true
                            }
                            return length
                        }
                    }
                    sink(Int64(length))
                })
            figures.state = .init(
                try timed(ids, loads) { (id) throws(LedgerError) in sink(try ledger.session(id).lastPosition) })
            return figures
        }
    }

    private static func timed(
        _ ids: [SessionID], _ loads: Int, _ load: (SessionID) throws(LedgerError) -> Void
    ) throws(LedgerError) -> [UInt64] {
        var waits: [UInt64] = []
        waits.reserveCapacity(loads)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<loads {
            guard let id = ids.randomElement(using: &random) else { break }
            let began = SystemClock.monotonicNanoseconds()
            try load(id)
            waits.append(UInt64(SystemClock.monotonicNanoseconds() - began))
        }
        guard !waits.isEmpty else {
            throw LedgerError(
                code: .init(rawValue: "bench_failed"), message: "There is no session in this ledger.",
                remedy: "Name another with --ledger, or none.")
        }
        return waits
    }

    /// Of at most 200,000 sessions, spread evenly over the whole ledger.
    private static func sessionIDs(_ ledger: Ledger) throws(LedgerError) -> [SessionID] {
        try ledger.read { (context) throws(LedgerError) in
            try stored { () throws(StorageError) in
                var ids: [SessionID] = []
                let last = try context.events.lastSessionNumber()
                for number in stride(from: 1, through: max(1, last), by: Int(last / 100_000) + 1) {
                    if let row = try context.events.session(number: number) { ids.append(row.id) }
                }
                return ids
            }
        }
    }
}
