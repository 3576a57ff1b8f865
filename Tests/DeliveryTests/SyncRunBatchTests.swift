import DeliveryMachine
import SessionDomain
import Sync
import TestSupport
import Testing

/// Work is claimed and settled in batches; what a dead worker held is not.
@Suite struct SyncRunBatchTests {
    @Test func `many deliveries cost the queue few transactions`() throws {
        let stage = Stage()
        stage.destination.inFlightLimit = 16
        for number in 1...300 { stage.add(number, session: number) }
        let report = try stage.run()
        #expect(report.delivered == 300 && report.verdict == .drained)
        #expect(stage.transport.mostUnderWay == 16)
        // claim, bytes, settlement: three a batch
        #expect(stage.queue.writes < 300 / 10, "\(stage.queue.writes) transactions")
        #expect(stage.evidence.answers.count == 300)
    }

    @Test func `what was claimed ahead goes back when the run ends, its counters too`() throws {
        for stop in [StopRequest.finish, .abort] {
            let stage = Stage()
            stage.server = { sent in
                stage.stop = stop
                return stop == .abort ? .hangs : Stage.yes(sent)
            }
            for number in 1...30 { stage.add(number) }
            let report = try stage.run()
            #expect(report.left >= 26 && stage.transport.sent.count <= 4)
            #expect(stage.queue.items.allSatisfy { !$0.isClaimed && $0.claims == 0 })
        }
    }

    @Test func `what was claimed ahead of a pause goes back`() throws {
        let stage = Stage { _ in .answer(403, "") }
        for number in 1...30 { stage.add(number) }
        _ = try stage.run()
        #expect(stage.queue.items.allSatisfy { !$0.isClaimed && $0.claims == 0 })
        #expect(stage.transport.sent.count <= 5)
    }

    @Test func `the limit counts what was sent, not what was claimed ahead and given back`() throws {
        let stage = Stage()
        for number in 1...30 { stage.add(number) }
        #expect(try stage.run { $0.limit = 7 }.delivered == 7)
        #expect(stage.transport.sent.count == 7)
    }

    /// Runs of which each dies as soon as it begins that delivery; how many died.
    private func deaths(_ stage: Stage, by poison: DeliveryID) throws -> Int {
        for death in 0..<10 {
            let run = stage.byHand()
            let before = stage.transport.sent.count
            var isDead = false
            while !isDead, case .wait(let milliseconds) = try run.turn() {
                if stage.transport.sent[before...].contains(where: { $0.request.token == poison }) {
                    isDead = true
                } else {
                    run.receive(try stage.transport.wait(milliseconds: milliseconds))
                }
            }
            guard isDead else { return death }
            stage.queue.forgetHolder()
            stage.transport.forget()
        }
        return 10
    }

    @Test func `S92 a delivery that kills its worker takes no other with it`() throws {
        let stage = Stage()
        for number in 1...12 { stage.add(number, session: number) }
        let poison = Claims.verifier(5).id
        #expect(try deaths(stage, by: poison) == 3)
        #expect(stage.queue.item(poison).state == .parked(.quarantined))
        #expect(stage.queue.items.allSatisfy { $0.claim.id == poison || $0.state == .delivered })
    }

    @Test func `S92 what a dead worker held is worked on alone, also when fresh deliveries come before it`() throws {
        let stage = Stage()
        for number in 1...12 { stage.add(number, session: number) }
        for index in 0..<4 { stage.queue.items[index].dueAt = stage.now + 1 }
        for _ in 1...2 {
            let other = stage.queue.anotherWorker()
            let quota = [ClaimQuota(destination: Claims.verifier, limit: 4)]
            #expect(try other.claim(quota, nowMilliseconds: stage.now).count == 4)
            other.die()
        }
        stage.now += 1
        let poison = Claims.verifier(6).id
        #expect(try deaths(stage, by: poison) == 1)
        #expect(stage.queue.item(poison).state == .parked(.quarantined))
        #expect(stage.queue.items.allSatisfy { $0.claim.id == poison || $0.state == .delivered })
    }

    @Test func `F20 two workers on one ledger send everything once`() throws {
        let stage = Stage()
        for number in 1...40 { stage.add(number, session: number) }
        let first = stage.byHand()
        stage.queue = stage.queue.anotherWorker()
        let second = stage.byHand()
        var isOver = [false, false]
        while isOver != [true, true] {
            for (index, run) in [first, second].enumerated() {
                if case .over = try run.turn() { isOver[index] = true }
            }
            let results = try stage.transport.wait(milliseconds: 10)
            first.receive(results)
            second.receive(results)
        }
        #expect(stage.transport.sent.count == 40)
        #expect(stage.queue.items.allSatisfy { $0.outcomes.count == 1 })
    }

    @Test func `F20 a live worker's claims are never taken, a dead one's at once`() throws {
        let stage = Stage()
        stage.add(1)
        let other = stage.queue.anotherWorker()
        let quota = [ClaimQuota(destination: Claims.verifier, limit: 5)]
        #expect(try other.claim(quota, nowMilliseconds: stage.now).count == 1)
        stage.now += 365 * 86_400_000
        #expect(try stage.run().delivered == 0)
        other.die()
        #expect(try stage.run().delivered == 1)
    }

    @Test func `F18 F17 one delivery that always fails holds up nobody and ends after its attempts`() throws {
        let stage = Stage { sent in
            sent.request.token == Claims.verifier(1).id ? .answer(500, "") : Stage.yes(sent)
        }
        for number in 1...20 { stage.add(number, session: number) }
        #expect(try stage.run().delivered == 19)
        for _ in 0..<200 where stage.item(1).state != .parked(.failedPermanently) {
            stage.now += 3_600_000
            _ = try stage.run()
        }
        #expect(stage.item(1).state == .parked(.failedPermanently))
        #expect(stage.item(1).work.attempts == 25)
        #expect(stage.transport.sent.filter { $0.request.token == Claims.verifier(1).id }.count == 25)
    }

    @Test func `requests a second are kept, and a run waits for its turn`() throws {
        let stage = Stage()
        stage.destination.requestsPerSecond = 2
        for number in 1...11 { stage.add(number) }
        let start = stage.now
        #expect(try stage.run().delivered == 11)
        #expect((5_000...5_500).contains(stage.now - start))
    }

    @Test func `a throttle outlasts the run, and a next attempt from a clock that went back is due`() throws {
        let stage = Stage { _ in .answer(429, headers: [Header("Retry-After", "3600")], "") }
        stage.destination.inFlightLimit = 1
        for number in 1...5 { stage.add(number) }
        _ = try stage.run()
        stage.server = Stage.yes
        stage.now += 3_599_000
        #expect(try stage.run().delivered == 0)
        #expect(stage.transport.sent.count == 1)
        stage.now += 62_000
        #expect(try stage.run().delivered == 5)
        stage.add(6)
        stage.queue.items[5].dueAt = stage.now + 40 * 86_400_000
        #expect(try stage.run().delivered == 1)
    }
}
