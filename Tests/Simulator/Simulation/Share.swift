/// How one seed's day went.
package struct SeedOutcome: Sendable {
    package let seed: UInt64
    package let violation: String?
    package let steps: Int
    package let digest: UInt64
    package let trace: String
    package let coverage: Coverage
    package let milliseconds: Int64
    package let requests: Int
    package let deliveries: Int
    /// From the end of the faults to an empty backlog.
    package let drain: Int64
    /// The longest that a delivery took whose media was sound.
    package let longestDelivery: Int64

    package init(seed: UInt64, isTraced: Bool = false) { self.init(plan: Plan(seed: seed), seed: seed, isTraced: isTraced) }

    package init(plan: Plan, seed: UInt64, isTraced: Bool = false) {
        let world = World(plan: plan, seed: seed, isTraced: isTraced)
        world.run()
        self.seed = seed
        violation = world.violation
        steps = world.steps
        digest = world.digest
        trace = world.text
        coverage = world.coverage
        milliseconds = world.clock.elapsed
        requests = world.flights.count
        deliveries = world.ledger.deliveries.count
        longestDelivery = world.referee.longestDelivery
        drain = max(0, world.clock.elapsed - plan.healsAt)
    }
}

/// Many seeds, together.
package struct Share: Sendable {
    package private(set) var seeds = 0
    package private(set) var broken: [SeedOutcome] = []
    package private(set) var steps = 0
    package private(set) var milliseconds: Int64 = 0
    package private(set) var requests = 0
    package private(set) var deliveries = 0
    package private(set) var longestDrain: Int64 = 0
    /// The same for the same seeds, whoever ran them in whatever order.
    package private(set) var digest: UInt64 = 0
    package private(set) var coverage = Coverage()

    package var days: Int { Int(milliseconds / 86_400_000) }

    /// - Parameters:
    ///   - end: no seed begins after it; nil lives through all of them.
    ///   - report: told of every seed that broke a promise, as soon as it did.
    package static func run(
        _ seeds: Range<UInt64>, jobs: UInt64, until end: ContinuousClock.Instant? = nil,
        report: @escaping @Sendable (SeedOutcome) -> Void = { _ in }
    ) async -> Share {
        await withTaskGroup(of: Share.self) { group in
            for job in 0..<jobs {
                group.addTask {
                    var share = Share()
                    var seed = seeds.lowerBound + job
                    while seed < seeds.upperBound, end.map({ ContinuousClock.now < $0 }) ?? true {
                        let outcome = SeedOutcome(seed: seed)
                        if outcome.violation != nil { report(outcome) }
                        share.add(outcome)
                        seed += jobs
                    }
                    return share
                }
            }
            var all = Share()
            for await share in group { all.add(share) }
            return all
        }
    }

    private mutating func add(_ outcome: SeedOutcome) {
        seeds += 1
        if outcome.violation != nil { broken.append(outcome) }
        steps += outcome.steps
        milliseconds += outcome.milliseconds
        requests += outcome.requests
        deliveries += outcome.deliveries
        longestDrain = max(longestDrain, outcome.drain)
        digest &+= outcome.digest &* (2 &* outcome.seed &+ 1)
        coverage.add(outcome.coverage)
    }

    private mutating func add(_ other: Share) {
        seeds += other.seeds
        broken += other.broken
        steps += other.steps
        milliseconds += other.milliseconds
        requests += other.requests
        deliveries += other.deliveries
        longestDrain = max(longestDrain, other.longestDrain)
        digest &+= other.digest
        coverage.add(other.coverage)
    }
}
