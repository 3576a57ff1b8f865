import DeliveryMachine
import SessionDomain

extension SyncRun {
    /// Claims what is due within every destination's quota, and begins it.
    func claimDue() throws(DeliveryFault) {
        let now = clock.nowMilliseconds()
        askedAt = now
        var left = options.limit.map { $0 - claimed } ?? Int.max
        var quotas: [ClaimQuota] = []
        for (name, decider) in deciders.sorted(by: { $0.key < $1.key }) {
            if let rest = restUntil[name], rest > now { continue }
            let state = try queue.state(of: name)
            let fingerprint = authority.fingerprint(of: decider.destination)
            if let pause = state.pause, decider.isLifted(pause, fingerprint: fingerprint) {
                try queue.apply([.resume], to: name)
                observe(.changed(name, .resume))
            }
            let underWay = flights.values.count { $0.claim.destination == name }
            let limit = min(left, decider.quota(state, underWay: underWay, fingerprint: fingerprint, nowMilliseconds: now))
            guard limit > 0 else { continue }
            quotas.append(ClaimQuota(destination: name, limit: limit))
            left -= limit
        }
        guard !quotas.isEmpty else { return }
        var ready: [Ready] = []
        var endings: [ClaimEnding] = []
        for claim in try queue.claim(quotas, nowMilliseconds: now) {
            claimed += 1
            polls[claim.id] = nil
            guard let decider = deciders[claim.destination] else {
                try queue.release([claim])
                continue
            }
            switch decider.begin(claim, nowMilliseconds: now) {
            case .settle(let settlement): endings.append(ClaimEnding(claim: claim, settlement: settlement))
            case .ask(let url): ready.append(Ready(claim: claim, destination: decider.destination, url: url))
            case .send(let frozen, let isFirst):
                do {
                    let body = try open(frozen, of: claim)
                    ready.append(
                        Ready(
                            claim: claim, destination: decider.destination, url: decider.destination.url, body: body,
                            isFirst: isFirst))
                } catch  where error.code == .mediaUnreadable || error.code == .mediaGone {
                    endings.append(ClaimEnding(claim: claim, settlement: decider.settlement(for: error, of: claim)))
                }
            }
        }
        try settle(endings)
        try begin(ready)
    }

    /// A claim whose next step is a request.
    private struct Ready {
        let claim: ClaimedDelivery
        let destination: Destination
        let url: String
        /// nil for a question about the status.
        var body: RequestBody?
        var isFirst = false
    }

    private func open(_ frozen: FrozenBody, of claim: ClaimedDelivery) throws(DeliveryFault) -> RequestBody {
        let reader = try media.open(claim.capture)
        guard reader.byteCount == frozen.mediaBytes else { throw RequestBody.lengthDiffers }
        return RequestBody(frozen, media: reader)
    }

    private func begin(_ ready: [Ready]) throws(DeliveryFault) {
        let firsts = ready.compactMap { step in
            step.isFirst ? step.body.map { FirstSend(claim: step.claim, body: $0.frozen) } : nil
        }
        let lost = firsts.isEmpty ? [] : try queue.freeze(firsts)
        for step in ready {
            if lost.contains(step.claim.id) { observe(.lostClaim(step.claim)) } else { try start(step) }
        }
    }

    private func start(_ step: Ready) throws(DeliveryFault) {
        let claim = step.claim
        var request = TransferRequest(
            token: claim.id, method: step.body == nil ? .get : .post, url: step.url,
            headers: [Header("traceparent", TraceParent.text(claim.id, fence: claim.fence))], body: step.body,
            settings: step.destination.transfer, needsNewConnection: needsNewConnection.remove(claim.id) != nil)
        if let body = step.body {
            request.headers.append(Header("Idempotency-Key", claim.id.text))
            request.headers.append(Header("Content-Type", body.frozen.contentType))
        }
        request.headers += try authority.headers(for: request, to: step.destination)
        let kind = step.body == nil ? AttemptRecord.Kind.statusQuery : .send
        try transport.start(request)
        flights[claim.id] = Flight(claim: claim, kind: kind, bodyLength: step.body?.contentLength ?? 0)
        observe(.began(claim, kind))
    }
}
