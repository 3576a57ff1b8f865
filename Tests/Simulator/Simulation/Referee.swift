import DeliveryMachine
import SessionDomain
import Sync

/// Watches over what was promised, with what really happened at hand: it counts for itself and believes nobody.
final class Referee {
    /// Within this time after the faults stop, every backlog is empty.
    static let healingBound: Int64 = 6 * 3_600_000
    static let stepLimit = 2_000_000

    /// What really happened to one delivery.
    struct Record {
        var key: DeliveryID?
        var body: [UInt8]?
        /// Claims since it was last settled or given back, and whose the last one is.
        var claims = 0
        var holder: Int?
        /// When a worker last learned that it is wanted: with its claim, or when it looked.
        var seenAt: Int64 = 0
        /// Requests that reached the endpoint or may have, and were settled as such while nothing was paused, since the last
        /// requeue.
        var spent = 0
        /// The first byte that left, on the clock that the worker is given.
        var firstSentAt: Int64?
        /// The endpoint asked to be left alone until then, on the clock that never steps, when the other one had stepped so often.
        var notBefore: Int64 = 0
        var steps = 0
        /// When the client was told how its last request ended, on the same clock.
        var heardAt: Int64 = 0
        var wasHandedOver = false
        /// A request's answer was lost, and there is somebody to ask what became of it.
        var mustAsk = false
    }

    /// The longest that a delivery took whose media was sound, from its confirmation to its end.
    private(set) var longestDelivery: Int64 = 0
    private let plan: Plan
    private var records: [DeliveryID: Record] = [:]
    private var keys: [Server.Subject: DeliveryID] = [:]
    /// By destination: left alone until then, because it throttles, and how often the clock had stepped when it said so.
    private var throttled: [(until: Int64, steps: Int)]
    private var probesUnderWay: [Set<DeliveryID>]

    init(_ plan: Plan) {
        self.plan = plan
        throttled = plan.servers.map { _ in (.min, 0) }
        probesUnderWay = plan.servers.map { _ in [] }
    }

    // MARK: requests

    func noteClaims(_ claims: [ClaimedDelivery], _ process: WorkerProcess, _ world: World) {
        if process.stopRequest != .none, !process.isBehind, let claim = claims.first {
            world.breaks("\(world.short(claim.id)) was claimed after SIGTERM")
        }
        process.claims += claims.count
        if let limit = plan.workers[process.worker].limit, process.claims > limit {
            world.breaks("a run claimed \(process.claims) deliveries, and \(limit) were allowed")
        }
        for claim in claims {
            if let other = records[claim.id]?.holder, world.processes.holdsLock(other) {
                world.breaks("\(world.short(claim.id)) was taken from w\(other), which lives")
            }
            records[claim.id, default: Record()].claims += 1
            records[claim.id]?.holder = process.number
            records[claim.id]?.seenAt = world.clock.elapsed
        }
    }

    func noteReleased(_ claims: [ClaimedDelivery], _ process: WorkerProcess) {
        process.claims -= claims.count
        for claim in claims where records[claim.id]?.holder == process.number {
            records[claim.id]?.claims -= 1
            records[claim.id]?.holder = nil
        }
    }

    func noteLooked(_ claims: [ClaimedDelivery], _ now: Int64) {
        for claim in claims { records[claim.id]?.seenAt = now }
    }

    func checkSend(_ request: TransferRequest, _ flight: Flight, _ process: WorkerProcess, _ world: World) {
        let name = world.short(request.token)
        guard let number = world.ledger.number(of: request.token) else {
            return world.breaks("\(name) was sent, which is no delivery")
        }
        let delivery = world.ledger.deliveries[number]
        let isStale = process.isBehind || !process.holdsLock
        if !flight.isQuestion { checkBody(request, flight, delivery, world) }
        if request.headers.last(named: "traceparent") == nil { world.breaks("\(name) has no traceparent") }
        checkProcess(request, process, world)
        if isStale { return }
        // what follows can only be expected of a worker that is not behind the times
        // what a run claimed ahead may be withdrawn a moment before its turn comes: `docs/simulation.md`
        let age = world.clock.elapsed - (records[request.token]?.seenAt ?? 0)
        if delivery.status != .waiting, age == 0 || age > 100 {
            world.breaks("\(name) was sent though it is \(delivery.status)")
        }
        if delivery.isStrict,
            world.ledger.sessions[delivery.session].deliveries.contains(where: {
                world.ledger.deliveries[$0].status == .waiting && world.ledger.deliveries[$0].ordinal < delivery.ordinal
            })
        {
            world.breaks("\(name) was sent before an earlier piece of its session was through")
        }
        let record = records[request.token]
        if let record, record.steps == world.clock.steps, world.clock.elapsed < record.notBefore {
            world.breaks("\(name) was sent \(record.notBefore - world.clock.elapsed) ms before its Retry-After was over")
        }
        if let record, record.mustAsk, !flight.isQuestion {
            world.breaks("\(name) was sent again, though its endpoint could have been asked what became of it")
        }
        checkRest(request, delivery, world)
    }

