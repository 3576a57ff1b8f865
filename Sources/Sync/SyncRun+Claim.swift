import DeliveryMachine
import SessionDomain

extension SyncRun {
    /// Claims what is due within every destination's quota, and begins it.
    func claimDue(_ options: SyncOptions) throws(DeliveryFault) {
        let now = clock.nowMilliseconds()
        askedAt = now
        var left = options.limit.map { $0 - claimed } ?? Int.max
        var quotas: [ClaimQuota] = []
        for (name, decider) in deciders.sorted(by: { $0.key < $1.key }) {
            if let rest = restUntil[name], rest > now { continue }
            let state = try queue.state(of: name)
            if let pause = state.pause, decider.isLifted(pause) {
                try queue.apply([.resume], to: name)
                observe(.changed(name, .resume))
            }
            let underWay = flights.values.count { $0.claim.destination == name }
            let limit = min(left, decider.quota(state, underWay: underWay, nowMilliseconds: now))
            guard limit > 0 else { continue }
            quotas.append(ClaimQuota(destination: name, limit: limit))
            left -= limit
        }
        guard !quotas.isEmpty else { return }
        for claim in try queue.claim(quotas, nowMilliseconds: now) {
            claimed += 1
            polls[claim.id] = nil
            try begin(claim)
        }
    }

    private func begin(_ claim: ClaimedDelivery) throws(DeliveryFault) {
        guard let decider = deciders[claim.destination] else { return try queue.release(claim) }
        switch decider.begin(claim, nowMilliseconds: clock.nowMilliseconds()) {
        case .settle(let settlement): try settle(claim, settlement)
        case .ask(let url): try start(claim, .get, url, nil, decider.destination)
        case .send(let frozen, let isFirst):
            let reader: any MediaReader
            do {
                reader = try media.open(claim.capture)
            } catch  where error.code == .mediaUnreadable || error.code == .mediaGone {
                return try settle(claim, decider.settlement(for: error, of: claim))
            }
            guard reader.byteCount == frozen.mediaBytes else {
                return try settle(claim, decider.settlement(for: RequestBody.lengthDiffers, of: claim))
            }
            if isFirst {
                do { try queue.freeze(frozen, for: claim) } catch  where error.code == .staleFence || error.code == .bodyChanged
                {
                    return observe(.lostClaim(claim))
                }
            }
            try start(claim, .post, decider.destination.url, RequestBody(frozen, media: reader), decider.destination)
        }
    }

    private func start(
        _ claim: ClaimedDelivery, _ method: TransferRequest.Method, _ url: String, _ body: RequestBody?,
        _ destination: Destination
    ) throws(DeliveryFault) {
        var headers = destination.headers
        headers.append(Header("traceparent", traceParent(claim.id)))
        if let body {
            headers.append(Header("Idempotency-Key", claim.id.text))
            headers.append(Header("Content-Type", body.frozen.contentType))
        }
        let kind = method == .post ? AttemptRecord.Kind.send : .statusQuery
        try transport.start(
            TransferRequest(
                token: claim.id, method: method, url: url, headers: headers, body: body, settings: destination.transfer,
                needsNewConnection: needsNewConnection.remove(claim.id) != nil))
        flights[claim.id] = Flight(claim: claim, kind: kind, bodyLength: body?.contentLength ?? 0)
        observe(.began(claim, kind))
    }

    /// W3C Trace Context: one trace a delivery, one span an attempt.
    private func traceParent(_ id: DeliveryID) -> String {
        let span = UUID128(high: random.next() | 1, low: 0).text.filter { $0 != "-" }.prefix(16)
        return "00-\(id.text.filter { $0 != "-" })-\(span)-01"
    }
}
