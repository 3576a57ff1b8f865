import DeliveryMachine
import SessionDomain

extension SyncRun {
    /// An ended request: its answer is kept, judged and settled.
    func settle(_ result: TransferResult, _ options: SyncOptions) throws(DeliveryFault) {
        guard let flight = flights.removeValue(forKey: result.token), let decider = deciders[flight.claim.destination] else {
            return
        }
        let claim = flight.claim
        let now = clock.nowMilliseconds()
        var ended = EndedRequest(kind: flight.kind, result: result, bodyLength: flight.bodyLength, evidence: nil)
        if ended.certainty == .answered {
            do {
                ended.evidence = try evidence.archive(result, for: claim)
            } catch {
                // an erased session has no key to seal with; a full disk refuses the settlement too, which ends the run
                return try settle(claim, decider.settlementWithoutEvidence(of: claim, nowMilliseconds: now))
            }
        }
        let state = try queue.state(of: claim.destination)
        let settlement = decider.judge(ended, of: claim, state: state, nowMilliseconds: now, using: &random)
        rest(claim, ended, settlement, now, options)
        try settle(claim, settlement)
    }

    func settle(_ claim: ClaimedDelivery, _ settlement: Settlement) throws(DeliveryFault) {
        hasNews = true
        do {
            try queue.settle(claim, settlement)
        } catch  where error.code == .staleFence {
            return observe(.lostClaim(claim))
        }
        count(claim, settlement)
        observe(.settled(claim, settlement))
        for change in settlement.destinationChanges { observe(.changed(claim.destination, change)) }
    }

    private func count(_ claim: ClaimedDelivery, _ settlement: Settlement) {
        retrying.remove(claim.id)
        switch settlement.state {
        case .waiting(let until, let because):
            retrying.insert(claim.id)
            if because == .accepted { polls[claim.id] = until }
        case .parked: report.parked += 1
        case .delivered:
            if settlement.outcome?.isRejection(of: claim) == true { report.rejected += 1 } else { report.verified += 1 }
        }
    }

    /// What only this run remembers: who asked to be left alone, who cannot be reached, who wants a new connection.
    private func rest(
        _ claim: ClaimedDelivery, _ ended: EndedRequest, _ settlement: Settlement, _ now: Int64, _ options: SyncOptions
    ) {
        let name = claim.destination
        if settlement.attempt?.explanation == .notConnected {
            connectionFailures[name, default: 0] += 1
            if connectionFailures[name, default: 0] >= options.connectionFailureLimit { restUntil[name] = .max }
        } else {
            connectionFailures[name] = 0
        }
        guard ended.certainty == .answered, let rule = ClassificationTable.rule(forStatus: ended.result.status) else { return }
        if rule.action == .throttle, let asked = settlement.attempt?.retryAfterMilliseconds { restUntil[name] = now + asked }
        if rule.action == .retryOnNewConnection { needsNewConnection.insert(claim.id) }
    }
}