    /// What a process owes whatever the others do.
    private func checkProcess(_ request: TransferRequest, _ process: WorkerProcess, _ world: World) {
        let server = world.servers.firstIndex { $0.isAt(request.url) }
        let underWay = process.flights.values.count { world.flights[$0].server == server }
        if let server, underWay >= plan.servers[server].inFlightLimit {
            world.breaks("\(world.short(request.token)) is one request more than its destination allows")
        }
    }

    /// Whether its destination may be asked at all now.
    private func checkRest(_ request: TransferRequest, _ delivery: ModelLedger.Delivery, _ world: World) {
        let name = world.short(request.token)
        let server = Names.server(delivery.destination)
        // workers side by side may judge two answers at once, and the shorter wait may be the one that stays
        if plan.isExclusive, throttled[server].steps == world.clock.steps, world.clock.elapsed < throttled[server].until {
            world.breaks(
                "\(delivery.destination.text) got \(name) \(throttled[server].until - world.clock.elapsed) ms before its Retry-After was over"
            )
        }
        let state = world.ledger.state(of: delivery.destination)
        let isLifted =
            state.pause?.reason == .unauthorized
            && state.pause?.credentialFingerprint != world.destinations[server].credentialFingerprint
        if let pause = state.pause, !isLifted {
            // a probe further ahead than any wait was planned by a clock that has gone back since
            guard let probe = pause.probeAtMilliseconds,
                probe <= world.clock.corrected || probe - world.clock.corrected > plan.retry.longestWaitMilliseconds
            else {
                return world.breaks(
                    "\(name) was sent to \(delivery.destination.text), which is paused (\(pause.reason.rawValue))")
            }
            if plan.isExclusive, !probesUnderWay[server].isEmpty {
                world.breaks("\(name) probes the paused \(delivery.destination.text) beside another")
            }
            probesUnderWay[server].insert(request.token)
        }
    }

    private func checkBody(
        _ request: TransferRequest, _ flight: Flight, _ delivery: ModelLedger.Delivery, _ world: World
    ) {
        let name = world.short(request.token)
        guard let text = request.headers.last(named: "idempotency-key"), let key = DeliveryID(text) else {
            return world.breaks("\(name) has no key")
        }
        var record = records[request.token, default: Record()]
        defer { records[request.token] = record }
        if let known = record.key, known != key { world.breaks("\(name) has a second key") }
        record.key = key
        if Int64(flight.body.count) == request.body?.contentLength {
            if let known = record.body, known != flight.body { world.breaks("\(name) has a second body") }
            record.body = flight.body
            if let subject = world.subject(of: flight.body) {
                if let known = keys[subject], known != key { world.breaks("\(name) has a second key for one capture") }
                keys[subject] = key
            } else {
                world.breaks("\(name) does not say what it is")
            }
        }
        let isVideoOnce = plan.destroysVideo && delivery.destination.text == "hologram"
        if isVideoOnce, record.wasHandedOver { world.breaks("\(name) was sent though its video no longer exists") }
    }

    /// Counted at the endpoint, by what the body says.
    func checkEffect(_ count: Int, _ subject: Server.Subject, _ world: World) {
        if count > 1 { world.breaks("d\(Names.number(CaptureID(subject.capture)!)) had \(count) effects") }
    }

    // MARK: settlements

    func noteSettled(
        _ ending: ClaimEnding, stateBefore: DestinationState, _ before: ModelLedger.Delivery, _ world: World
    ) {
        let claim = ending.claim
        let settlement = ending.settlement
        let name = world.short(claim.id)
        var record = records[claim.id, default: Record()]
        defer { records[claim.id] = record }
        let server = Names.server(claim.destination)
        probesUnderWay[server].remove(claim.id)
        record.notBefore = 0
        if let attempt = settlement.attempt {
            if let asked = attempt.retryAfterMilliseconds, attempt.certainty == .answered {
                record.notBefore = record.heardAt + asked
                record.steps = world.clock.steps
                if attempt.status == 429 || attempt.status == 503 {
                    // what was heard before a step of the clock is not expected any more
                    let before = throttled[server].steps == world.clock.steps ? throttled[server].until : .min
                    throttled[server] = (max(before, record.heardAt + asked), world.clock.steps)
                }
            }
            let canAsk = plan.servers[server].hasStatusTemplate
            record.mustAsk = canAsk && attempt.certainty == .unknown && (attempt.kind == .send || record.mustAsk)
            if attempt.kind == .send, attempt.certainty == .answered || attempt.bytesSent > 0 {
                record.firstSentAt = record.firstSentAt ?? attempt.startedAtMilliseconds
            }
            if attempt.certainty != .notSent, stateBefore.pause == nil, settlement.work.attempts > before.work.attempts {
                record.spent += 1
                // after a requeue the age begins with whatever is tried first, also a question about what was sent before
                record.firstSentAt = record.firstSentAt ?? attempt.startedAtMilliseconds
            }
        }
        if settlement.outcome != nil {
            if before.status == .verified || before.status == .rejected { world.breaks("\(name) was decided twice") }
        }
        if case .waiting = settlement.state {
        } else if world.originals[claim.capture].map({ !$0.isPoisoned && !$0.isDamaged }) == true {
            longestDelivery = max(longestDelivery, world.clock.corrected - before.confirmedAt)
        }
        checkParking(settlement, claim, record, world)
        checkDestruction(settlement, claim, world)
        record.claims = 0
        record.holder = nil
    }

