package import CaptureLedger
import Dispatch
import FoundationEssentials
import SessionDomain
import Synchronization

extension Bench {
    /// How long one client waits for its commands while callbacks of other sessions sleep, beside how long it waits when they
    /// have returned. Both kinds of round make and end as many sessions first, and take turns at being first.
    ///
    /// - Parameter sessions: whose callbacks sleep; more of them than the library calls at once wait behind those that sleep.
    /// - Throws: what making or writing a ledger throws; `cannot_create`.
    package static func callbacks(
        sessions: Int = 24, events: Int = 500, rounds: Int = 5, folder: String
    ) async throws(LedgerError) -> CallbackFigures {
        let scratch = try ScratchFolder(in: folder)
        let path = scratch.path + "/bench.ledger"
        _ = try Ledger.create(folder: path, options: CreateOptions(configurationFolder: scratch.path + "/config"))
        let ledger = try await Ledger.open(at: URL(filePath: path))
        do throws(LedgerError) {
            let client = try await flow(in: ledger) {}
            _ = try await latencies(of: client, 50)
            var (quiet, asleep, sleeping): ([[UInt64]], [[UInt64]], Int) = ([], [], .max)
            for round in 0..<max(1, rounds) {
                for isAsleep in round % 2 == 0 ? [false, true] : [true, false] {
                    let callbacks = SleepingCallbacks()
                    if !isAsleep { callbacks.wake(sessions) }
                    for _ in 0..<sessions { try await flow(in: ledger, onExit: callbacks.call).exit() }
                    let settled = await callbacks.settle(isAsleep: isAsleep, sessions: sessions)
                    let found = try await latencies(of: client, events)
                    if isAsleep {
                        sleeping = min(sleeping, settled)
                        asleep.append(found)
                        callbacks.wake(sessions)
                        _ = await callbacks.settle(isAsleep: false, sessions: sessions)
                    } else {
                        quiet.append(found)
                    }
                }
            }
            await ledger.close()
            return CallbackFigures(quiet: quiet, asleep: asleep, sleeping: sleeping)
        } catch {
            await ledger.close()
            throw error
        }
    }

    private static func flow(
        in ledger: Ledger, onExit: @escaping @Sendable () -> Void
    ) async throws(LedgerError) -> CaptureFlow {
        var configuration = CaptureConfiguration(pieces: [.selfie], flowTitle: "Benchmark")
        configuration.checks = .off
        return try await CaptureFactory.makeFlow(
            in: ledger, configuration: configuration, callbacks: CaptureCallbacks(onComplete: { _, _ in }, onExit: onExit))
    }

    private static func latencies(of client: CaptureFlow, _ count: Int) async throws(LedgerError) -> [UInt64] {
        var found: [UInt64] = []
        for _ in 0..<count {
            let start = DispatchTime.now().uptimeNanoseconds
            try await client.record(.reviewShown)
            found.append(DispatchTime.now().uptimeNanoseconds - start)
        }
        return found
    }
}

/// Callbacks that do not return before they are woken.
private final class SleepingCallbacks: Sendable {
    private struct Counts {
        var entered = 0
        var left = 0
    }

    private let counts = Mutex(Counts())
    private let alarm = DispatchSemaphore(value: 0)

    func call() {
        counts.withLock { $0.entered += 1 }
        alarm.wait()
        counts.withLock { $0.left += 1 }
    }

    func wake(_ count: Int) { for _ in 0..<count { alarm.signal() } }

    /// Waits until all have returned, or until as many sleep as will; then a moment for what their sessions left to be read.
    ///
    /// - Returns: how many are asleep.
    func settle(isAsleep: Bool, sessions: Int) async -> Int {
        var (last, unchanged) = (-1, 0)
        while true {
            let now = counts.withLock { $0 }
            if isAsleep {
                unchanged = now.entered == last && now.entered > 0 ? unchanged + 1 : 0
                last = now.entered
            }
            if now.left == sessions || unchanged == 20 { break }
            try? await Task.sleep(for: .milliseconds(20))
        }
        try? await Task.sleep(for: .milliseconds(200))
        return counts.withLock { $0.entered - $0.left }
    }
}
