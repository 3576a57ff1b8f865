import DeliveryMachine
import TestSupport
import Testing

@Suite struct BackOffTests {
    @Test func `the window doubles from two seconds to an hour and stays there`() {
        let windows = (1...14).map { BackOff.window(afterAttempt: $0, RetryPolicy()) }
        #expect(windows[0] == 2_000)
        #expect(windows[1] == 4_000)
        #expect(windows[10] == 2_048_000)
        #expect(windows[11...] == [3_600_000, 3_600_000, 3_600_000])
        #expect(BackOff.window(afterAttempt: .max, RetryPolicy()) == 3_600_000)
        #expect(BackOff.window(afterAttempt: -3, RetryPolicy()) == 2_000)
    }

    @Test func `a delay is anywhere in its window with the same chance`() {
        var random = SeededGenerator(seed: 7)
        let samples = 20_000
        var buckets = [Int](repeating: 0, count: 20)
        for _ in 0..<samples {
            let delay = BackOff.delay(afterAttempt: 5, RetryPolicy(), using: &random)
            #expect(delay >= 0 && delay < 32_000)
            buckets[Int(delay * 20 / 32_000)] += 1
        }
        // each bucket expects 1,000 with a standard deviation of 31
        for count in buckets { #expect(abs(count - 1_000) < 150) }
    }

    @Test func `the same seed gives the same delays`() {
        var first = SeededGenerator(seed: 42)
        var second = SeededGenerator(seed: 42)
        for attempt in 1...50 {
            #expect(
                BackOff.delay(afterAttempt: attempt, RetryPolicy(), using: &first)
                    == BackOff.delay(afterAttempt: attempt, RetryPolicy(), using: &second))
        }
    }
}
