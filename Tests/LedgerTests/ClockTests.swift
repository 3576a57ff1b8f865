import DeliveryMachine
import EventCoding
import EventStorage
import Outbox
import SessionDomain
import Synchronization
import Testing

@testable import CaptureLedger

/// A wall clock that somebody sets, beside the time since the machine started, which nobody can.
@Suite struct ClockTests {
    private static let month: Int64 = 30 * 86_400_000
    private static let hour: Int64 = 3_600_000
    private static let verifier = ClaimQuota(destination: DestinationName("verifier"), limit: 9)

    @Test func `a jump of more than a minute is on record once, whoever meets it, and a small one never`() throws {
        let clock = SetClock()
        let temporary = try TemporaryLedger(clock: clock.ledgerClock)
        let other = try open(temporary, clock)
        defer { other.closeAndWait() }
        _ = try start(temporary.ledger)
        clock.pass(Self.hour)
        clock.set(by: 59_000)
        _ = try start(temporary.ledger)
        #expect(try jumps(temporary.ledger).isEmpty)
        clock.set(by: 2_000)
        let before = clock.now
        // 59 s and 2 s are one jump since the clocks were last compared, an hour's life of that comparison aside
        clock.set(by: Self.month)
        _ = try start(other)
        _ = try start(temporary.ledger)
        _ = try start(other)
        #expect(try jumps(temporary.ledger).count == 1)
        let jump = try #require(try jumps(temporary.ledger).first)
        #expect(jump.to == clock.now && abs(jump.from - before) <= 61_000)
        clock.set(by: -Self.month)
        _ = try start(temporary.ledger)
        #expect(try jumps(temporary.ledger).map { $0.to - $0.from }.reduce(0, +) <= 61_000)
        #expect(try jumps(temporary.ledger).count == 2)
        temporary.ledger.closeAndWait()
        other.closeAndWait()
        try Oracle.findsNothingWrong(temporary.path)
    }

    @Test(arguments: [1, -1]) func `a session ends after the time it was given, whatever the clock was set to`(sign: Int64)
        throws
    {
        let clock = SetClock()
        let temporary = try TemporaryLedger(clock: clock.ledgerClock)
        let ledger = temporary.ledger
        let early = try start(ledger, deadline: 24 * Self.hour)
        clock.pass(10 * Self.hour)
        clock.set(by: sign * Self.month)
        let late = try start(ledger, deadline: 24 * Self.hour)
        for _ in 0..<13 {
            clock.pass(Self.hour)
            #expect(try ledger.expireDueSessions() == 0)
        }
        let reopened = try open(temporary, clock)
        defer { reopened.closeAndWait() }
        let rows = try dump(ledger, "flow")
        _ = try reopened.rebuild()
        #expect(try dump(ledger, "flow") == rows)
        clock.pass(2 * Self.hour)
        #expect(try reopened.expireDueSessions() == 1)
        #expect(try reopened.session(early).flow.status == .expired)
        #expect(try reopened.session(late).flow.status == .active)
        if sign > 0 {
            clock.pass(10 * Self.hour)
            #expect(try reopened.expireDueSessions() == 1)
        }
    }

