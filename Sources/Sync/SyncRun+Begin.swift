import DeliveryMachine
import SessionDomain

extension SyncRun {
    /// With so many whose outcome is not written yet nothing else begins: a crash would repeat them all.
    private static let repeatsAtMost = 112

    /// Begins what is prepared, as far as every destination allows; what it does not allow any more goes back.
    func begin() throws(DeliveryFault) {
        let now = clock.nowMilliseconds()
        let steady = clock.steadyMilliseconds()
        try giveWithdrawnBack(steady)
        for name in names {
            guard let lane = lanes[name] else { continue }
            while !lane.prepared.isEmpty, unsettled.count + settling < Self.repeatsAtMost, lane.room(nowMilliseconds: now) > 0,
                takeToken(lane, steady), let next = lane.prepared.popFirst()
            {
                try begin(next, lane, now)
            }
        }
        try releasePrepared { $0.isClosed(nowMilliseconds: now) }
    }

    /// What was claimed ahead may have been superseded, cancelled or erased while it waited for its turn.
    private func giveWithdrawnBack(_ steady: Int64) throws(DeliveryFault) {
        guard steady >= lookedAt + Self.looksWithin else { return }
        let claims = names.flatMap { lanes[$0]?.prepared.map(\.claim) ?? [] }
        guard !claims.isEmpty else { return }
        lookedAt = steady
        let gone = try queue.withdrawn(claims)
        guard !gone.isEmpty else { return }
        for name in names { lanes[name]?.prepared.removeAll { gone.contains($0.claim.id) } }
        claimed -= gone.count
        try queue.release(claims.filter { gone.contains($0.id) })
    }

    private func begin(_ step: Lane.Prepared, _ lane: Lane, _ now: Int64) throws(DeliveryFault) {
        let claim = step.claim
        let destination = lane.decider.destination
        let body: RequestBody?
        let request: TransferRequest
        do {
            body = try step.body.map { (frozen) throws(DeliveryFault) in try open(frozen, of: claim) }
            request = try signed(step, body, for: destination)
        } catch {
            switch error.code {
            case .mediaUnreadable, .mediaGone: note(claim, lane.decider.settlement(for: error, of: claim))
            case .mediaUnavailable:
                note(claim, lane.decider.settlement(withoutMediaFor: claim, nowMilliseconds: now))
            case .transportUnavailable: throw error
            case .stopped:
                // the run ended while its credential was waited for
                claimed -= 1
                try queue.release([claim])
            default:
                let fingerprint = authority.fingerprint(of: destination)
                lane.fingerprint = fingerprint
                note(
                    claim,
                    lane.decider.settlement(
                        withoutCredentialFor: claim, state: lane.state, fingerprint: fingerprint, nowMilliseconds: now))
            }
            return
        }
        try transport.start(request)
        let kind = body == nil ? AttemptRecord.Kind.statusQuery : .send
        flights[claim.id] = Flight(
            claim: claim, kind: kind, bodyLength: body?.contentLength ?? 0,
            fingerprint: lane.fingerprint, credentialEdition: lane.credentialEdition)
        lane.underWay += 1
        observe(.began(claim, kind))
    }

    private func open(_ frozen: FrozenBody, of claim: ClaimedDelivery) throws(DeliveryFault) -> RequestBody {
        let reader = try media.open(claim.capture)
        guard reader.byteCount == frozen.mediaBytes else { throw RequestBody.lengthDiffers }
        return RequestBody(frozen, media: reader)
    }

    private func signed(
        _ step: Lane.Prepared, _ body: RequestBody?, for destination: Destination
    ) throws(DeliveryFault) -> TransferRequest {
        let claim = step.claim
        var request = TransferRequest(
            token: claim.id, method: body == nil ? .get : .post, url: step.url,
            headers: [Header("traceparent", TraceParent.text(claim.id, fence: claim.fence))], body: body,
            settings: destination.transfer, needsNewConnection: needsNewConnection.remove(claim.id) != nil)
        if let body {
            request.headers.append(Header("Idempotency-Key", claim.id.text))
            request.headers.append(Header("Content-Type", body.frozen.contentType))
        }
        request.headers += try authority.headers(for: request, to: destination)
        return request
    }

    // MARK: requests a second

    private func takeToken(_ lane: Lane, _ steady: Int64) -> Bool {
        guard let perSecond = lane.decider.destination.requestsPerSecond else { return true }
        var rate = lane.rate ?? RequestRate(perSecond: perSecond, nowMilliseconds: steady)
        let isFree = rate.available(nowMilliseconds: steady) > 0
        if isFree { rate.take() }
        lane.rate = rate
        return isFree
    }

    /// Until a destination whose requests are rationed may begin the next.
    func nextToken() -> Int64? {
        lanes.values.compactMap { $0.prepared.isEmpty ? nil : $0.rate?.millisecondsToNext() }.filter { $0 > 0 }.min()
    }
}
