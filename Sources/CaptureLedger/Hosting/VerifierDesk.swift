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
        var looksAgainAt = ContinuousClock.now
    }

    private enum Step { case none, run, look }

    private static let looksWithin = Duration.seconds(2)

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
        let now = ledger.clock.nowMilliseconds()
        let step = state.withLock { state -> Step in
            if state.isRunning || state.isStopped { return .none }
            if let due = state.nextDueAtMilliseconds, due <= now {
                state.nextDueAtMilliseconds = nil
                return .run
            }
            guard state.looksAgainAt <= .now else { return .none }
            state.looksAgainAt = .now.advanced(by: Self.looksWithin)
            return .look
        }
        switch step {
        case .none: break
        case .run: notice(ledger)
        case .look: queue.async { self.look(ledger) }
        }
    }

    /// What another process did may leave something to verify and no event that says so: a person had it tried again at once, or
    /// the process died with it in hand.
    private func look(_ ledger: Ledger) {
        let now = ledger.clock.nowMilliseconds()
        for session in ledger.hosting.sessionsToVerify {
            guard let rows = try? ledger.deliveries(of: session) else { return }
            let isLeft = rows.contains { row in
                row.destination == CaptureConfiguration.host && row.status == .waiting
                    && (row.holder != nil || (row.nextAttemptAtMilliseconds ?? 0) <= now)
            }
            if isLeft { return notice(ledger) }
        }
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
            news: { [self] in
                state.withLock { state in
                    defer { state.mustRunAgain = false }
                    return state.mustRunAgain
                }
            },
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
