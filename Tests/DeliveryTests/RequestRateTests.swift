import DeliveryMachine
import TestSupport
import Testing

@Suite struct RequestRateTests {
    @Test(arguments: [0.1, 0.5, 1, 3, 20.0])
    func `no stretch of time has more than its share, and the share is used`(perSecond: Double) {
        var random = SeededGenerator(seed: 7)
        var rate = RequestRate(perSecond: perSecond, nowMilliseconds: 0)
        var taken: [Int64] = []
        var now: Int64 = 0
        while now < 60_000 {
            for _ in 0..<rate.available(nowMilliseconds: now) {
                rate.take()
                taken.append(now)
            }
            now += max(1, min(rate.millisecondsToNext(), Int64.random(in: 1...40, using: &random)))
        }
        let capacity = max(1, perSecond)
        for (index, start) in taken.enumerated() {
            for end in stride(from: index, to: taken.count, by: 41) {
                let most = capacity + Double(taken[end] - start) / 1_000 * perSecond + 1e-6
                #expect(Double(end - index + 1) <= most + 1)
            }
        }
        #expect(Double(taken.count) >= 60 * perSecond - capacity - 1)
    }

    @Test func `a clock that goes back gives nothing, and a long silence no more than a second's worth`() {
        var rate = RequestRate(perSecond: 5, nowMilliseconds: 1_000)
        #expect(rate.available(nowMilliseconds: 1_000) == 1)
        rate.take()
        #expect(rate.available(nowMilliseconds: 0) == 0)
        #expect(rate.available(nowMilliseconds: 100_000_000) == 5)
        #expect(rate.millisecondsToNext() == 0)
    }
}
