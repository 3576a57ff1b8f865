import DeliveryMachine
import SessionDomain

/// What a claim came to, on its way to the queue.
struct Unsettled {
    let claim: ClaimedDelivery
    var settlement: Settlement
    /// Kept as evidence before it counts.
    let answer: TransferResult?
}

extension SyncRun {
    /// Judges ended requests; each destination's next request sees what was learnt.
    func judge(_ results: [TransferResult]) {
        let now = clock.nowMilliseconds()
        for result in results {
            guard let flight = flights.removeValue(forKey: result.token), let lane = lanes[flight.claim.destination] else {
                continue
            }
            lane.underWay -= 1
            let ended = EndedRequest(kind: flight.kind, result: result, bodyLength: flight.bodyLength)
            let credential =
                ended.refusesCredential ? renew(flight, lane) : CredentialFacts(fingerprint: lane.fingerprint)
            let settlement = lane.decider.judge(
                ended, of: flight.claim, state: lane.state, credential: credential, nowMilliseconds: now, using: &random)
            if ended.wantsNewConnection { needsNewConnection.insert(flight.claim.id) }
            note(flight.claim, settlement, answer: ended.hasAnswer ? result : nil)
        }
    }

    /// A 401: the credential is renewed once a run. What was sent with the one before is worth repeating, each delivery once.
    private func renew(_ flight: Flight, _ lane: Lane) -> CredentialFacts {
        let destination = lane.decider.destination
        if !lane.hasAskedForCredential, flight.fingerprint == authority.fingerprint(of: destination) {
            lane.hasAskedForCredential = true
            // without a renewed one the destination pauses, which says what is wrong
            do throws(DeliveryFault) {
                if try authority.renew(destination) { lane.credentialEdition += 1 }
            } catch { lane.renewalFault = error.code }
        }
        let current = authority.fingerprint(of: destination)
        lane.fingerprint = current
        let isAnother =
            flight.credentialEdition != lane.credentialEdition || flight.fingerprint != current
        let isFirst = isAnother && repeated.insert(flight.claim.id).inserted
        // a pause names the credential that was refused: the one that came meanwhile lifts it
        return CredentialFacts(
            fingerprint: flight.fingerprint, hasAnother: isFirst, fault: isFirst ? nil : lane.renewalFault)
    }

    func note(_ claim: ClaimedDelivery, _ settlement: Settlement, answer: TransferResult? = nil) {
        if unsettled.isEmpty { unsettledSince = clock.steadyMilliseconds() }
        for change in settlement.destinationChanges {
            lanes[claim.destination]?.state.apply(change)
            if case .pause(let pause) = change, pause.reason == .unauthorized {
                lanes[claim.destination]?.isCredentialRefused = true
                lanes[claim.destination]?.fingerprint = pause.credentialFingerprint
            }
        }
        unsettled.append(Unsettled(claim: claim, settlement: settlement, answer: answer))
    }

    /// Keeps the answers, then writes all settlements in one transaction.
    func settleAll() throws(DeliveryFault) {
        if unsettled.isEmpty { return }
        var batch = unsettled
        unsettled.removeAll()
        settling = batch.count
        defer { settling = 0 }
        hasNews = true
        let answers = batch.compactMap { one in one.answer.map { EndedClaim(claim: one.claim, result: $0) } }
        let archived = answers.isEmpty ? [] : try beside { [evidence] in evidence.archive(answers) }
        name(archived, in: &batch)
        let endings = batch.map { ClaimEnding(claim: $0.claim, settlement: $0.settlement) }
        let lost = try beside { [queue] () throws(DeliveryFault) in try queue.settle(endings) }
        for one in batch {
            if lost.contains(one.claim.id) {
                observe(.lostClaim(one.claim))
                continue
            }
            count(one.claim, one.settlement)
            observe(.settled(one.claim, one.settlement))
            for change in one.settlement.destinationChanges { observe(.changed(one.claim.destination, change)) }
        }
    }

    private func name(_ archived: [Result<EvidenceReference, DeliveryFault>], in batch: inout [Unsettled]) {
        var archived = archived[...]
        for index in batch.indices where batch[index].answer != nil {
            switch archived.popFirst() {
            case .success(let reference)?: batch[index].settlement.attempt?.evidence = reference
            case .failure?, nil:
                // an erased session has no key to seal with; a full disk refuses the settlement too, which ends the run
                guard let decider = lanes[batch[index].claim.destination]?.decider else { continue }
                batch[index].settlement = decider.settlementWithoutEvidence(
                    of: batch[index].claim, nowMilliseconds: clock.nowMilliseconds())
            }
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
}
