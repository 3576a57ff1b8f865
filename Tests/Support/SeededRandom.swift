import class Foundation.ProcessInfo

/// SplitMix64: the same numbers for the same seed, on every machine.
package struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

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
