import DeliveryMachine
import Glibc
import SessionDomain
import SystemCalls
import Testing

@testable import CaptureLedger

/// Several processes on one ledger.
@Suite struct ProcessTests {
    private static let processes = 8
    private static let rounds = 25

    @Test func `F20 eight processes append at once: nobody fails, nothing is lost, positions are 1 to n`() async throws {
        let temporary = try TemporaryLedger()
        let shared = try temporary.ledger.start(StartRequest(configuration: configuration([.selfie]))).session.text
        let path = temporary.path
        await withTaskGroup(of: Void.self) { group in
            for number in 1...Self.processes {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [path = path as String, shared = shared as String, number = number as Int] in
                        let ledger = try Ledger.open(folder: path)
                        let common = try #require(SessionID(shared))
                        try FileDescriptor(opening: path + "/../here\(number)", .createNew).close()
                        while try (1...8).contains(where: { try FileStatus.of(path + "/../here\($0)") == nil }) {
                            usleep(1_000)
                        }
                        for round in 1...25 {
                            // sessions of one's own, and one session that all of them change
                            var start = StartRequest(configuration: configuration([.selfie]))
                            start.clientKey = "client-\(number)-\(round)"
                            let session = try ledger.start(start).session
                            var options = CommandOptions()
                            options.commandID = CommandID("own-\(number)-\(round)")
                            _ = try ledger.suspend(session, options)
                            options.commandID = CommandID("shared-\(number)-\(round)")
                            _ = try round.isMultiple(of: 2) ? ledger.resume(common, options) : ledger.suspend(common, options)
                            if round == 13 {
                                _ = try ledger.capture(
                                    CaptureRequest(
                                        session: try ledger.start(StartRequest(configuration: configuration([.selfie])))
                                            .session,
                                        piece: .selfie, path: fixture("selfie.jpg"), source: .camera))
                            }
                        }
                        ledger.closeAndWait()
                    }
                }
            }
        }
        let ledger = temporary.ledger
        let events = try ledger.events(after: 0, limit: 10_000)
        #expect(events.map(\.position) == Array(1...Int64(events.count)))
        #expect(try ledger.lastPosition() == Int64(events.count))
        let mine = Self.processes * Self.rounds
        #expect(events.count { $0.commandID?.hasPrefix("own-") == true } == mine)
        #expect(events.count { $0.type == "piece_captured" } == Self.processes)
        for number in 1...Self.processes {
            for round in 1...Self.rounds { #expect(try ledger.find(.clientKey("client-\(number)-\(round)")).count == 1) }
        }
        let common = try #require(SessionID(shared))
        let timeline = try ledger.timeline(common)
        #expect(timeline.map(\.version) == Array(1...Int64(timeline.count)))
        // suspended and resumed in turn, whoever did it: each decision saw what the one before it had left
        #expect(
            timeline.dropFirst().enumerated().allSatisfy {
                $1.type == ($0.isMultiple(of: 2) ? "session_suspended" : "session_resumed")
            })
        ledger.closeAndWait()
        try Oracle.findsNothingWrong(temporary.path)
    }

    @Test func `eight processes begin one session with one client key, and there is one`() async throws {
        let temporary = try TemporaryLedger()
        let path = temporary.path
        await withTaskGroup(of: Void.self) { group in
            for number in 1...Self.processes {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String, number = number as Int] in
                        let ledger = try Ledger.open(folder: path)
                        try FileDescriptor(opening: path + "/../here\(number)", .createNew).close()
                        while try (1...8).contains(where: { try FileStatus.of(path + "/../here\($0)") == nil }) {
                            usleep(1_000)
                        }
                        var start = StartRequest(configuration: configuration([.selfie]))
                        start.clientKey = "the same for all"
                        start.commandID = CommandID("begin")
                        _ = try ledger.start(start)
                        ledger.closeAndWait()
                    }
                }
            }
        }
        #expect(try temporary.ledger.events(after: 0).map(\.type) == ["session_started"])
        #expect(try temporary.ledger.find(.clientKey("the same for all")).count == 1)
    }

    @Test func `F20 eight workers, one of which is killed with claims in hand, send each delivery once`() async throws {
        let temporary = try TemporaryLedger()
        let sessions = try (0..<24).map { _ in
            var start = StartRequest(configuration: configuration([.selfie]))
            start.configuration.autoConfirm = true
            let session = try temporary.ledger.start(start).session
            _ = try temporary.ledger.capture(
                CaptureRequest(session: session, piece: .selfie, path: fixture("jpeg/baseline.jpg"), source: .camera))
            return session
        }
        let path = temporary.path
        await #expect(processExitsWith: .signal(9)) { [path = path as String] in
            let ledger = try Ledger.open(folder: path)
            let queue = LedgerDeliveryQueue(ledger)
            let claims = try queue.claim(
                [ClaimQuota(destination: DestinationName("verifier"), limit: 7)],
                nowMilliseconds: ledger.clock.nowMilliseconds())
            precondition(claims.count == 7)
            withExtendedLifetime(queue) { _ = kill(getpid(), SIGKILL) }
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 1...Self.processes {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String] in try Self.work(path) }
                }
            }
        }
        for session in sessions { #expect(try temporary.ledger.session(session).flow.status == .completed) }
        for delivery in try temporary.ledger.deliveries() {
            #expect(delivery.status == .verified && delivery.attempts == 1)
            #expect(try temporary.ledger.attempts(of: delivery).count == 1)
        }
        temporary.ledger.closeAndWait()
        try Oracle.findsNothingWrong(path)
    }

    /// A worker that takes its turn until nothing is left.
    private static func work(_ path: String) throws {
        let ledger = try Ledger.open(folder: path)
        while try ledger.backlog().waiting > 0 {
            let queue = LedgerDeliveryQueue(ledger)
            let now = ledger.clock.nowMilliseconds()
            for claim in try queue.claim([ClaimQuota(destination: DestinationName("verifier"), limit: 3)], nowMilliseconds: now)
            {
                var work = claim.work
                work.attempts += 1
                let attempt = AttemptRecord(
                    kind: .send, startedAtMilliseconds: now, finishedAtMilliseconds: now, certainty: .answered, curlCode: 0,
                    status: 200, bytesSent: 1, bytesReceived: 1, explanation: .answered, tableVersion: 1)
                let settlement = Settlement(
                    work: work, state: .delivered, attempt: attempt,
                    outcome: .verified(payload: Array("{}".utf8), score: nil, drop: []))
                #expect(try queue.settle([ClaimEnding(claim: claim, settlement: settlement)]).isEmpty)
            }
        }
        ledger.closeAndWait()
    }
}