    private func checkParking(_ settlement: Settlement, _ claim: ClaimedDelivery, _ record: Record, _ world: World) {
        let name = world.short(claim.id)
        let policy = plan.retry
        if settlement.work.attempts > policy.attemptLimit, settlement.outcome == nil {
            world.breaks("\(name) was tried \(settlement.work.attempts) times")
        }
        guard case .parked(let cause) = settlement.state else { return }
        world.coverage.note(.parked)
        switch cause {
        case .quarantined:
            world.coverage.note(.quarantined)
            if record.claims <= policy.claimLimit {
                world.breaks("\(name) was quarantined at claim \(record.claims) without an outcome")
            }
        case .failedPermanently:
            let isOld = record.firstSentAt.map { world.clock.corrected - $0 > policy.ageLimitMilliseconds } ?? false
            if record.spent + 1 < policy.attemptLimit, !isOld {
                world.breaks("\(name) was given up after \(record.spent) attempts and before its age was over")
            }
        case .mediaDestroyed:
            world.coverage.note(.videoDestroyed)
            if !plan.destroysVideo { world.breaks("\(name)'s video was destroyed, which nobody asked for") }
        default: break
        }
    }

    private func checkDestruction(_ settlement: Settlement, _ claim: ClaimedDelivery, _ world: World) {
        guard settlement.destroysMedia else { return }
        let name = world.short(claim.id)
        if claim.destination.text != "hologram" { world.breaks("\(name)'s picture was destroyed") }
        switch settlement.state {
        case .delivered: break
        case .parked(let cause):
            if cause == .mediaUnreadable { world.breaks("\(name)'s video was destroyed by a fault of ours") }
        case .waiting: if !plan.destroysVideo { world.breaks("\(name)'s video was destroyed before it was delivered") }
        }
    }

    func noteHeard(_ delivery: DeliveryID, _ world: World) {
        records[delivery, default: Record()].heardAt = world.clock.elapsed
    }

    func noteHandedOver(_ delivery: DeliveryID) { records[delivery, default: Record()].wasHandedOver = true }

    func noteRequeue(_ delivery: DeliveryID) {
        records[delivery, default: Record()].spent = 0
        records[delivery, default: Record()].firstSentAt = nil
        records[delivery, default: Record()].notBefore = 0
    }

    func noteResume(_ server: Int) { probesUnderWay[server].removeAll() }

    // MARK: ends

    /// A worker that lost its lock is as good as dead for its claims.
    func noteDeath(of process: WorkerProcess, _ world: World) {
        guard process.holdsLock else { return }
        for delivery in world.ledger.deliveries where delivery.holder == process.number {
            probesUnderWay[Names.server(delivery.destination)].remove(delivery.id)
        }
    }

    func checkEnd(of process: WorkerProcess, _ report: SyncReport, _ world: World) {
        if let end = process.endsAt, world.clock.elapsed > end, !process.wasDelayed {
            world.breaks("a run ended \(world.clock.elapsed - end) ms after its deadline")
        }
        if process.holdsLock,
            let left = world.ledger.deliveries.first(where: { $0.holder == process.number && $0.status == .waiting })
        {
            world.breaks("a run ended and kept \(world.short(left.id))")
        }
        let waiting = world.ledger.open.count
        if report.left != waiting { world.breaks("a run says that \(report.left) are left, and \(waiting) are") }
        if (report.verdict == .drained) != (waiting == 0) { world.breaks("a run says \(report.verdict) with \(waiting) left") }
    }

    func checkEnd(_ world: World) {
        for delivery in world.ledger.deliveries {
            let name = world.short(delivery.id)
            if delivery.status == .waiting, !delivery.isBlocked {
                return world.breaks("\(name) is not through \(Self.healingBound / 3_600_000) hours after the faults stopped")
            }
            if delivery.holder != nil, delivery.status == .waiting { return world.breaks("\(name) is still claimed") }
        }
    }
}
