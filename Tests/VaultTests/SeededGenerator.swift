import Glibc
import SystemCalls

/// SplitMix64: the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

/// `CAPTURE_LEDGER_SEED`, or a fresh one; printed, so that a failure can be repeated.
enum CapturedSeed {
    static let value: UInt64 = {
        let given = unsafe getenv("CAPTURE_LEDGER_SEED").flatMap { unsafe UInt64(String(cString: $0)) }
        let seed = given ?? SecureRandom.words().0
        print("CAPTURE_LEDGER_SEED=\(seed)")
        return seed
    }()
}
