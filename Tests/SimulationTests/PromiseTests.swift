import Simulator
import Testing

/// One promise each, over days on which little happens but what puts it to the test: few seeds, so that each is quick.
@Suite struct PromiseTests {
    static let hour: Int64 = 3_600_000

    /// Days that differ in their seeds alone.
    private func days(_ seeds: ClosedRange<UInt64> = 1...12, _ shape: (inout Plan) -> Void) -> [SeedOutcome] {
        seeds.map { seed in
            var plan = Plan()
            plan.healsAt = 12 * Self.hour
            plan.sessions.count = 6
            plan.sessions.hologram = 0
            plan.sessions.supersede = 0
            plan.sessions.erase = 0
            plan.sessions.cancel = 0
            shape(&plan)
            return SeedOutcome(plan: plan, seed: seed)
        }
    }

    /// No day broke a promise, and every kind of fault that the test is about happened.
    private func expectKept(_ days: [SeedOutcome], _ kinds: Coverage.Kind...) {
        for day in days { #expect(day.violation == nil, "seed \(day.seed)") }
        for kind in kinds { #expect(days.contains { $0.coverage[kind] > 0 }, "\(kind) never happened") }
    }

    @Test func `F1 F2 one capture has one key, one body and one effect, whatever happens to its answers`() {
        for knowsKeys in [true, false] {
            let days = days { plan in
                for server in plan.servers.indices { plan.servers[server].knowsKeys = knowsKeys }
                plan.network.answerLost = 400_000
                plan.network.late = 100_000
                plan.network.duplicated = 100_000
                plan.mishaps.crash = 300_000
            }
            expectKept(days, .answerLost, .arrivedLate, .duplicated, knowsKeys ? .repeatedByKey : .repeatedByBody)
        }
    }

    @Test func `a lost answer is asked about before anything is sent again`() {
        let days = days { plan in
            plan.network.answerLost = 400_000
            plan.servers[0].hasStatusTemplate = true
        }
        expectKept(days, .answerLost)
    }

    @Test func `a destination that throttles is left alone by every run, and so is each delivery`() {
        let days = days { plan in
            plan.servers[0].throttles = 300_000
            plan.servers[0].failsBefore = 200_000
            plan.workers = [Plan.Worker(), Plan.Worker()]
            plan.spans = [Plan.Span(.throttling, server: 0, begin: 4 * Self.hour, end: 6 * Self.hour)]
        }
        expectKept(days, .throttled, .throttledByDate, .retryAfterElsewhere)
    }

    /// A worker that is taken for dead loses a claim while its request is under way, and gets it again.
    @Test func `a soak's seed in which a run claimed again what it had under way`() {
        let day = SeedOutcome(seed: 1_796_083_796_028_617)
        #expect(day.violation == nil && day.coverage[.lockLost] > 0)
    }

    /// The first went past a pause that was still on record, the second lost a day when the clock was set right, and in the third
    /// time stood still after a restart in the past.
    @Test(arguments: [1_796_083_796_159_221, 1_796_083_796_215_971, 1_796_096_202_034_184] as [UInt64])
    func `a soak's seeds of pauses that were lifted too early and too late`(seed: UInt64) {
        let day = SeedOutcome(seed: seed)
        #expect(day.violation == nil && day.coverage[.refused] + day.coverage[.captivePortal] + day.coverage[.untrusted] > 0)
    }

    @Test func `every backlog drains once an outage ends`() {
        let days = days { plan in
            plan.spans = [Plan.Span(.failing, server: 0, begin: Self.hour, end: plan.healsAt)]
        }
        expectKept(days, .outage)
        // the breaker opens for two minutes at most, a delivery waits for an hour at most
        for day in days { #expect(day.drain < Self.hour + 10 * 60_000) }
    }

    @Test func `a paused destination is probed, seldom, and comes back`() {
        let days = days { plan in
            plan.spans = [Plan.Span(.refusing, server: 0, begin: Self.hour, end: plan.healsAt)]
        }
        expectKept(days, .refused)
        for day in days { #expect(day.drain < 20 * 60_000) }
    }

    @Test func `a credential that changes while a request is under way lifts its pause`() {
        let days = days(1...40) { plan in
            plan.network.slow = 800_000
            plan.sessions.count = 20
            plan.credentialChanges = [(5 * Self.hour, 0, 5 * Self.hour + 20_000)]
        }
        expectKept(days, .credentialRefused, .credentialChanged)
        for day in days { #expect(day.drain < Self.hour) }
    }

    @Test func `F17 a poisoned delivery ends in quarantine and delays nobody else`() {
        let days = days { plan in plan.sessions.poisoned = 150_000 }
        expectKept(days, .poisoned, .quarantined)
        for day in days { #expect(day.longestDelivery < 15 * 60_000, "seed \(day.seed)") }
    }

    @Test func `S80 a video that may be sent once is sent once`() {
        let days = days { plan in
            plan.destroysVideo = true
            plan.sessions.hologram = 1_000_000
            plan.network.answerLost = 300_000
            plan.network.reset = 100_000
            plan.servers[1].failsAfter = 100_000
            plan.mishaps.crash = 300_000
            plan.mishaps.diskFull = 30_000
        }
        expectKept(days, .videoDestroyed, .answerLost, .crashMidTransfer)
    }

    @Test func `S13 F18 nothing is tried more often than the policy allows`() {
        let days = days { plan in
            plan.retry.attemptLimit = 4
            plan.servers[0].failsBefore = 900_000
        }
        expectKept(days, .failedBefore, .parked)
    }

    @Test func `a long weekend without a network parks nothing`() {
        let days = days(1...4) { plan in
            plan.healsAt = 80 * Self.hour
            plan.spans = [Plan.Span(.offline, server: nil, begin: 15 * Self.hour, end: 80 * Self.hour)]
            plan.network.answerLost = 300_000
        }
        expectKept(days, .longWeekend)
        for day in days { #expect(day.coverage[.parked] == 0) }
    }

    @Test func `a limit of one claim a run lets every destination have its turn`() {
        let days = days { plan in
            plan.workers[0].limit = 1
            plan.sessions.hologram = 500_000
            plan.sessions.lateTransaction = 1_000_000
        }
        expectKept(days)
    }

    @Test func `a worker that lives keeps its claims however slow it is, and one that lost its lock settles nothing`() {
        let days = days { plan in
            plan.isExclusive = false
            plan.workers = Array(repeating: Plan.Worker(), count: 4)
            plan.mishaps.hang = 100_000
            plan.mishaps.pause = 10_000
            plan.mishaps.lostLock = 100_000
            plan.network.slow = 300_000
        }
        expectKept(days, .hung, .pausedMidStep, .lockLost, .lateSettleFenced)
    }

    @Test func `clocks that jump by a month lose nothing and stop nothing`() {
        let days = days(1...24) { plan in
            plan.clockSteps = [(2 * Self.hour, -30 * 24 * Self.hour), (5 * Self.hour, 31 * 24 * Self.hour)]
            plan.reboots = [(3 * Self.hour, 0), (6 * Self.hour, 0)]
            plan.servers[0].failsBefore = 300_000
            plan.servers[0].accepted = 300_000
        }
        expectKept(days, .largeClockStep, .reboot)
        for day in days { #expect(day.coverage[.parked] == 0) }
    }
}
