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

    package init(
        queue: any DeliveryQueue, transport: any Transport, media: any MediaSource, evidence: any EvidenceSink,
        destinations: [Destination], clock: SyncClock, random: any RandomNumberGenerator,
        stop: @escaping () -> StopRequest = { .none }, observe: @escaping (SyncEvent) -> Void = { _ in }
    ) {
        self.queue = queue
        self.transport = transport
        self.media = media
        self.evidence = evidence
        deciders = Dictionary(destinations.map { ($0.name, DeliveryDecider($0)) }) { $1 }
        self.clock = clock
        self.random = random
        self.stop = stop
        self.observe = observe
    }

    /// - Throws: what the queue, the transport or the evidence sink threw. Requests under way were aborted; their claims are
    ///   taken over by the next run.
    package func run(_ options: SyncOptions = SyncOptions()) throws(DeliveryFault) -> SyncReport {
        do {
            try work(options)
        } catch {
            for token in flights.keys { transport.cancel(token) }
            throw error
        }
        return try finalReport()
    }

    private func work(_ options: SyncOptions) throws(DeliveryFault) {
        let deadline = options.deadlineMilliseconds.map { clock.steadyMilliseconds() + $0 }
        var lastAsked = Int64.min
        while true {
            let steady = clock.steadyMilliseconds()
            let isOver = deadline.map { steady >= $0 } ?? false
            let request = stop()
            if isOver || request == .abort { return try abortAll() }
            let mayClaim = request == .none && options.limit.map { claimed < $0 } ?? true
            if mayClaim, hasNews || steady - lastAsked >= 500 {
                hasNews = false
                lastAsked = steady
                try claimDue(options)
            }
            var pause: Int64 = 100
            if flights.isEmpty {
                guard mayClaim, let due = try nextDue(options) else { return }
                let now = clock.nowMilliseconds()
                if due <= now { hasNews = true }
                pause = min(pause, max(1, due - now))
            }
            if let deadline { pause = min(pause, max(1, deadline - steady)) }
            for result in try transport.wait(milliseconds: Int(pause)) { try settle(result, options) }
        }
    }

    /// What an idle run still waits for: an outcome that was promised, or, when it found nothing to do at all, a delivery
    /// that is nearly due.
    private func nextDue(_ options: SyncOptions) throws(DeliveryFault) -> Int64? {
        let horizon = clock.nowMilliseconds() + options.patienceMilliseconds
        // what was due when the queue was asked last and was not handed out is held back for another reason than time
        if let poll = polls.values.filter({ $0 > askedAt }).min() { return poll <= horizon ? poll : nil }
        guard claimed == 0, let due = try queue.backlog().nextDueAtMilliseconds, due > askedAt, due <= horizon else {
            return nil
        }
        for decider in deciders.values {
            let state = try queue.state(of: decider.destination.name)
            if decider.quota(state, underWay: 0, nowMilliseconds: horizon) > 0 { return due }
        }
        return nil
    }

    private func abortAll() throws(DeliveryFault) {
        for token in flights.keys { transport.cancel(token) }
        while !flights.isEmpty {
            let results = try transport.wait(milliseconds: 0)
            if results.isEmpty { return }
            for result in results { try settle(result, SyncOptions()) }
        }
    }

    private func finalReport() throws(DeliveryFault) -> SyncReport {
        let backlog = try queue.backlog()
        report.retrying = retrying.count
        report.left = backlog.waiting
        report.oldestConfirmedAtMilliseconds = backlog.oldestConfirmedAtMilliseconds
        for decider in deciders.values {
            let state = try queue.state(of: decider.destination.name)
            if let pause = state.pause, !decider.isLifted(pause) { report.paused.append(decider.destination.name) }
        }
        report.paused.sort()
        report.verdict =
            backlog.waiting == 0
            ? .drained : !deciders.isEmpty && report.paused.count == deciders.count ? .everyDestinationPaused : .workLeft
        return report
    }
}
