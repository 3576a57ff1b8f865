import DeliveryMachine
import SessionDomain
import TestSupport
import Testing

@Suite struct BreakerTests {
    static let now: Int64 = 1_800_000_000_000
    let destination = Destination(name: Claims.verifier, kind: .verifier, url: "https://v.example/submit")
    var decider: DeliveryDecider { DeliveryDecider(destination) }

    private func judge(
        _ status: Int, of claim: ClaimedDelivery = Claims.verifier(1), code: Int32 = 0, headers: [Header] = [],
        body: String = "",
        state: DestinationState, at now: Int64 = now, seed: UInt64 = 3
    ) -> Settlement {
        var random = SeededGenerator(seed: seed)
        let result = TransferResult(
            token: claim.id, curlCode: code, status: status, headers: headers, body: Array(body.utf8),
            bytesSent: code == 7 ? 0 : 100, startedAtMilliseconds: now - 5, finishedAtMilliseconds: now)
        return decider.judge(
            EndedRequest(kind: .send, result: result, bodyLength: 100), of: claim, state: state, nowMilliseconds: now,
            using: &random)
    }

    private func after(_ settlement: Settlement, _ state: DestinationState) -> DestinationState {
        var state = state
        for change in settlement.destinationChanges { state.apply(change) }
        return state
    }

    private func failing(_ count: Int, _ status: Int = 500, code: Int32 = 0) -> DestinationState {
        (0..<count).reduce(DestinationState()) { state, _ in after(judge(status, code: code, state: state), state) }
    }

    private func yes(_ claim: ClaimedDelivery) -> String { #"{"outcome":"verified","capture_id":"\#(claim.capture.text)"}"# }

    @Test(arguments: [(500, Int32(0)), (0, 7), (0, 52), (100, 56)])
    func `five failures in a row open it, and nothing is sent until its time`(status: Int, code: Int32) throws {
        #expect(failing(4, status, code: code).breaker == nil)
        let open = failing(5, status, code: code)
        let breaker = try #require(open.breaker)
        #expect(breaker.openings == 1 && breaker.reason == .keepsFailing)
        #expect((7_500...15_000).contains(breaker.untilMilliseconds - Self.now))
        let until = breaker.untilMilliseconds
        #expect(decider.quota(open, underWay: 0, fingerprint: nil, nowMilliseconds: until - 1) == 0)
        #expect(decider.quota(open, underWay: 0, fingerprint: nil, nowMilliseconds: until) == 1)
        #expect(decider.quota(open, underWay: 1, fingerprint: nil, nowMilliseconds: until) == 0)
        #expect(decider.opensAt(open, fingerprint: nil, nowMilliseconds: Self.now) == until)
    }

    @Test func `a success closes it, and any answer of a working endpoint does`() {
        var open = failing(5)
        open.contractBreakWitness = Claims.verifier(9).id
        let claim = Claims.verifier(2)
        for (status, body) in [(200, yes(claim)), (400, ""), (422, ""), (409, "")] {
            let closed = after(judge(status, of: claim, body: body, state: open), open)
            #expect(closed.breaker == nil && closed.failuresInARow == 0, "\(status)")
            // broken contracts on both sides of it are not in a row
            #expect(closed.contractBreakWitness == nil, "\(status)")
        }
    }

    @Test func `each failed probe keeps it open for longer, up to two minutes`() throws {
        var state = failing(5)
        for opening in 2...12 {
            let time = try #require(state.breaker).untilMilliseconds
            state = after(judge(500, state: state, at: time, seed: UInt64(opening)), state)
            let breaker = try #require(state.breaker)
            let window = min(Int64(15_000) << Int64(opening - 1), 120_000)
            #expect(breaker.openings == opening)
            #expect((window / 2...window).contains(breaker.untilMilliseconds - time), "\(opening)")
        }
    }

    @Test func `what was under way when it opened changes nothing`() {
        let open = failing(5)
        #expect(after(judge(500, state: open, at: Self.now + 10), open).breaker == open.breaker)
    }

    @Test func `F17 one poisoned delivery never opens it, and closes nothing for the others`() {
        var work = DeliveryWork()
        var state = DestinationState()
        for attempt in 0..<24 {
            work.attempts = attempt
            state = after(judge(500, of: Claims.verifier(1, work: work), state: state), state)
            #expect(state.breaker == nil, "attempt \(attempt)")
        }
    }

    @Test func `a time too far ahead to be believed, after the clock went back, holds up nothing`() {
        var state = failing(5)
        state.breaker?.untilMilliseconds = Self.now + 40 * 86_400_000
        #expect(decider.quota(state, underWay: 0, fingerprint: nil, nowMilliseconds: Self.now) == 1)
        #expect(decider.opensAt(state, fingerprint: nil, nowMilliseconds: Self.now) == nil)
        state.breaker = nil
        state.pause = DestinationPause(
            reason: .redirected, sinceMilliseconds: Self.now, probeAtMilliseconds: Self.now + 40 * 86_400_000)
        #expect(decider.quota(state, underWay: 0, fingerprint: nil, nowMilliseconds: Self.now) == 1)
    }

    // MARK: throttles

    @Test(arguments: [429, 503]) func `a throttle leaves the whole destination alone for as long as it says`(status: Int) throws
    {
        let told = judge(status, headers: [Header("Retry-After", "600")], state: DestinationState())
        let state = after(told, DestinationState())
        let breaker = try #require(state.breaker)
        #expect(breaker.reason == .throttled && breaker.openings == 0)
        #expect((600_000...660_000).contains(breaker.untilMilliseconds - Self.now))
        #expect(decider.quota(state, underWay: 0, fingerprint: nil, nowMilliseconds: Self.now + 599_999) == 0)
        // what was under way and got through does not end it
        let claim = Claims.verifier(2)
        #expect(after(judge(200, of: claim, body: yes(claim), state: state, at: Self.now + 5), state).breaker == breaker)
        // a shorter time that another answer asks for does not either
        let again = judge(status, of: claim, headers: [Header("Retry-After", "1")], state: state, at: Self.now + 5)
        #expect(try #require(after(again, state).breaker).untilMilliseconds >= breaker.untilMilliseconds)
        // once its time has come, one delivery that gets through does
        let later = breaker.untilMilliseconds
        #expect(after(judge(200, of: claim, body: yes(claim), state: state, at: later), state).breaker == nil)
    }

    @Test func `a throttle that names no time grows by itself`() throws {
        var state = DestinationState()
        var longest: Int64 = 0
        for round in 0..<8 {
            let time = state.breaker?.untilMilliseconds ?? Self.now
            state = after(judge(503, state: state, at: time, seed: UInt64(round)), state)
            let wait = try #require(state.breaker).untilMilliseconds - time
            let window = min(Int64(2_000) << Int64(round), 120_000)
            #expect((window / 2...window).contains(wait), "\(round)")
            longest = max(longest, wait)
        }
        #expect(longest >= 60_000)
    }

    @Test func `a paused destination that is throttled is asked again neither before the one nor the other`() throws {
        var state = DestinationState()
        state.pause = DestinationPause(reason: .redirected, sinceMilliseconds: 1, probeAtMilliseconds: Self.now)
        let settlement = judge(503, headers: [Header("Retry-After", "7200")], state: state)
        #expect(settlement.work.attempts == 0)
        state = after(settlement, state)
        #expect(try #require(state.pause?.probeAtMilliseconds) >= Self.now + 7_200_000)
        #expect(decider.quota(state, underWay: 0, fingerprint: nil, nowMilliseconds: Self.now + 7_199_999) == 0)
    }
}
