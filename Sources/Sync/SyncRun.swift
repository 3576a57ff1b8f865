package import DeliveryMachine
import SessionDomain

/// The worker around the machine: claims, sends, settles, until nothing is due or it is told to stop.
///
/// One thread, its caller's, does all of it; requests run side by side in the transport. A run that dies leaves claims that
/// the next one takes over at once; nothing is sent twice with another key or other bytes.
package final class SyncRun {
    struct Flight {
        let claim: ClaimedDelivery
        let kind: AttemptRecord.Kind
        let bodyLength: Int64
    }

    let queue: any DeliveryQueue
    let transport: any Transport
    let media: any MediaSource
    let evidence: any EvidenceSink
    let deciders: [DestinationName: DeliveryDecider]
    let clock: SyncClock
    let observe: (SyncEvent) -> Void
    let authority: any RequestAuthority
    let options: SyncOptions
    private let stop: () -> StopRequest

    var random: any RandomNumberGenerator
    var flights: [DeliveryID: Flight] = [:]
    var report = SyncReport()
    var retrying: Set<DeliveryID> = []
    /// When to ask for the outcome of what was accepted in this run.
    var polls: [DeliveryID: Int64] = [:]
    /// Destinations left alone for now, by this run only.
    var restUntil: [DestinationName: Int64] = [:]
    var connectionFailures: [DestinationName: Int] = [:]
    var needsNewConnection: Set<DeliveryID> = []
    var claimed = 0
    /// Wall-clock time at which the queue was asked last.
    var askedAt = Int64.min
    /// Settled since the queue was last asked: another delivery may be due because of it.
    var hasNews = true
    private var ended: [TransferResult] = []
    private var lastAskedAt: Int64 = 0
    /// On the steady clock.
    private var endsAt: Int64?
    private var isAborting = false

    package init(
        queue: any DeliveryQueue, transport: any Transport, media: any MediaSource, evidence: any EvidenceSink,
        destinations: [Destination], authority: any RequestAuthority = FixedAuthority(), options: SyncOptions = SyncOptions(),
        clock: SyncClock, random: any RandomNumberGenerator, stop: @escaping () -> StopRequest = { .none },
        observe: @escaping (SyncEvent) -> Void = { _ in }
    ) {
        self.queue = queue
        self.transport = transport
        self.media = media
        self.evidence = evidence
        deciders = Dictionary(destinations.map { ($0.name, DeliveryDecider($0)) }) { $1 }
        self.authority = authority
        self.options = options
        self.clock = clock
        self.random = random
        self.stop = stop
        self.observe = observe
    }

    /// - Throws: what the queue, the transport or the evidence sink threw. Requests under way were aborted; their claims are
    ///   taken over by the next run.
    package func run() throws(DeliveryFault) -> SyncReport {
        do {
            while case .wait(let milliseconds) = try turn() { ended += try transport.wait(milliseconds: milliseconds) }
        } catch {
            cancelAll()
            throw error
        }
        return try finalReport()
    }

    /// What a run wants next: `run` does it with a real transport, a simulator in its own time.
    package enum Turn: Hashable, Sendable {
        /// Wait for the transport, but no longer.
        case wait(milliseconds: Int)
        case over
    }

    /// Hands the run what the transport said.
    package func receive(_ results: [TransferResult]) { ended += results }

    /// Settles what ended, then claims and begins what is due. Never waits.
    package func turn() throws(DeliveryFault) -> Turn {
        let results = ended
        ended.removeAll()
        if !results.isEmpty { try settle(results) }
        if isAborting { return flights.isEmpty || results.isEmpty ? .over : .wait(milliseconds: 0) }
        let steady = clock.steadyMilliseconds()
        if endsAt == nil, let limit = options.deadlineMilliseconds { endsAt = steady + limit }
        let request = stop()
        if request == .abort || endsAt.map({ steady >= $0 }) ?? false {
            isAborting = true
            cancelAll()
            return flights.isEmpty ? .over : .wait(milliseconds: 0)
        }
        let mayClaim = request == .none && options.limit.map { claimed < $0 } ?? true
        if mayClaim, hasNews || steady >= lastAskedAt + 500 {
            hasNews = false
            lastAskedAt = steady
            try claimDue()
        }
        var pause: Int64 = 100
        if flights.isEmpty {
            guard mayClaim, let due = try nextDue() else { return .over }
            let now = clock.nowMilliseconds()
            if due <= now { hasNews = true }
            pause = min(pause, max(1, due - now))
        }
        if let endsAt { pause = min(pause, max(1, endsAt - steady)) }
        return .wait(milliseconds: Int(pause))
    }

    private func cancelAll() {
        // in an order of its own, so that a run can be repeated
        for token in flights.keys.sorted(by: { $0.uuid < $1.uuid }) { transport.cancel(token) }
    }

    /// What an idle run still waits for: an outcome that was promised, or, when it found nothing to do at all, a delivery
    /// that is nearly due.
    private func nextDue() throws(DeliveryFault) -> Int64? {
        let horizon = clock.nowMilliseconds() + options.patienceMilliseconds
        // what was due when the queue was asked last and was not handed out is held back for another reason than time
        if let poll = polls.values.filter({ $0 > askedAt }).min() { return poll <= horizon ? poll : nil }
        guard claimed == 0, let due = try queue.backlog().nextDueAtMilliseconds, due > askedAt, due <= horizon else {
            return nil
        }
        for decider in deciders.values {
            let state = try queue.state(of: decider.destination.name)
            let fingerprint = authority.fingerprint(of: decider.destination)
            if decider.quota(state, underWay: 0, fingerprint: fingerprint, nowMilliseconds: horizon) > 0 { return due }
        }
        return nil
    }

    /// What was done and what is left, once the run is over.
    package func finalReport() throws(DeliveryFault) -> SyncReport {
        let backlog = try queue.backlog()
        report.retrying = retrying.count
        report.left = backlog.waiting
        report.oldestConfirmedAtMilliseconds = backlog.oldestConfirmedAtMilliseconds
        for decider in deciders.values {
            let state = try queue.state(of: decider.destination.name)
            if let pause = state.pause, !decider.isLifted(pause, fingerprint: authority.fingerprint(of: decider.destination)) {
                report.paused.append(decider.destination.name)
            }
        }
        report.paused.sort()
        report.verdict =
            backlog.waiting == 0
            ? .drained : !deciders.isEmpty && report.paused.count == deciders.count ? .everyDestinationPaused : .workLeft
        return report
    }
}
