package import DeliveryMachine
import SessionDomain

/// The worker around the machine: claims, sends, settles, until nothing is due or it is told to stop.
///
/// One thread, its caller's, decides all of it; requests run side by side in the transport, and what waits for the disk can be
/// done aside. A run that dies leaves claims that the next one takes over at once; nothing is sent twice with another key or
/// other bytes.
package final class SyncRun {
    struct Flight {
        let claim: ClaimedDelivery
        let kind: AttemptRecord.Kind
        let bodyLength: Int64
        /// Of the credential that it carries.
        let fingerprint: String?
        let credentialEdition: Int
    }

    let queue: any DeliveryQueue
    let transport: any Transport
    let media: any MediaSource
    let evidence: any EvidenceSink
    let clock: SyncClock
    let observe: (SyncEvent) -> Void
    let authority: any RequestAuthority
    let options: SyncOptions
    let aside: (any Aside)?
    private let stop: () -> StopRequest
    private let news: () -> Bool

    var random: any RandomNumberGenerator
    var lanes: [DestinationName: Lane]
    /// In the order in which destinations take their turns.
    let names: [DestinationName]
    var flights: [DeliveryID: Flight] = [:]
    /// Judged, and not settled yet: what ends together is settled together.
    var unsettled: [Unsettled] = []
    /// On the steady clock, of the oldest of those.
    var unsettledSince: Int64 = 0
    /// How many are on their way to the queue.
    var settling = 0
    var report = SyncReport()
    var retrying: Set<DeliveryID> = []
    /// When to ask for the outcome of what was accepted in this run.
    var polls: [DeliveryID: Int64] = [:]
    var needsNewConnection: Set<DeliveryID> = []
    /// Repeated at once in this run because their credential was renewed: each once.
    var repeated: Set<DeliveryID> = []
    var claimed = 0
    /// Wall-clock time at which the queue was asked last.
    var askedAt = Int64.min
    /// When what is prepared was last known to be wanted, on the steady clock.
    var lookedAt: Int64 = 0
    /// On the steady clock.
    var lastAskedAt: Int64 = 0
    /// Settled since the queue was last asked: another delivery may be due because of it.
    var hasNews = true
    private var ended: [TransferResult] = []
    private var endsAt: Int64?
    private(set) var isAborting = false
    /// What went wrong while a step was done aside: it ends the next turn.
    var faultMeanwhile: DeliveryFault?

    /// - Parameters:
    ///   - aside: where steps that wait for the disk are done; nil: here. The queue, the evidence sink and the media source are
    ///     then used by two threads, though never by two for the same delivery.
    ///   - news: says once, when it is true, that something became due since it was asked last.
    package init(
        queue: any DeliveryQueue, transport: any Transport, media: any MediaSource, evidence: any EvidenceSink,
        destinations: [Destination], authority: any RequestAuthority = FixedAuthority(), options: SyncOptions = SyncOptions(),
        clock: SyncClock, random: any RandomNumberGenerator, aside: (any Aside)? = nil,
        stop: @escaping () -> StopRequest = { .none },
        news: @escaping () -> Bool = { false }, observe: @escaping (SyncEvent) -> Void = { _ in }
    ) {
        self.queue = queue
        self.transport = transport
        self.media = media
        self.evidence = evidence
        lanes = Dictionary(destinations.map { ($0.name, Lane(DeliveryDecider($0))) }) { $1 }
        names = lanes.keys.sorted()
        self.authority = authority
        self.options = options
        self.clock = clock
        self.random = random
        self.aside = aside
        self.stop = stop
        self.news = news
        self.observe = observe
    }

    /// - Throws: what the queue, the transport or the evidence sink threw. Requests under way were aborted; their claims are
    ///   taken over by the next run.
    package func run() throws(DeliveryFault) -> SyncReport {
        do {
            while case .wait(let milliseconds) = try turn() { ended += try transport.wait(milliseconds: milliseconds) }
        } catch {
            isAborting = true
            cancelAll()
            // what ended before is still true
            try? settleAll()
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

    /// Judges what ended, begins what is prepared, and settles and claims when it is time to. Never waits.
    package func turn() throws(DeliveryFault) -> Turn {
        if let faultMeanwhile { throw faultMeanwhile }
        let results = ended
        ended.removeAll()
        judge(results)
        if isAborting {
            try settleAll()
            return flights.isEmpty || results.isEmpty ? .over : .wait(milliseconds: 0)
        }
        let steady = clock.steadyMilliseconds()
        if endsAt == nil, let limit = options.deadlineMilliseconds { endsAt = steady + limit }
        let request = stop()
        if request == .abort || endsAt.map({ steady >= $0 }) ?? false {
            isAborting = true
            cancelAll()
            try settleAll()
            try releasePrepared { _ in true }
            return flights.isEmpty ? .over : .wait(milliseconds: 0)
        }
        if steady >= lastAskedAt + Self.newsWithin, news() { hasNews = true }
        if request == .finish { try releasePrepared { _ in true } }
        try begin()
        let mayClaim = request == .none && options.limit.map { claimed < $0 } ?? true
        try settleAndClaim(mayClaim: mayClaim, steady)
        return try rest(mayClaim: mayClaim, steady)
    }

    /// Nobody asked the run to end, and there is time.
    var mayBegin: Bool { stop() == .none && endsAt.map { clock.steadyMilliseconds() < $0 } ?? true }

    private func rest(mayClaim: Bool, _ steady: Int64) throws(DeliveryFault) -> Turn {
        var pause: Int64 = 100
        if !unsettled.isEmpty { pause = min(pause, max(1, unsettledSince + Self.settlesWithin - steady)) }
        if let token = nextToken() { pause = min(pause, token) }
        if flights.isEmpty, !lanes.values.contains(where: { !$0.prepared.isEmpty }) {
            if !unsettled.isEmpty { return .wait(milliseconds: 0) }
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
}
