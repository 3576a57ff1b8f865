import DeliveryMachine
import SessionDomain
import TestSupport
import Testing

/// 72 hours count from the first bytes sent, on clocks that jump.
@Suite struct AgeTests {
    static let now: Int64 = 1_800_000_000_000
    static let hour: Int64 = 3_600_000
    let destination = Destination(name: Claims.verifier, kind: .verifier, url: "https://v.example/submit")

    private func judge(
        attempts: Int, age: Int64, status: Int = 500, headers: [Header] = [], kind: AttemptRecord.Kind = .send
    ) -> Settlement {
        var work = DeliveryWork()
        work.attempts = attempts
        work.firstSentAtMilliseconds = Self.now - age
        if kind == .statusQuery { work.statusAddress = "https://v.example/status/1" }
        let claim = Claims.verifier(1, work: work)
        var random = SeededGenerator(seed: 1)
        let result = TransferResult(
            token: claim.id, curlCode: 0, status: status, headers: headers, body: [], bytesSent: 100,
            startedAtMilliseconds: Self.now, finishedAtMilliseconds: Self.now)
        return DeliveryDecider(destination).judge(
            EndedRequest(kind: kind, result: result, bodyLength: 100), of: claim, state: DestinationState(),
            nowMilliseconds: Self.now, using: &random)
    }

    @Test func `F18 an age beyond the limit parks what was tried three times`() {
        #expect(judge(attempts: 2, age: 72 * Self.hour + 1).state == .parked(.failedPermanently))
        #expect(judge(attempts: 2, age: 72 * Self.hour + 1).attempt?.explanation == .tooOld)
        #expect(judge(attempts: 2, age: 72 * Self.hour).work.attempts == 3)
        #expect(judge(attempts: 2, age: 72 * Self.hour).state != .parked(.failedPermanently))
    }

    @Test func `a long weekend offline after the first try parks nothing`() {
        for attempts in 0...1 {
            #expect(judge(attempts: attempts, age: 90 * Self.hour).state != .parked(.failedPermanently))
        }
    }

    @Test(arguments: [AttemptRecord.Kind.send, .statusQuery])
    func `an age that nobody can have watched grow restarts: a clock that jumped by a month parks nothing`(
        kind: AttemptRecord.Kind
    ) {
        for age in [31 * 24 * Self.hour, -31 * 24 * Self.hour, -1, 97 * Self.hour + 1] {
            for (status, headers) in [(500, []), (202, [Header("Location", "/status/1")])] {
                let settlement = judge(attempts: 10, age: age, status: status, headers: headers, kind: kind)
                #expect(settlement.state != .parked(.failedPermanently), "\(age) \(status)")
                #expect(settlement.work.firstSentAtMilliseconds == Self.now, "\(age) \(status)")
            }
        }
    }

    @Test func `an accepted delivery without an outcome for three days is given up`() {
        let headers = [Header("Location", "/status/1")]
        let old = judge(attempts: 0, age: 72 * Self.hour + 1, status: 202, headers: headers, kind: .statusQuery)
        #expect(old.state == .parked(.failedPermanently) && old.attempt?.explanation == .tooOld)
        let young = judge(attempts: 0, age: 71 * Self.hour, status: 202, headers: headers, kind: .statusQuery)
        guard case .waiting(let until, .accepted) = young.state else { return #expect(Bool(false)) }
        #expect(until == Self.now + Self.hour)
    }

    @Test func `the longest wait is the longest Retry-After and the longest back-off together`() {
        var random = SeededGenerator(seed: 7)
        let policy = RetryPolicy()
        #expect(policy.longestWaitMilliseconds == 25 * Self.hour)
        for _ in 0..<2_000 {
            let asked = Int64.random(in: 0...RetryAfter.limitMilliseconds, using: &random)
            #expect(asked + BackOff.spread(after: asked, policy, using: &random) <= policy.longestWaitMilliseconds)
        }
        let settlement = judge(attempts: 3, age: 5, status: 503, headers: [Header("Retry-After", "999999999")])
        guard case .waiting(let until, _) = settlement.state else { return #expect(Bool(false)) }
        #expect((24 * Self.hour...25 * Self.hour).contains(until - Self.now))
    }
}