    @Test(arguments: [1, -1]) func `what was due in an hour is due in an hour, and a run does not notice`(sign: Int64) throws {
        let clock = SetClock()
        let temporary = try TemporaryLedger(clock: clock.ledgerClock)
        let ledger = temporary.ledger
        for _ in 0..<2 { try confirm(ledger) }
        let run = LedgerDeliveryQueue(ledger)
        let claims = try run.claim([Self.verifier], nowMilliseconds: run.clock.nowMilliseconds())
        let began = run.clock.nowMilliseconds()
        try settle(run, claims[0], until: began + Self.hour, sent: began)
        try run.apply(
            [
                .breaker(Breaker(untilMilliseconds: began + Self.hour, openings: 1)), .lastDeliveredAt(milliseconds: began),
            ], to: Self.verifier.destination)
        clock.pass(60_000)
        clock.set(by: sign * Self.month)
        // the run that was under way: its clock went on, and it reads and writes times of its own
        #expect(run.clock.nowMilliseconds() == began + 60_000)
        #expect(try run.state(of: Self.verifier.destination).breaker?.untilMilliseconds == began + Self.hour)
        try settle(run, claims[1], until: began + Self.hour, sent: began)
        #expect(try run.state(of: Self.verifier.destination).breaker?.untilMilliseconds == began + Self.hour)
        #expect(try run.backlog().nextDueAtMilliseconds == began + Self.hour)
        let oldest = try #require(try run.backlog().oldestConfirmedAtMilliseconds)
        #expect(abs(oldest - began) < 1_000)
        run.close()

        // the next run has the new time
        let next = LedgerDeliveryQueue(ledger)
        #expect(try next.state(of: Self.verifier.destination).breaker?.untilMilliseconds == clock.now + Self.hour - 60_000)
        #expect(try next.state(of: Self.verifier.destination).lastDeliveredAtMilliseconds == clock.now - 60_000)
        #expect(try next.claim([Self.verifier], nowMilliseconds: next.clock.nowMilliseconds()).isEmpty)
        clock.pass(Self.hour - 61_000)
        #expect(try next.claim([Self.verifier], nowMilliseconds: next.clock.nowMilliseconds()).isEmpty)
        clock.pass(2_000)
        let due = try next.claim([Self.verifier], nowMilliseconds: next.clock.nowMilliseconds())
        // neither is older than it was
        #expect(
            due.map { next.clock.nowMilliseconds() - ($0.work.firstSentAtMilliseconds ?? 0) } == [
                Self.hour + 1_000, Self.hour + 1_000,
            ])
    }

    @Test func `a machine that wakes up in the past does not wait for the future`() throws {
        let clock = SetClock()
        let temporary = try TemporaryLedger(clock: clock.ledgerClock)
        try confirm(temporary.ledger)
        let queue = LedgerDeliveryQueue(temporary.ledger)
        let claim = try #require(try queue.claim([Self.verifier], nowMilliseconds: clock.now).first)
        try settle(queue, claim, until: clock.now + Self.hour, sent: clock.now)
        queue.close()
        clock.restart(setBy: -Self.month)
        let next = LedgerDeliveryQueue(temporary.ledger)
        #expect(try next.claim([Self.verifier], nowMilliseconds: next.clock.nowMilliseconds()).isEmpty)
        clock.pass(Self.hour + 1_000)
        #expect(try next.claim([Self.verifier], nowMilliseconds: next.clock.nowMilliseconds()).count == 1)
        #expect(try jumps(temporary.ledger).count == 1)
        // off for a day: time that passed, as far as anybody can tell
        clock.restart(setBy: 24 * Self.hour)
        _ = try start(temporary.ledger)
        #expect(try jumps(temporary.ledger).count == 1)
    }

    @Test func `a paused destination is probed on a machine that wakes up in the past, though nothing else is written`() throws
    {
        let clock = SetClock()
        let temporary = try TemporaryLedger(clock: clock.ledgerClock)
        try confirm(temporary.ledger)
        let name = Self.verifier.destination
        let queue = LedgerDeliveryQueue(temporary.ledger)
        let pause = DestinationPause(
            reason: .endpointRefuses, sinceMilliseconds: clock.now, probeAtMilliseconds: clock.now + Self.hour)
        try queue.apply([.pause(pause)], to: name)
        queue.close()
        clock.restart(setBy: -Self.month)
        // every run of cron looks at the pause, and has nothing to claim
        for _ in 0..<6 {
            let run = LedgerDeliveryQueue(temporary.ledger)
            let probe = try #require(try run.state(of: name).pause?.probeAtMilliseconds)
            #expect(probe > run.clock.nowMilliseconds())
            clock.pass(Self.hour / 6)
        }
        clock.pass(1_000)
        let run = LedgerDeliveryQueue(temporary.ledger)
        let probe = try #require(try run.state(of: name).pause?.probeAtMilliseconds)
        #expect(probe <= run.clock.nowMilliseconds())
        #expect(try jumps(temporary.ledger).count == 1)
    }

    @Test func `a next attempt further ahead than any wait is due`() throws {
        let clock = TurnedClock()
        let temporary = try TemporaryLedger(clock: LedgerClock { clock.now })
        try confirm(temporary.ledger)
        let queue = LedgerDeliveryQueue(temporary.ledger)
        let claim = try #require(try queue.claim([Self.verifier], nowMilliseconds: clock.now).first)
        try settle(queue, claim, until: clock.now + Self.hour, sent: clock.now)
        clock.advance(-Self.month)
        #expect(try queue.claim([Self.verifier], nowMilliseconds: clock.now).count == 1)
    }

    private func open(_ temporary: TemporaryLedger, _ clock: SetClock) throws -> Ledger {
        var options = LedgerOptions()
        options.clock = clock.ledgerClock
        return try Ledger.open(folder: temporary.path, options: options)
    }

    private func start(_ ledger: Ledger, deadline: Int64? = nil) throws -> SessionID {
        var request = StartRequest(configuration: configuration([.selfie]))
        request.configuration.deadlineMilliseconds = deadline
        return try ledger.start(request).session
    }

    private func confirm(_ ledger: Ledger) throws {
        var request = StartRequest(configuration: configuration([.selfie]))
        request.configuration.autoConfirm = true
        _ = try ledger.capture(
            CaptureRequest(
                session: try ledger.start(request).session, piece: .selfie, path: fixture("jpeg/tiny-baseline.jpg"),
                source: .camera))
    }

    private func settle(_ queue: LedgerDeliveryQueue, _ claim: ClaimedDelivery, until: Int64, sent: Int64) throws {
        var work = claim.work
        work.firstSentAtMilliseconds = sent
        let settlement = Settlement(
            work: work, state: .waiting(untilMilliseconds: until, because: .endpointFailed), attempt: nil)
        #expect(try queue.settle([ClaimEnding(claim: claim, settlement: settlement)]).isEmpty)
    }

    private func jumps(_ ledger: Ledger) throws -> [(from: Int64, to: Int64)] {
        try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                var found: [(from: Int64, to: Int64)] = []
                for stored in try context.events.events(ofSession: 0) {
                    guard case .clockAdjusted(let event)? = try? EventCoder.decodeLedgerEvent(stored.encoded) else { continue }
                    found.append((event.fromMilliseconds, event.toMilliseconds))
                }
                return found
            }
        }
    }
}

/// A wall clock that can be set, and a machine that can be started anew.
final class SetClock: Sendable {
    private struct Times {
        var wall: Int64 = 1_800_000_000_000
        var elapsed: Int64 = 5_000_000
        var boot: UInt64 = 1
    }

    private let times = Mutex(Times())

    var now: Int64 { times.withLock { $0.wall } }

    func pass(_ milliseconds: Int64) {
        times.withLock {
            $0.wall += milliseconds
            $0.elapsed += milliseconds
        }
    }

    func set(by milliseconds: Int64) { times.withLock { $0.wall += milliseconds } }

    func restart(setBy milliseconds: Int64) {
        times.withLock {
            $0.wall += milliseconds
            $0.elapsed = 1_000
            $0.boot += 1
        }
    }

    var ledgerClock: LedgerClock {
        LedgerClock(
            nowMilliseconds: { self.now },
            boot: {
                self.times.withLock {
                    LedgerClock.Boot(id: UUID128(high: $0.boot, low: 7), elapsedMilliseconds: $0.elapsed)
                }
            })
    }
}
