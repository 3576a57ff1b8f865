import Simulator
import Testing

/// The first of the seeds that `make simulate` lives through.
@Suite struct ShareTests {
    @Test func `on two hundred days every fault happens and every promise is kept`() async {
        let share = await Share.run(1..<201, jobs: 2)
        for outcome in share.broken {
            Issue.record(
                "seed \(outcome.seed): \(outcome.violation ?? ""); swift run delivery-simulator --seed \(outcome.seed) --trace")
        }
        #expect(share.seeds == 200 && share.days >= 200)
        #expect(share.coverage.missing.isEmpty)
        #expect(share.longestDrain < 4 * 3_600_000)
    }
}
