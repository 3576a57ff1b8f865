import Simulator
import Testing

/// A seed is all that a day depends on.
@Suite struct ReplayTests {
    @Test(arguments: [3, 4, 17, 58, 90] as [UInt64]) func `a seed replays to the same trace byte for byte`(seed: UInt64) {
        let first = SeedOutcome(seed: seed, isTraced: true)
        let second = SeedOutcome(seed: seed, isTraced: true)
        #expect(!first.trace.isEmpty && Array(first.trace.utf8) == Array(second.trace.utf8))
        // without its text, the same steps
        #expect(SeedOutcome(seed: seed).digest == first.digest)
    }

    @Test func `one worker lives through a calm day, and every piece gets through`() {
        var plan = Plan()
        plan.sessions.count = 6
        let day = SeedOutcome(plan: plan, seed: 1)
        #expect(day.violation == nil && day.deliveries > 5 && day.requests >= day.deliveries)
        #expect(day.drain <= 60_000)
    }
}
