import Glibc

/// `delivery-simulator`: many seeds side by side, or one with its trace.
package enum Command {
    static let usage = """
        usage: delivery-simulator [--from N] [--seeds N] [--jobs N] [--seconds N] | --seed N [--trace]
        Lives through one simulated day a seed and says whether every promise of delivery was kept.
        """

    package static func run(_ arguments: [String]) async {
        var numbers: [String: UInt64] = ["--from": 1, "--seeds": 1_000, "--jobs": 2]
        var isTraced = false
        var rest = arguments[...]
        while let option = rest.popFirst() {
            if option == "--trace" {
                isTraced = true
            } else if ["--from", "--seeds", "--jobs", "--seconds", "--seed"].contains(option),
                let value = rest.popFirst().flatMap({ UInt64($0) })
            {
                numbers[option] = value
            } else {
                print(usage)
                exit(64)
            }
        }
        if let seed = numbers["--seed"] { one(seed, isTraced: isTraced) }
        let seconds = numbers["--seconds"].map { ContinuousClock.now.advanced(by: .seconds(Int64($0))) }
        await many(
            from: numbers["--from"]!, count: numbers["--seeds"]!, jobs: max(1, numbers["--jobs"]!), until: seconds)
    }

    private static func one(_ seed: UInt64, isTraced: Bool) -> Never {
        let outcome = SeedOutcome(seed: seed, isTraced: isTraced)
        print(outcome.trace, terminator: "")
        print("seed \(seed): \(outcome.steps) steps, digest \(String(outcome.digest, radix: 16))")
        if let violation = outcome.violation { print("BROKEN: \(violation)") }
        exit(outcome.violation == nil ? 0 : 1)
    }

    private static func many(from first: UInt64, count: UInt64, jobs: UInt64, until end: ContinuousClock.Instant?) async
        -> Never
    {
        let began = ContinuousClock.now
        let share = await Share.run(first..<first + count, jobs: jobs, until: end) { outcome in
            print("seed \(outcome.seed) BROKEN: \(outcome.violation ?? "")")
            print("  replay: swift run -c release delivery-simulator --seed \(outcome.seed) --trace")
        }
        print("\(share.seeds) seeds, \(share.broken.count) broken, in \(ContinuousClock.now - began)")
        print(
            "\(share.steps) steps, \(share.days) simulated days, \(share.requests) requests, \(share.deliveries) deliveries, "
                + "longest drain \(share.longestDrain / 1_000) s, digest \(String(share.digest, radix: 16))")
        for kind in Coverage.Kind.allCases { print("  \(kind): \(share.coverage[kind])") }
        let missing = share.coverage.missing
        if !missing.isEmpty { print("never happened: \(missing.map { "\($0)" }.joined(separator: ", "))") }
        // few seeds need not hold every fault
        exit(share.broken.isEmpty && (missing.isEmpty || share.seeds < 1_000) ? 0 : 1)
    }
}
