import DeliveryMachine
import SessionDomain

extension SyncRun {
    /// Ended requests: their answers are kept, judged and settled together.
    func settle(_ results: [TransferResult]) throws(DeliveryFault) {
        let now = clock.nowMilliseconds()
        var requests: [(claim: ClaimedDelivery, decider: DeliveryDecider, ended: EndedRequest)] = []
        var answers: [EndedClaim] = []
        for result in results {
            guard let flight = flights.removeValue(forKey: result.token), let decider = deciders[flight.claim.destination]
            else {
                continue
            }
            let ended = EndedRequest(kind: flight.kind, result: result, bodyLength: flight.bodyLength, evidence: nil)
            requests.append((flight.claim, decider, ended))
            if ended.hasAnswer { answers.append(EndedClaim(claim: flight.claim, result: result)) }
        }
        var archived = answers.isEmpty ? [][...] : evidence.archive(answers)[...]
        var endings: [ClaimEnding] = []
        var states: [DestinationName: DestinationState] = [:]
        for (claim, decider, request) in requests {
            var ended = request
            if ended.hasAnswer {
                do throws(DeliveryFault) { ended.evidence = try archived.removeFirst().get() } catch {
                    // an erased session has no key to seal with; a full disk refuses the settlement too, which ends the run
                    endings.append(
                        ClaimEnding(
                            claim: claim, settlement: decider.settlementWithoutEvidence(of: claim, nowMilliseconds: now)))
                    continue
                }
            }
            var state: DestinationState
            if let known = states[claim.destination] { state = known } else { state = try queue.state(of: claim.destination) }
            let settlement = decider.judge(
                ended, of: claim, state: state,
                credential: CredentialFacts(fingerprint: authority.fingerprint(of: decider.destination)), nowMilliseconds: now,
                using: &random)
            for change in settlement.destinationChanges { state.apply(change) }
            states[claim.destination] = state
            rest(claim, ended, settlement, now)
            endings.append(ClaimEnding(claim: claim, settlement: settlement))
        }
        try settle(endings)
    }

    func settle(_ endings: [ClaimEnding]) throws(DeliveryFault) {
        if endings.isEmpty { return }
        hasNews = true
        let lost = try queue.settle(endings)
        for ending in endings {
            if lost.contains(ending.claim.id) {
                observe(.lostClaim(ending.claim))
                continue
            }
            count(ending.claim, ending.settlement)
            observe(.settled(ending.claim, ending.settlement))
            for change in ending.settlement.destinationChanges { observe(.changed(ending.claim.destination, change)) }
        }
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
        _ claim: ClaimedDelivery, _ ended: EndedRequest, _ settlement: Settlement, _ now: Int64
    ) {
        let name = claim.destination
        if settlement.attempt?.explanation == .notConnected {
            connectionFailures[name, default: 0] += 1
            if connectionFailures[name, default: 0] >= options.connectionFailureLimit { restUntil[name] = .max }
        } else {
            connectionFailures[name] = 0
        }
        if ended.wantsNewConnection { needsNewConnection.insert(claim.id) }
    }
}
