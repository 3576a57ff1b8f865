import SessionDomain
import Synchronization
import SystemCalls

@testable import CaptureLedger

/// A ledger in a folder of its own, with a clock that the test turns.
final class AnalyticsLedger {
    let folder: String
    let ledger: Ledger
    let clock = TurnedClock()

    var path: String { folder + "/my.ledger" }

    init(judge: (any CaptureJudge)? = nil) throws {
        folder = try FileSystem.makeTemporaryFolder()
        let clock = clock
        var options = CreateOptions(configurationFolder: folder + "/config")
        options.clock = LedgerClock { clock.now }
        _ = try Ledger.create(folder: folder + "/my.ledger", options: options)
        var open = LedgerOptions()
        open.clock = LedgerClock { clock.now }
        open.judge = judge
        ledger = try Ledger.open(folder: folder + "/my.ledger", options: open)
    }

    deinit {
        ledger.closeAndWait()
        _ = try? ChildProcess.run(path: "/bin/rm", arguments: ["rm", "-rf", folder], limitMilliseconds: 30_000, outputLimit: 0)
    }

    func eraseNow(_ session: SessionID) throws(LedgerError) { _ = try ledger.erase(session) }

    /// `Tests/oracle_analytics.py` about this ledger.
    func oracle(_ options: [String] = []) throws -> JSONValue {
        let said = try ChildProcess.run(
            path: "/usr/bin/env",
            arguments: ["env", "python3", Fixture.root + "/Tests/oracle_analytics.py", path] + options,
            limitMilliseconds: 60_000, outputLimit: 64 << 20)
        guard said.end == .exited(0) else { throw Broken(reason: String(decoding: said.output, as: UTF8.self)) }
        return try JSONValue.parse(said.output.filter { $0 != 0x0A }, limit: 64 << 20)
    }

    struct Broken: Error {
        let reason: String
    }
}

final class TurnedClock: Sendable {
    // 1 October 2026, an hour before midnight UTC
    private let time = Mutex<Int64>(1_790_895_600_000)
    var now: Int64 { time.withLock { $0 } }
    func advance(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
}
