import DeliveryMachine
import SessionDomain
import TestSupport
import Testing

/// What simulated days brought to light, each in its smallest form.
@Suite struct SimulatedDaysTests {
    let now: Int64 = 1_800_000_000_000

    @Test func `a probe of a paused destination waits for what the endpoint asked for`() {
        let decider = DeliveryDecider(Destination(name: Claims.verifier, kind: .verifier, url: "https://v.example/submit"))
        var state = DestinationState()
        state.pause = DestinationPause(reason: .redirected, sinceMilliseconds: now, probeAtMilliseconds: now + 900_000)
        state.breaker = Breaker(untilMilliseconds: now + 3_600_000, openings: 0, reason: .throttled)
        func quota(_ time: Int64) -> Int {
            decider.quota(state, underWay: 0, fingerprint: nil, nowMilliseconds: time)
        }
        #expect(quota(now + 900_000) == 0 && quota(now + 3_599_999) == 0)
        #expect(quota(now + 3_600_000) == 1)
        #expect(decider.opensAt(state, fingerprint: nil, nowMilliseconds: now) == now + 3_600_000)
        state.pause?.probeAtMilliseconds = nil
        #expect(decider.opensAt(state, fingerprint: nil, nowMilliseconds: now) == nil)
    }

    @Test(arguments: [nil, "https://h.example/status/{key}"])
    func `S80 a video whose answer could not be kept is not sent a second time`(statusURL: String?) {
        var destination = Destination(name: Claims.hologram, kind: .hologram, url: "https://h.example/check")
        destination.destroysMediaAfterSending = true
        destination.statusURL = statusURL
        let decider = DeliveryDecider(destination)
        let settlement = decider.settlementWithoutEvidence(of: Claims.hologram(1), nowMilliseconds: now)
        #expect(settlement.destroysMedia && settlement.outcome == nil)
        guard statusURL != nil else {
            #expect(settlement.state == .parked(.mediaDestroyed))
            return
        }
        // where there is somebody to ask, the outcome can still be had
        let next = decider.begin(Claims.hologram(1, work: settlement.work), nowMilliseconds: now + 2_000)
        guard case .ask = next else {
            Issue.record("\(next)")
            return
        }
    }

    @Test func `S80 a video that three workers died with is gone, and cannot be requeued and sent again`() {
        var destination = Destination(name: Claims.hologram, kind: .hologram, url: "https://h.example/check")
        destination.destroysMediaAfterSending = true
        let frozen = BodyWriter.body(for: Claims.hologram(1), kind: .hologram)
        let claims = destination.retry.claimLimit + 1
        let step = DeliveryDecider(destination).begin(
            Claims.hologram(1, claims: claims, frozen: frozen), nowMilliseconds: now)
        guard case .settle(let settlement) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(settlement.state == .parked(.mediaDestroyed) && settlement.destroysMedia)
    }

    @Test func `a limit goes to the destination that has work, not to the first by name`() throws {
        let stage = Stage()
        stage.others = [
            Destination(name: DestinationName("another"), kind: .verifier, url: "https://a.example/submit")
        ]
        stage.add(1)
        let report = try stage.run { $0.limit = 1 }
        #expect(report.delivered == 1 && report.left == 0)
    }

    @Test func `a request that was sent with the old credential does not pause a destination that has its new one`() throws {
        let authority = ChangingAuthority()
        let stage = Stage()
        stage.authority = authority
        stage.server = { sent in
            if sent.header("authorization") == "new" { return Stage.yes(sent) }
            // the credential changes while the request is under way
            authority.credential = stage.transport.sent.count < 2 ? "old" : "new"
            return .answer(401, "")
        }
        stage.add(1)
        for _ in 0..<3 {
            _ = try stage.run()
            stage.now += 60_000
        }
        #expect(stage.item(1).state == .delivered)
    }
}

/// Credentials that somebody else changes; a renewal gives the same one again.
private final class ChangingAuthority: RequestAuthority {
    var credential = "old"
    func headers(for request: TransferRequest, to destination: Destination) throws(DeliveryFault) -> [Header] {
        [Header("Authorization", credential)]
    }
    func renew(_ destination: Destination) throws(DeliveryFault) -> Bool { true }
    func fingerprint(of destination: Destination) -> String? { credential }
}
