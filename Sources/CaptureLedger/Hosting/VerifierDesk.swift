import DeliveryMachine
import Dispatch
import SessionDomain
import StructuredLog
import Sync
import Synchronization

/// Runs the worker machine for a host's verifiers, on a thread of its own, while there is something to verify in this process.
final class VerifierDesk: Sendable {
    private struct State {
        var isRunning = false
        var mustRunAgain = false
        var isStopped = false
        /// By the ledger's clock; nil: nothing waits for time.
        var nextDueAtMilliseconds: Int64?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "capture-ledger.verifier")

    /// There may be something to verify.
    func notice(_ ledger: Ledger) {
        let begins = state.withLock { state -> Bool in
            if state.isStopped { return false }
            state.mustRunAgain = state.isRunning
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if begins { queue.async { self.run(ledger) } }
    }

    /// There will be something to verify.
    func wake(at milliseconds: Int64) {
        state.withLock { $0.nextDueAtMilliseconds = min($0.nextDueAtMilliseconds ?? milliseconds, milliseconds) }
    }

    /// Asked several times a second.
    func turned(_ ledger: Ledger) {
        let isDue = state.withLock { state -> Bool in
            guard let due = state.nextDueAtMilliseconds, !state.isRunning, due <= ledger.clock.nowMilliseconds() else {
                return false
            }
            state.nextDueAtMilliseconds = nil
            return true
        }
        if isDue { notice(ledger) }
    }

    /// Calls under way are cancelled, which spends no attempt; returns when none is left.
    func stop() {
        state.withLock { $0.isStopped = true }
        queue.sync {}
    }

    private func run(_ ledger: Ledger) {
        var isAgain = true
        while isAgain {
            let due = work(ledger)
            isAgain = state.withLock { state -> Bool in
                state.isRunning = state.mustRunAgain && !state.isStopped
                state.mustRunAgain = false
                if let due { state.nextDueAtMilliseconds = min(state.nextDueAtMilliseconds ?? due, due) }
                return state.isRunning
            }
        }
    }

    /// - Returns: when to look again.
    private func work(_ ledger: Ledger) -> Int64? {
        guard !ledger.hosting.sessionsToVerify.isEmpty else { return nil }
        let queue = HostDeliveryQueue(ledger)
        defer { queue.inner.close() }
        let transport = VerifierTransport(ledger, queue, timeout: ledger.hosting.verification.timeout)
        let steady = ContinuousClock()
        let start = steady.now
        var options = SyncOptions()
        options.patienceMilliseconds = 0
        let run = SyncRun(
            queue: queue, transport: transport, media: queue.inner, evidence: EvidenceArchive(ledger),
            destinations: [Destination(ledger.hosting.verification)], options: options,
            clock: SyncClock(
                nowMilliseconds: ledger.clock.nowMilliseconds,
                steadyMilliseconds: { Int64(start.duration(to: steady.now) / .milliseconds(1)) }),
            random: SystemRandomNumberGenerator(),
            stop: { [self] in state.withLock { $0.isStopped } ? .abort : .none },
            observe: { event in
                if case .settled(let claim, _) = event { ledger.hosting.flow(claim.session)?.notice() }
                event.log(to: ledger.hosting.logger)
                ledger.hosting.feed.poke(ledger)
            })
        do throws(DeliveryFault) {
            _ = try run.run()
            // What is due and was not handed out is held back by another reason than time, such as a pause.
            let soon = ledger.clock.nowMilliseconds() + (queue.hasClaimed ? 50 : 5_000)
            return try queue.backlog().nextDueAtMilliseconds.map { $0 > soon ? $0 : soon }
        } catch {
            // The ledger cannot be written now; nothing stays claimed, and the next run goes on.
            ledger.hosting.logger.warning("verifiers wait for the ledger", [Field("code", error.code.rawValue)])
            return ledger.clock.nowMilliseconds() + 5_000
        }
    }
}

extension Destination {
    /// The host's own process, as a destination.
    init(_ options: VerificationOptions) {
        self.init(name: DestinationName(CaptureConfiguration.host), kind: .verifier, url: "host:")
        inFlightLimit = max(1, options.atATime)
        retry.baseMilliseconds = Self.milliseconds(options.firstPause)
        retry.capMilliseconds = Self.milliseconds(options.longestPause)
        retry.attemptLimit = max(1, options.attempts)
    }

    private static func milliseconds(_ duration: Duration) -> Int64 { Int64(max(1, duration / .milliseconds(1))) }
}
