import DeliveryMachine
import SessionDomain
import Sync
import Synchronization
import TestSupport
import Testing

/// What a run does while one of its steps waits for the disk.
@Suite struct AsideTests {
    /// The disk is slow: a step takes as long as something happens meanwhile.
    private final class SlowDisk: Aside {
        private let happened: () -> Int
        private(set) var steps = 0
        /// What happened in the middle of steps.
        private(set) var meanwhiles = 0

        init(_ happened: @escaping () -> Int) { self.happened = happened }

        func run(_ work: @escaping () -> Void, meanwhile: () -> Bool) {
            steps += 1
            let start = happened()
            for _ in 0..<3 where meanwhile() {}
            meanwhiles += happened() - start
            work()
        }
    }

    private func stage(
        _ count: Int, _ server: @escaping (ScriptedTransport.Sent) -> ScriptedTransport.Reply = { Stage.yes($0) }
    )
        -> (Stage, SlowDisk)
    {
        let stage = Stage(server)
        stage.destination.inFlightLimit = 8
        for number in 1...count { stage.add(number, session: number) }
        let disk = SlowDisk { [unowned stage] in stage.transport.sent.count }
        stage.aside = disk
        return (stage, disk)
    }

    @Test func `while a step waits for the disk, answers are judged and prepared requests begin`() throws {
        let (stage, disk) = stage(300)
        let report = try stage.run()
        #expect(report.delivered == 300 && report.verdict == .drained)
        #expect(disk.steps > 6)
        #expect(disk.meanwhiles > 100, "only \(disk.meanwhiles) of 300 began while a step was done aside")
        #expect(Set(stage.order).count == 300 && stage.order.count == 300, "sent twice")
        #expect(stage.transport.mostUnderWay == 8)
        #expect(stage.evidence.answers.count == 300)
        #expect(stage.queue.items.allSatisfy { $0.state == .delivered && !$0.isClaimed })
    }

    @Test func `however long a step lasts, few requests begin whose outcome is not written`() throws {
        /// It writes nothing for as long as anything goes on.
        final class StuckDisk: Aside {
            func run(_ work: @escaping () -> Void, meanwhile: () -> Bool) {
                for _ in 0..<40 where meanwhile() {}
                work()
            }
        }
        let (stage, _) = stage(1_000)
        stage.destination.inFlightLimit = 16
        let queue = stage.queue
        var most = 0
        stage.server = { [unowned stage] sent in
            most = max(most, stage.transport.sent.count - queue.items.count { $0.state == .delivered })
            return Stage.yes(sent)
        }
        stage.aside = StuckDisk()
        #expect(try stage.run().delivered == 1_000)
        #expect((100...128).contains(most), "\(most) had begun whose outcome was not written")
    }

    @Test func `what an answer says counts at once, also while a step is done aside`() throws {
        // one of these refusals is judged while a batch is settled, in front of the next claim
        for first in 20...90 {
            let (stage, _) = stage(150) { sent in
                sent.request.token.uuid.low & 0xFFFF < UInt64(first) ? Stage.yes(sent) : .answer(403, "")
            }
            let report = try stage.run()
            #expect(report.paused == [Claims.verifier])
            #expect(stage.transport.sent.count < first + 8, "requests began behind a pause, the first refusal being \(first)")
            #expect(stage.queue.items.allSatisfy { !$0.isClaimed && $0.claims == 0 })
        }
    }

    @Test func `nothing is claimed past a pause that is on record, though an answer has just lifted it`() throws {
        var lifted = 0
        for refused in 10...90 {
            let (stage, _) = stage(150)
            stage.transport.heardAtOnce = 1
            var isRefused = false
            var begunPaused = 0
            stage.server = { [unowned stage] sent in
                if stage.queue.states[Claims.verifier]?.pause != nil { begunPaused += 1 }
                guard !isRefused, sent.request.token.uuid.low & 0xFFFF == UInt64(refused) else { return Stage.yes(sent) }
                isRefused = true
                // so long that the queue is asked whatever is known
                stage.now += 600
                return .answer(403, "")
            }
            if try stage.run().delivered == 150 { lifted += 1 }
            #expect(begunPaused == 0, "\(begunPaused) requests began in a pause, the refusal being \(refused)")
        }
        #expect(lifted > 40, "only \(lifted) of 81 pauses were lifted by an answer that was under way")
    }

    @Test(arguments: [StopRequest.finish, .abort])
    func `nothing begins once the run was told to stop, and what ended is settled`(stop: StopRequest) throws {
        let (stage, _) = stage(100)
        stage.server = { [unowned stage] sent in
            if stage.transport.sent.count == 30 { stage.stop = stop }
            return Stage.yes(sent)
        }
        let report = try stage.run()
        #expect((30..<38).contains(stage.transport.sent.count))
        #expect(report.delivered == stage.transport.sent.count)
        #expect(stage.queue.items.allSatisfy { !$0.isClaimed })
    }

    @Test func `a step counts whose meanwhile went wrong, and then the run ends`() throws {
        let (stage, disk) = stage(60)
        let broken = DeliveryFault(.transportUnavailable, message: "Broken.", remedy: "Run again.")
        // in the middle of the first step that has something to begin, the credential store fails
        final class Failing: RequestAuthority {
            let fault: DeliveryFault
            let isOver: () -> Bool
            init(_ fault: DeliveryFault, _ isOver: @escaping () -> Bool) { (self.fault, self.isOver) = (fault, isOver) }
            func headers(for request: TransferRequest, to destination: Destination) throws(DeliveryFault) -> [Header] {
                if isOver() { throw fault }
                return []
            }
            func renew(_ destination: Destination) throws(DeliveryFault) -> Bool { false }
            func fingerprint(of destination: Destination) -> String? { nil }
        }
        stage.authority = Failing(broken) { [unowned disk] in disk.steps >= 3 }
        #expect(throws: broken) { try stage.run() }
        let settled = stage.queue.items.count { $0.state == .delivered }
        #expect(settled > 0 && settled == stage.evidence.answers.count)
    }

    @Test func `a run in which nothing could begin settles what it found out`() throws {
        let stage = Stage()
        for number in 1...9 {
            stage.add(number, session: number)
            stage.media.originals[Claims.verifier(number).capture] = nil
        }
        #expect(try stage.run().parked == 9)
        #expect(stage.queue.items.allSatisfy { !$0.isClaimed })
    }

    @Test func `a thread aside does the work once, while its caller goes on, and wakes it`() throws {
        let wakes = Atomic(0)
        let aside = AsideThread { wakes.add(1, ordering: .relaxed) }
        for calls in [0, 1, 1_000] {
            let counts = Mutex((work: 0, calls: 0))
            aside.run {
                // it lasts as long as its caller goes on, so that both are seen side by side
                while counts.withLock({ $0.calls }) < calls {}
                counts.withLock { $0.work += 1 }
            } meanwhile: {
                counts.withLock { counts in
                    counts.calls += 1
                    return counts.calls < calls
                }
            }
            #expect(counts.withLock { $0.work } == 1)
            #expect(counts.withLock { $0.calls } >= calls)
        }
        #expect((2...3).contains(wakes.load(ordering: .relaxed)))
    }
}
