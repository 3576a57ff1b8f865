import DeliveryMachine
import SessionDomain
import TestSupport
import Testing

/// Clients that failed together do not come back together.
@Suite struct OutageTests {
    /// Fixed: a test at a level of 1 % is red for one seed in a hundred, however even the times are.
    static let seed = SeededGenerator(seed: 20_261_130)
    let decider = DeliveryDecider(Destination(name: Claims.verifier, kind: .verifier, url: "https://v.example/submit"))
    let claim = Claims.verifier(1)

    private func fail(_ code: Int32, _ status: Int, _ headers: [Header] = [], at now: Int64) -> EndedRequest {
        EndedRequest(
            kind: .send,
            result: TransferResult(
                token: claim.id, curlCode: code, status: status, headers: headers, body: [], bytesSent: code == 0 ? 100 : 0,
                startedAtMilliseconds: now, finishedAtMilliseconds: now), bodyLength: 100)
    }

    /// When a client with many deliveries first tries again after the outage, from its end.
    private func comesBack(_ isRefused: Bool, after outage: Int64, using random: inout SeededGenerator) -> Int64 {
        var state = DestinationState()
        var now: Int64 = 0
        while now < outage {
            let ended = isRefused ? fail(7, 0, at: now) : fail(0, 500, at: now)
            let settlement = decider.judge(ended, of: claim, state: state, nowMilliseconds: now, using: &random)
            for change in settlement.destinationChanges { state.apply(change) }
            now = max(now + 1, decider.opensAt(state, fingerprint: nil, nowMilliseconds: now) ?? 0)
        }
        return now - outage
    }

    @Test func `10,000 clients that come back within a minute of an outage's end come evenly`() {
        var random = Self.seed
        var times: [Int64] = []
        var clients = 0
        // most do come within the minute
        while times.count < 10_000, clients < 20_000 {
            clients += 1
            let time = comesBack(clients % 2 == 0, after: 14 * 60_000, using: &random)
            #expect(time <= 120_000)
            if time < 60_000 { times.append(time) }
        }
        let spread = Uniformity(times, over: 60_000, parts: 60)
        #expect(spread.isUniform, "distance \(spread.distance)")
        #expect(spread.busiest <= 1.5, "busiest second \(spread.busiest)")
        #expect(times.count == 10_000)
    }

    @Test func `10,000 clients that were told the same moment do not all come at it`() {
        var random = Self.seed
        let end: Int64 = 1_800_003_600_000
        var times: [Int64] = []
        for _ in 0..<10_000 {
            let now = end - Int64.random(in: 60_000...3_600_000, using: &random) / 1_000 * 1_000
            let headers = [Header("Retry-After", httpDate(end)), Header("Date", httpDate(now))]
            let settlement = decider.judge(
                fail(0, 503, headers, at: now), of: claim, state: DestinationState(), nowMilliseconds: now, using: &random)
            guard case .waiting(let until, _) = settlement.state else { return #expect(Bool(false)) }
            #expect(until >= end)
            for case .breaker(let breaker?) in settlement.destinationChanges { times.append(breaker.untilMilliseconds - end) }
        }
        let spread = Uniformity(times, over: 60_000, parts: 60)
        #expect(times.count == 10_000 && spread.isUniform, "distance \(spread.distance)")
        #expect(spread.busiest <= 1.5, "busiest second \(spread.busiest)")
    }

    /// In January 2027, where all of the test's times lie.
    private func httpDate(_ milliseconds: Int64) -> String {
        let seconds = Int(milliseconds / 1_000 - 1_798_761_600)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let clock = "\(two(seconds / 3_600 % 24)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
        return "Fri, \(two(seconds / 86_400 + 1)) Jan 2027 \(clock) GMT"
    }
}
