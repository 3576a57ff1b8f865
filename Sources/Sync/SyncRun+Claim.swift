import DeliveryMachine
import SessionDomain

extension SyncRun {
    /// How long something that was judged may wait for others to be settled with it, and how much of it.
    static let settlesWithin: Int64 = 50
    private static let settlesTogether = 64
    /// The queue is not asked more often than that because of news.
    static let newsWithin: Int64 = 20
    /// How old the knowledge may be, in milliseconds, that a delivery which begins is still wanted.
    static let looksWithin: Int64 = 100
    private static let settlesBytes = 4 << 20

    /// Settles in batches, and claims when a destination runs low.
    func settleAndClaim(mayClaim: Bool, _ steady: Int64) throws(DeliveryFault) {
        var asksAgain = true
        while asksAgain {
            asksAgain = false
            let isHungry = mayClaim && isHungry(steady)
            if isHungry || mustSettle(steady) { try settleAll() }
            guard isHungry else { return }
            // the first claim of a run is a careful one, and the next asks for more
            asksAgain = try claimDue(steady)
            try begin()
        }
    }

    private func mustSettle(_ steady: Int64) -> Bool {
        guard !unsettled.isEmpty else { return false }
        return unsettled.count >= Self.settlesTogether || steady >= unsettledSince + Self.settlesWithin
            || !lanes.values.contains { $0.underWay > 0 || !$0.prepared.isEmpty }
            || unsettled.reduce(0) { $0 + ($1.answer?.body.count ?? 0) } >= Self.settlesBytes
            || unsettled.contains { $0.settlement.destinationChanges.contains(where: \.isUrgent) }
    }

    /// A destination has room that nothing claimed will fill, and the queue may have something.
    private func isHungry(_ steady: Int64) -> Bool {
        if !hasNews, unsettled.isEmpty, steady < lastAskedAt + 500, !lanes.values.contains(where: \.mayHaveMore) {
            return false
        }
        let now = clock.nowMilliseconds()
        return steady >= lastAskedAt + 500
            || lanes.values.contains { lane in
                let isNew = hasNews || !unsettled.isEmpty || lane.mayHaveMore
                return isNew && lane.runsLow && lane.wanted(nowMilliseconds: now) > 0
            }
    }

    /// Claims what is due within every destination's quota.
    ///
    /// - Returns: whether to ask again at once.
    private func claimDue(_ steady: Int64) throws(DeliveryFault) -> Bool {
        let now = clock.nowMilliseconds()
        hasNews = false
        askedAt = now
        lastAskedAt = steady
        var mustSettleFirst = false
        let quotas = try quotas(now, &mustSettleFirst)
        guard !quotas.isEmpty else { return mustSettleFirst }
        var claims = try claim(quotas, now)
        var counts: [DestinationName: Int] = [:]
        for claim in claims { counts[claim.destination, default: 0] += 1 }
        for quota in quotas { lanes[quota.destination]?.mayHaveMore = counts[quota.destination] == quota.limit }
        let given = try giveSuspectsBack(&claims, counts)
        try prepare(claims, now)
        return given || mustSettleFirst || quotas.contains { lanes[$0.destination]?.mayHaveMore == true && $0.limit == 1 }
    }

    /// Under a limit the destinations are asked in turn: one that has nothing takes nothing from another.
    private func claim(_ quotas: [ClaimQuota], _ now: Int64) throws(DeliveryFault) -> [ClaimedDelivery] {
        let queue = queue
        let fixing = fixing(now)
        guard let limit = options.limit else {
            return try beside { () throws(DeliveryFault) in
                try queue.claim(quotas, nowMilliseconds: now, fixing: fixing)
            }
        }
        var claims: [ClaimedDelivery] = []
        for var quota in quotas where claims.count < limit - claimed {
            quota.limit = min(quota.limit, limit - claimed - claims.count)
            let asked = quota
            claims += try beside { () throws(DeliveryFault) in
                try queue.claim([asked], nowMilliseconds: now, fixing: fixing)
            }
        }
        return claims
    }

    /// What fixes the bytes of first sends together with their claim.
    private func fixing(_ now: Int64) -> @Sendable (ClaimedDelivery) -> FrozenBody? {
        let deciders = lanes.mapValues(\.decider)
        return { claim in
            guard case .send(let body, isFirst: true)? = deciders[claim.destination]?.begin(claim, nowMilliseconds: now)
            else { return nil }
            return body
        }
    }

