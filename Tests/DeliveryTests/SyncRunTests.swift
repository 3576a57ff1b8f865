import DeliveryMachine
import SessionDomain
import Sync
import TestSupport
import Testing

/// The worker over scripted answers and a clock that only waiting moves.
@Suite struct SyncRunTests {
    @Test func `no more requests are under way than the destination allows`() throws {
        let stage = Stage()
        stage.destination.inFlightLimit = 3
        for number in 1...10 { stage.add(number) }
        let report = try stage.run()
        #expect(report.delivered == 10 && report.verdict == .drained)
        #expect(stage.transport.mostUnderWay == 3)
    }

    @Test func `in strict order a session waits for its first, a rejection lets the next through, and no other session waits`()
        throws
    {
        let stage = Stage()
        stage.server = { sent in
            let number = sent.request.token.uuid.low & 0xFFFF
            if number == 1 { return .answer(500, "") }
            if number == 3 {
                let capture = Stage.capture(sent)
                return .answer(200, #"{"outcome":"rejected","reason":"r","capture_id":"\#(capture)"}"#)
            }
            return Stage.yes(sent)
        }
        stage.add(1, session: 1, isStrict: true)
        stage.add(2, session: 1, isStrict: true)
        stage.add(3, session: 2, isStrict: true)
        stage.add(4, session: 2, isStrict: true)
        stage.add(5, session: 3)
        let report = try stage.run()
        #expect(Set(stage.order) == [1, 3, 4, 5])
        #expect(report.delivered == 3 && report.rejected == 1 && report.left == 2 && report.retrying == 1)
        stage.queue.items[0].state = .parked(.refusedByEndpoint)
        #expect(try stage.run().delivered == 1)
        #expect(stage.order.last == 2)
    }

    @Test func `the limit counts what was claimed`() throws {
        let stage = Stage()
        for number in 1...10 { stage.add(number) }
        let report = try stage.run { $0.limit = 4 }
        #expect(report.delivered == 4 && report.left == 6 && report.verdict == .workLeft)
        #expect(stage.transport.sent.count == 4)
    }

    @Test func `at the deadline what is under way is aborted, which spends no attempt and leaves no claim`() throws {
        let stage = Stage { _ in .hangs }
        stage.add(1)
        stage.add(2)
        let start = stage.now
        let report = try stage.run { $0.deadlineMilliseconds = 5_000 }
        #expect(stage.now - start == 5_000)
        #expect(report.left == 2 && report.verdict == .workLeft)
        #expect(stage.item(1).work.attempts == 0 && stage.item(1).work.isUnclear)
        #expect(stage.queue.items.allSatisfy { !$0.isClaimed })
        stage.server = Stage.yes
        #expect(try stage.run().delivered == 2)
        #expect(stage.transport.sent[0].body == stage.transport.sent[2].body)
    }

    @Test func `the first SIGTERM finishes what is under way and claims nothing more; the second aborts`() throws {
        let stage = Stage()
        stage.destination.inFlightLimit = 1
        stage.server = { sent in
            stage.stop = .finish
            return Stage.yes(sent)
        }
        for number in 1...3 { stage.add(number) }
        let report = try stage.run()
        #expect(report.delivered == 1 && report.left == 2)
        stage.stop = .none
        stage.server = { _ in
            stage.stop = .abort
            return .hangs
        }
        #expect(try stage.run().left == 2)
        #expect(stage.queue.items.allSatisfy { !$0.isClaimed })
    }

    @Test func `news has the queue asked while slow requests are under way, before the next look`() throws {
        let stage = Stage { _ in .hangs }
        stage.add(1)
        let run = stage.byHand()
        _ = try run.turn()
        stage.add(2)
        stage.now += 30
        _ = try run.turn()
        #expect(stage.order == [1])
        stage.news = true
        _ = try run.turn()
        #expect(stage.order == [1, 2] && !stage.news)
    }

    @Test func `S92 a claim that another worker took over is dropped without a word`() throws {
        let stage = Stage()
        stage.add(1)
        stage.server = { sent in
            stage.queue.items[0].fence += 1
            return Stage.yes(sent)
        }
        _ = try stage.run()
        #expect(stage.item(1).outcomes.isEmpty && stage.item(1).attempts.isEmpty)
    }

    @Test func `S92 a worker that dies three times with a delivery in hand does not get it a fourth time`() throws {
        let stage = Stage()
        stage.add(1)
        for _ in 1...3 {
            let claims = try stage.queue.claim([ClaimQuota(destination: Claims.verifier, limit: 1)], nowMilliseconds: stage.now)
            #expect(claims.count == 1)
            stage.queue.forgetHolder()
        }
        let report = try stage.run()
        #expect(stage.item(1).state == .parked(.quarantined))
        #expect(report.parked == 1 && stage.transport.sent.isEmpty)
    }

    @Test func `F3 what was claimed ahead and superseded before its turn is given back and not sent`() throws {
        let stage = Stage()
        stage.destination.inFlightLimit = 2
        for number in 1...6 { stage.add(number, session: number) }
        stage.server = { [unowned stage] sent in
            // a request that takes its time, while the fifth capture, which is claimed, is superseded
            if stage.transport.sent.count == 2 {
                #expect(stage.item(5).isClaimed)
                stage.now += 200
                stage.queue.items[4].isWithdrawn = true
            }
            return Stage.yes(sent)
        }
        _ = try stage.run()
        #expect(stage.order == [1, 2, 3, 4, 6])
        #expect(!stage.item(5).isClaimed && stage.item(5).claims == 0 && stage.item(5).attempts.isEmpty)
    }

    @Test func `a storage fault ends the run with its error, and the next run sends the same bytes`() throws {
        let stage = Stage()
        stage.add(1)
        stage.queue.failsNextSettlement = DeliveryFault(
            .init(rawValue: "storage_full"), message: "disk full", remedy: "make room")
        #expect(throws: DeliveryFault.self) { try stage.run() }
        stage.queue.forgetHolder()
        #expect(try stage.run().delivered == 1)
        #expect(stage.transport.sent.count == 2 && stage.transport.sent[0].body == stage.transport.sent[1].body)
        #expect(Set(stage.transport.sent.map { $0.header("Idempotency-Key") }).count == 1)
        #expect(Set(stage.transport.sent.map { $0.header("traceparent") }).count == 2)
    }

    @Test func `a claim that was lost and comes back while its own request is under way is given back`() throws {
        let stage = Stage { _ in .hangs }
        stage.add(1)
        let run = stage.byHand()
        _ = try run.turn()
        #expect(stage.transport.sent.count == 1)
        // taken for dead: another worker settles the delivery, which is due again
        stage.queue.die()
        let other = stage.queue.anotherWorker()
        let quota = ClaimQuota(destination: Claims.verifier, limit: 1)
        let taken = try #require(try other.claim([quota], nowMilliseconds: stage.now).first)
        let later = Settlement(
            work: taken.work, state: .waiting(untilMilliseconds: stage.now, because: .endpointFailed), attempt: nil)
        #expect(try other.settle([ClaimEnding(claim: taken, settlement: later)]).isEmpty)
        stage.now += 600
        _ = try run.turn()
        #expect(stage.transport.sent.count == 1)
        #expect(stage.item(1).fence == 3 && !stage.item(1).isClaimed && stage.item(1).claims == 0)
    }

    @Test func `bytes that an older version froze are sent as they are`() throws {
        let stage = Stage { _ in .answer(500, "") }
        stage.add(1)
        let media = Claims.verifier(1).media
        let old = FrozenBody(
            contentType: "multipart/form-data; boundary=old", head: Array("old head ".utf8), mediaForm: .raw,
            mediaBytes: media.bytes, mediaSHA256: media.sha256, tail: Array(" old tail".utf8))
        stage.queue.items[0].frozen = old
        _ = try stage.run()
        let sent = try #require(stage.transport.sent.first)
        #expect(String(decoding: sent.body, as: UTF8.self) == "old head hello old tail")
        #expect(sent.header("content-type") == old.contentType)
    }

    @Test func `an answer that cannot be kept does not count`() throws {
        let stage = Stage()
        stage.add(1)
        stage.evidence.fault = DeliveryFault(.evidenceUnavailable, message: "disk full", remedy: "make room")
        #expect(try stage.run().left == 1)
        #expect(stage.item(1).outcomes.isEmpty && stage.item(1).work.isUnclear && !stage.item(1).isClaimed)
        stage.evidence.fault = nil
        stage.now += 10_000
        #expect(try stage.run().delivered == 1)
    }

    @Test func `media that is missing, altered or of another length is parked and never sent`() throws {
        let stage = Stage()
        for number in 1...3 { stage.add(number) }
        let fault = DeliveryFault(.mediaUnreadable, message: "altered", remedy: "verify")
        stage.media.originals[Claims.verifier(1).capture] = .fault(fault)
        stage.media.originals[Claims.verifier(2).capture] = .bytes([1])
        let report = try stage.run()
        #expect(report.parked == 2 && report.delivered == 1)
        #expect(stage.item(1).state == .parked(.mediaUnreadable) && stage.item(2).state == .parked(.mediaUnreadable))
        #expect(stage.order == [3])
    }

    @Test func `media that cannot be reached at present is waited for, spends nothing and holds up nobody else`() throws {
        let stage = Stage()
        for number in 1...2 { stage.add(number) }
        let whole = stage.media.originals[Claims.verifier(1).capture]
        let fault = DeliveryFault(.mediaUnavailable, message: "too many open files", remedy: "raise the limit")
        stage.media.originals[Claims.verifier(1).capture] = .fault(fault)
        let report = try stage.run()
        #expect(report.parked == 0 && report.delivered == 1 && report.left == 1)
        #expect(stage.order == [2])
        #expect(stage.item(1).work.attempts == 0)
        stage.media.originals[Claims.verifier(1).capture] = whole
        stage.now += 60_000
        #expect(try stage.run().delivered == 1)
    }

    @Test func `every destination paused is its own verdict, and a paused one gets one probe`() throws {
        let stage = Stage { _ in .answer(404, "") }
        for number in 1...6 { stage.add(number) }
        let report = try stage.run()
        #expect(report.verdict == .everyDestinationPaused && report.paused == [Claims.verifier] && report.left == 6)
        let before = stage.transport.sent.count
        #expect(before <= 4)
        _ = try stage.run()
        #expect(stage.transport.sent.count == before)
        stage.now += 900_000
        _ = try stage.run()
        #expect(stage.transport.sent.count == before + 1)
        stage.now += 900_001
        stage.server = Stage.yes
        let healed = try stage.run()
        #expect(healed.delivered == 6 && healed.paused.isEmpty)
        #expect(stage.queue.items.allSatisfy { $0.attempts.count <= 3 && $0.work.attempts == 1 })
    }

    @Test func `a destination that nothing waits for is no reason to go on: what has work decides`() throws {
        let stage = Stage { _ in .answer(404, "") }
        stage.others = [Destination(name: DestinationName("idle"), kind: .verifier, url: "https://i.example/submit")]
        for number in 1...3 { stage.add(number) }
        let report = try stage.run()
        #expect(report.verdict == .everyDestinationPaused && report.paused == [Claims.verifier] && report.left == 3)
    }

    @Test func `another credential lifts a pause after 401`() throws {
        let stage = Stage { _ in .answer(401, "") }
        stage.destination.credentialFingerprint = "one"
        stage.add(1)
        #expect(try stage.run().verdict == .everyDestinationPaused)
        stage.server = Stage.yes
        stage.now += 30 * 86_400_000
        #expect(try stage.run().delivered == 0)
        stage.destination.credentialFingerprint = "two"
        #expect(try stage.run().delivered == 1)
    }

    @Test func `a destination that cannot be reached is left alone for the rest of the run`() throws {
        let stage = Stage { _ in .broken(code: 7, bytesSent: 0) }
        for number in 1...50 { stage.add(number) }
        let report = try stage.run()
        #expect(report.left == 50)
        #expect(stage.transport.sent.count <= 8)
        #expect(stage.queue.items.allSatisfy { $0.work == DeliveryWork() })
    }

    @Test func `a throttled destination is left alone as long as it asks`() throws {
        let stage = Stage { _ in .answer(503, headers: [Header("Retry-After", "60")], "") }
        stage.destination.inFlightLimit = 1
        for number in 1...10 { stage.add(number) }
        _ = try stage.run()
        #expect(stage.transport.sent.count == 1)
    }

    @Test func `a run that finds nothing due waits a moment for what nearly is, and not longer`() throws {
        let stage = Stage()
        stage.add(1)
        stage.queue.items[0].dueAt = stage.now + 4_000
        #expect(try stage.run().delivered == 1)
        stage.add(2)
        stage.queue.items[1].dueAt = stage.now + 60_000
        let start = stage.now
        #expect(try stage.run().left == 1)
        #expect(stage.now == start)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a run ends although something due is held back by its session's order`() throws {
        let stage = Stage()
        stage.add(1, isStrict: true)
        stage.add(2, isStrict: true)
        stage.queue.items[0].dueAt = stage.now + 60_000
        #expect(try stage.run().left == 2)
        #expect(stage.transport.sent.isEmpty)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a run ends although the outcome that it waits for may not be asked for any more`() throws {
        let stage = Stage { _ in .answer(202, headers: [Header("Location", "/status/1")], "") }
        stage.add(1)
        let server = stage.server
        stage.server = { sent in
            stage.queue.states[Claims.verifier, default: DestinationState()].pause = DestinationPause(
                reason: Explanation(rawValue: "by_operator"), sinceMilliseconds: 0, probeAtMilliseconds: nil)
            return server(sent)
        }
        let report = try stage.run()
        #expect(report.left == 1 && report.verdict == .everyDestinationPaused)
        #expect(stage.transport.sent.count == 1)
    }

    @Test func `F2 F3 a later capture has a key and a body of its own`() throws {
        let stage = Stage()
        stage.add(1)
        stage.add(2)
        _ = try stage.run()
        #expect(Set(stage.transport.sent.map { $0.header("idempotency-key") }).count == 2)
        #expect(Set(stage.transport.sent.map(Stage.capture)).count == 2)
        let first = Claims.verifier(1)
        #expect(!String(decoding: stage.transport.sent[1].body, as: UTF8.self).contains(first.capture.text))
    }
}
