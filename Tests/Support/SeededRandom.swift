import DeliveryMachine

import class Foundation.ProcessInfo

/// The product's generator, with what a random test needs around it: seeds that are printed and can be given.
package struct SeededRandom: RandomNumberGenerator {
    private var generator: SeededGenerator

    package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    package mutating func next() -> UInt64 { generator.next() }

    /// True once in `count` times.
    package mutating func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    /// One seed, and fresh ones for as long as `CAPTURE_LEDGER_SOAK_SECONDS` says, each printed.
    package static func seeds(for test: String) -> some Sequence<UInt64> {
        let soak = environment("CAPTURE_LEDGER_SOAK_SECONDS").flatMap { Int64($0) } ?? 0
        let end = ContinuousClock.now.advanced(by: .seconds(soak))
        return sequence(first: seed(for: test)) { _ in
            guard ContinuousClock.now < end else { return nil }
            let next = UInt64.random(in: 0...UInt64(Int64.max))
            print("\(test): CAPTURE_LEDGER_SEED=\(next)")
            return next
        }
    }

    /// `CAPTURE_LEDGER_SEED` where it is set, else a new one; printed, so that a failure can be had again.
    package static func seed(for test: String) -> UInt64 {
        let given = environment("CAPTURE_LEDGER_SEED").flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 0...UInt64(Int64.max))
        print("\(test): CAPTURE_LEDGER_SEED=\(seed)")
        return seed
    }

    private static func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