    /// - Parameter mustSettleFirst: set when what would open a destination is judged and not stored yet: what is on record
    ///   counts until it is, and a person may have paused it meanwhile.
    private func quotas(_ now: Int64, _ mustSettleFirst: inout Bool) throws(DeliveryFault) -> [ClaimQuota] {
        let left = options.limit.map { $0 - claimed } ?? Int.max
        var quotas: [ClaimQuota] = []
        for name in names {
            guard let lane = lanes[name] else { continue }
            lane.state = try queue.state(of: name)
            // what was judged while others were settled is not stored yet
            let own = unsettled.filter { $0.claim.destination == name }
            let changes = own.flatMap(\.settlement.destinationChanges)
            for change in changes { lane.state.apply(change) }
            if changes.contains(where: \.opens) {
                lane.mayHaveMore = true
                mustSettleFirst = true
                continue
            }
            lane.mayHaveMore = false
            let destination = lane.decider.destination
            let fingerprint = authority.fingerprint(of: destination)
            lane.fingerprint = fingerprint
            if let pause = lane.state.pause, lane.decider.isLifted(pause, fingerprint: fingerprint) {
                if lane.isCredentialRefused {
                    lane.fingerprint = pause.credentialFingerprint
                    continue
                }
                try queue.apply([.resume], to: name)
                lane.state.pause = nil
                observe(.changed(name, .resume))
            }
            let limit = min(left, lane.wanted(nowMilliseconds: now))
            guard limit > 0 else { continue }
            quotas.append(
                ClaimQuota(
                    destination: name, limit: limit,
                    total: lane.total(fingerprint: fingerprint, nowMilliseconds: now) + own.count,
                    longestWaitMilliseconds: destination.retry.longestWaitMilliseconds))
        }
        return quotas
    }

    /// What a dead worker held is worked on alone: when it came with others, or while others are under way, it goes back.
    private func giveSuspectsBack(
        _ claims: inout [ClaimedDelivery], _ counts: [DestinationName: Int]
    ) throws(DeliveryFault) -> Bool {
        var back: [ClaimedDelivery] = []
        var kept: [ClaimedDelivery] = []
        for claim in claims {
            let isAlone =
                counts[claim.destination] == 1 && lanes[claim.destination]?.underWay == 0
                && lanes[claim.destination]?.prepared.isEmpty == true
            let isSuspect = claim.claims > 1
            lanes[claim.destination]?.isCareful = isSuspect
            if isSuspect, !isAlone { back.append(claim) } else { kept.append(claim) }
        }
        guard !back.isEmpty else { return false }
        for claim in back {
            lanes[claim.destination]?.isCareful = true
            lanes[claim.destination]?.mayHaveMore = true
        }
        try queue.release(back)
        claims = kept
        return true
    }

    /// Decides every claim's next step; what needs no request is settled.
    private func prepare(_ claims: [ClaimedDelivery], _ now: Int64) throws(DeliveryFault) {
        for claim in claims {
            guard let lane = lanes[claim.destination] else {
                try queue.release([claim])
                continue
            }
            // an earlier claim was lost; until its request ends, the same bytes are not sent beside it
            if flights[claim.id] != nil {
                try queue.release([claim])
                lane.mayHaveMore = false
                continue
            }
            // claimed before, and lost: what was prepared then is out of date
            if claim.fence > 1 { lane.prepared.removeAll { $0.claim.id == claim.id } }
            claimed += 1
            polls[claim.id] = nil
            let decider = lane.decider
            switch decider.begin(claim, nowMilliseconds: now) {
            case .settle(let settlement): note(claim, settlement)
            case .ask(let url): lane.prepared.append(Lane.Prepared(claim: claim, url: url, body: nil))
            case .send(let frozen, isFirst: false):
                lane.prepared.append(Lane.Prepared(claim: claim, url: decider.destination.url, body: frozen))
            case .send(_, isFirst: true): preconditionFailure("the queue fixes what it hands out")
            }
        }
    }

    /// Gives back what was claimed and will not be begun.
    func releasePrepared(_ isOver: (Lane) -> Bool) throws(DeliveryFault) {
        var back: [ClaimedDelivery] = []
        for name in names {
            guard let lane = lanes[name], !lane.prepared.isEmpty, isOver(lane) else { continue }
            back += lane.prepared.map(\.claim)
            lanes[name]?.prepared = []
        }
        guard !back.isEmpty else { return }
        claimed -= back.count
        try queue.release(back)
    }
}

extension DestinationChange {
    /// Other workers, and a person who looks, should know at once.
    fileprivate var isUrgent: Bool {
        switch self {
        case .pause, .resume, .breaker: true
        case .contractBreakWitness, .failuresInARow, .lastDeliveredAt: false
        }
    }

    /// More may be sent because of it.
    fileprivate var opens: Bool {
        switch self {
        case .resume, .breaker(nil): true
        case .pause, .breaker, .contractBreakWitness, .failuresInARow, .lastDeliveredAt: false
        }
    }
}
