package import CaptureLedger
import SessionDomain

/// Work of a fixed size and shape, to count instructions of: the clock stands at a fixed time and goes on by fixed steps, and one
/// thread waits for every commit, so that what goes into it is always the same.
package enum FixedWork: String, Sendable, CaseIterable {
    /// Makes a ledger that stays, for those that read.
    case history
    /// Commands, eight a commit, the captures with private halves.
    case append
    /// The same commands, one a commit.
    case commit
    /// Every column of every event of a history, where it lies.
    case replay
    /// Every event of a history as a value.
    case values
    /// The projections of a history made anew.
    case rebuild
    /// 4,000 bytes an event through the stream sealer.
    case seal

    private static let eventsPerCommit = 8

    /// - Parameters:
    ///   - events: how much; 0 is everything around the work. Reads and rebuilds take the whole history, whatever it holds.
    ///   - folder: where the ledger is, or is made.
    package func run(events: Int, folder: String) throws(LedgerError) {
        switch self {
        case .history, .append: try Self.append(events, batch: Self.eventsPerCommit, folder)
        case .commit: try Self.append(events, batch: 1, folder)
        case .seal: if events > 0 { _ = try Bench.sealInMemory(bytes: events * 4000) }
        case .replay, .values, .rebuild:
            let ledger = try Ledger.open(folder: Bench.ledgerPath(in: folder), options: Self.options())
            defer { ledger.closeAndWait() }
            if events == 0 { return }
            switch self {
            case .replay: _ = try Bench.scan(ledger)
            case .values: _ = try Bench.readValues(ledger)
            default: _ = try ledger.rebuild()
            }
        }
    }

    private static func append(_ events: Int, batch: Int, _ folder: String) throws(LedgerError) {
        try ScratchFolder.make(folder)
        let ledger = try Bench.makeLedger(in: folder, options: options())
        defer { ledger.closeAndWait() }
        var sessions = BenchSessions(.captures, sideBySide: BenchExtent.sideBySide)
        for _ in 0..<events / batch {
            let now = ledger.clock.nowMilliseconds()
            let commands = (0..<batch).map { _ in sessions.next(now: now) }
            for result in try ledger.performTogether(commands) { _ = try result.get() }
        }
    }

    /// 2026-06-01T00:00:00Z, and a millisecond more whenever it is asked.
    private static func options() -> LedgerOptions {
        let time = SteppingClock(1_780_272_000_000)
        var options = LedgerOptions()
        options.clock = LedgerClock(nowMilliseconds: { time.next() })
        return options
    }
}
