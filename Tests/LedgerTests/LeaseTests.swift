import DeliveryMachine
import Glibc
import SessionDomain
import SystemCalls
import Testing

@testable import CaptureLedger

/// Whose claims are whose, as long as the kernel says that a worker lives.
@Suite struct LeaseTests {
    private static let verifier = DestinationName("verifier")

    @Test func `a claim of a live worker is nobody else's, however long it takes`() throws {
        let clock = TurnedClock()
        let temporary = try TemporaryLedger(clock: LedgerClock { clock.now })
        try confirm(3, in: temporary.ledger)
        let slow = LedgerDeliveryQueue(temporary.ledger)
        let claim = try #require(try slow.claim([quota(1)], nowMilliseconds: clock.now).first)
        clock.advance(30 * 86_400_000)
        let reopened = try temporary.reopened()
        defer { reopened.closeAndWait() }
        for other in [LedgerDeliveryQueue(temporary.ledger), LedgerDeliveryQueue(reopened)] {
            let others = try other.claim([quota(1)], nowMilliseconds: clock.now)
            #expect(others.count == 1 && others.allSatisfy { $0.id != claim.id })
            withExtendedLifetime(other) {}
        }
        #expect(try slow.settle([delivered(claim, clock.now)]).isEmpty)
        #expect(try temporary.ledger.deliveries().filter { $0.status == .verified }.map(\.id) == [claim.id])
    }

    @Test func `a worker that ends lets go at once: same process, no time passes, the count stays`() throws {
        let temporary = try TemporaryLedger()
        try confirm(1, in: temporary.ledger)
        let now = temporary.ledger.clock.nowMilliseconds()
        var first: LedgerDeliveryQueue? = LedgerDeliveryQueue(temporary.ledger)
        let lost = try #require(try first?.claim([quota(1)], nowMilliseconds: now).first)
        let second = LedgerDeliveryQueue(temporary.ledger)
        #expect(try second.claim([quota(1)], nowMilliseconds: now).isEmpty)
        first?.close()
        let taken = try #require(try second.claim([quota(1)], nowMilliseconds: now).first)
        #expect(taken.id == lost.id && taken.claims == lost.claims + 1 && taken.fence == lost.fence + 1)
        // what the first one still believes is refused, in whatever order it comes
        #expect(try first?.settle([delivered(lost, now)]) == [lost.id])
        try first?.release([lost])
        #expect(try second.settle([delivered(taken, now)]).isEmpty)
        #expect(try first?.settle([delivered(lost, now)]) == [lost.id])
        let delivery = try #require(try temporary.ledger.deliveries().first)
        #expect(try temporary.ledger.attempts(of: delivery).map(\.fence) == [taken.fence])
        #expect(try workerFiles(temporary).count == 1)
        second.close()
        first = nil
        #expect(try workerFiles(temporary).isEmpty)
    }

    @Test func `F3 what was erased or cancelled since its claim is given back, and spoils nothing for the others`() throws {
        let temporary = try TemporaryLedger()
        try confirm(3, in: temporary.ledger)
        let queue = LedgerDeliveryQueue(temporary.ledger)
        let claims = try queue.claim([quota(3)], nowMilliseconds: temporary.ledger.clock.nowMilliseconds())
        try #require(claims.count == 3)
        #expect(try queue.withdrawn(claims).isEmpty)
        _ = try temporary.ledger.erase(claims[0].session)
        _ = try temporary.ledger.cancel(claims[1].session, CommandOptions())
        #expect(try queue.withdrawn(claims) == [claims[0].id, claims[1].id])
        try queue.release(claims.filter { $0.id != claims[2].id })
        #expect(try queue.settle([delivered(claims[2], temporary.ledger.clock.nowMilliseconds())]).isEmpty)
        withExtendedLifetime(queue) {}
    }

    @Test func `F17 three workers die with one delivery in hand: the fourth claim says so, and others are not held up`()
        async throws
    {
        let temporary = try TemporaryLedger()
        try confirm(2, in: temporary.ledger)
        let path = temporary.path
        for _ in 1...3 {
            await #expect(processExitsWith: .signal(9)) { [path = path as String] in
                let ledger = try Ledger.open(folder: path)
                let queue = LedgerDeliveryQueue(ledger)
                let claims = try queue.claim(
                    [ClaimQuota(destination: DestinationName("verifier"), limit: 1)],
                    nowMilliseconds: ledger.clock.nowMilliseconds())
                precondition(claims.count == 1)
                withExtendedLifetime(queue) { _ = kill(getpid(), SIGKILL) }
            }
        }
        let queue = LedgerDeliveryQueue(temporary.ledger)
        let now = temporary.ledger.clock.nowMilliseconds()
        let claims = try queue.claim([quota(2)], nowMilliseconds: now)
        #expect(claims.map(\.claims) == [4, 1] && claims.map(\.fence) == [4, 1])
        let decider = DeliveryDecider(Destination(name: Self.verifier, kind: .verifier, url: "https://verifier.example/"))
        guard case .settle(let settlement) = decider.begin(claims[0], nowMilliseconds: now) else {
            Issue.record("the poisoned delivery would be tried again")
            return
        }
        #expect(settlement.state == .parked(.quarantined))
        _ = try queue.settle([ClaimEnding(claim: claims[0], settlement: settlement), delivered(claims[1], now)])
        #expect(try temporary.ledger.deliveries().map(\.status) == [.parked, .verified])
        #expect(try temporary.ledger.deliveries().first?.cause == "quarantined")
        // the dead left nothing behind
        #expect(try workerFiles(temporary).count == 1)
    }

    @Test func `a child that outlives its worker keeps nothing locked`() async throws {
        let temporary = try TemporaryLedger()
        try confirm(1, in: temporary.ledger)
        let path = temporary.path
        await #expect(processExitsWith: .signal(9)) { [path = path as String] in
            // the test's own pipes, which this process got open, must not stay open in the child
            for number in 3..<Int32(256) { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
            let ledger = try Ledger.open(folder: path)
            let queue = LedgerDeliveryQueue(ledger)
            let claims = try queue.claim(
                [ClaimQuota(destination: DestinationName("verifier"), limit: 1)],
                nowMilliseconds: ledger.clock.nowMilliseconds())
            precondition(claims.count == 1)
            let child = try ChildProcess(path: "/bin/sh", arguments: ["sh", "-c", "exec sleep 60 2>/dev/null"])
            try write("\(child.processID)", to: path + "/../child")
            withExtendedLifetime(queue) { _ = kill(getpid(), SIGKILL) }
        }
        let text = String(
            decoding: try FileDescriptor(opening: temporary.folder + "/child", .read).readToEnd(limit: 20), as: UTF8.self)
        let child = try #require(Int32(text))
        defer { _ = kill(child, SIGKILL) }
        #expect(kill(child, 0) == 0)
        let queue = LedgerDeliveryQueue(temporary.ledger)
        let now = temporary.ledger.clock.nowMilliseconds()
        #expect(try queue.claim([quota(1)], nowMilliseconds: now).map(\.claims) == [2])
        #expect(kill(child, 0) == 0)
    }

    @Test func `claims of all living workers count against what a destination allows, those of the dead do not`() throws {
        let temporary = try TemporaryLedger()
        try confirm(6, in: temporary.ledger)
        let now = temporary.ledger.clock.nowMilliseconds()
        let workers = (0..<3).map { _ in LedgerDeliveryQueue(temporary.ledger) }
        let asked = ClaimQuota(destination: Self.verifier, limit: 3, total: 4)
        let claims = try workers.map { try $0.claim([asked], nowMilliseconds: now) }
        #expect(claims.map(\.count) == [3, 1, 0])
        #expect(try workers[0].settle([delivered(claims[0][0], now)]).isEmpty)
        #expect(try workers[2].claim([asked], nowMilliseconds: now).count == 1)
        workers[0].close()
        #expect(try workers[2].claim([asked], nowMilliseconds: now).map(\.claims) == [2, 2])
    }

    @Test func `a worker whose lock file somebody removed works on under another name`() throws {
        let temporary = try TemporaryLedger()
        try confirm(2, in: temporary.ledger)
        let now = temporary.ledger.clock.nowMilliseconds()
        let queue = LedgerDeliveryQueue(temporary.ledger)
        let first = try #require(try queue.claim([quota(1)], nowMilliseconds: now).first)
        for file in try workerFiles(temporary) { try FileSystem.remove(file) }
        let second = try queue.claim([quota(2)], nowMilliseconds: now)
        #expect(Set(second.map(\.claims)) == [1, 2])
        #expect(try workerFiles(temporary).count == 1)
        #expect(try queue.settle([delivered(first, now)]) == [first.id])
        #expect(try queue.settle(second.map { delivered($0, now) }).isEmpty)
    }

    @Test func `F20 eight processes with 200 deliveries each: one attempt a delivery, nobody meets a lock`() async throws {
        let temporary = try TemporaryLedger()
        let path = temporary.path
        await withTaskGroup(of: Void.self) { group in
            for number in 1...8 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String, number = number as Int] in
                        let ledger = try Ledger.open(folder: path)
                        try confirm(200, in: ledger)
                        try FileDescriptor(opening: path + "/../here\(number)", .createNew).close()
                        while try (1...8).contains(where: { try FileStatus.of(path + "/../here\($0)") == nil }) {
                            usleep(2_000)
                        }
                        let queue = LedgerDeliveryQueue(ledger)
                        while true {
                            let now = ledger.clock.nowMilliseconds()
                            let claims = try queue.claim([quota(25)], nowMilliseconds: now, fixing: body)
                            if claims.isEmpty { break }
                            #expect(claims.allSatisfy { $0.frozen == body($0) })
                            #expect(try queue.settle(claims.map { delivered($0, now) }).isEmpty)
                        }
                        queue.close()
                        ledger.closeAndWait()
                    }
                }
            }
        }
        let deliveries = try temporary.ledger.deliveries(limit: 2_000)
        #expect(deliveries.count == 1_600)
        #expect(deliveries.allSatisfy { $0.status == .verified && $0.attempts == 1 && $0.claims == 0 && $0.holder == nil })
        #expect(try temporary.ledger.backlog() == Backlog())
        #expect(try workerFiles(temporary).isEmpty)
        temporary.ledger.closeAndWait()
        try Oracle.findsNothingWrong(path)
    }
}

private func workerFiles(_ temporary: TemporaryLedger) throws -> [String] { try tree(temporary.path + "/workers") }

private func quota(_ limit: Int) -> ClaimQuota { ClaimQuota(destination: DestinationName("verifier"), limit: limit) }

/// Sessions with one confirmed piece each.
private func confirm(_ count: Int, in ledger: Ledger) throws {
    for _ in 0..<count {
        var start = StartRequest(configuration: configuration([.selfie]))
        start.configuration.autoConfirm = true
        let session = try ledger.start(start).session
        _ = try ledger.capture(
            CaptureRequest(session: session, piece: .selfie, path: fixture("jpeg/tiny-baseline.jpg"), source: .camera))
    }
}

private func body(_ claim: ClaimedDelivery) -> FrozenBody {
    FrozenBody(
        contentType: "multipart/form-data", head: Array(claim.id.text.utf8), mediaForm: .raw, mediaBytes: claim.media.bytes,
        mediaSHA256: claim.media.sha256, tail: [])
}

private func delivered(_ claim: ClaimedDelivery, _ now: Int64) -> ClaimEnding {
    var work = claim.work
    work.attempts += 1
    let attempt = AttemptRecord(
        kind: .send, startedAtMilliseconds: now, finishedAtMilliseconds: now, certainty: .answered, curlCode: 0, status: 200,
        bytesSent: 1, bytesReceived: 1, explanation: .answered, tableVersion: 1)
    return ClaimEnding(
        claim: claim,
        settlement: Settlement(
            work: work, state: .delivered, attempt: attempt,
            outcome: .verified(payload: Array("{}".utf8), score: nil, drop: [])))
}

private func write(_ text: String, to path: String) throws {
    let file = try FileDescriptor(opening: path, .createNew)
    try file.write(Array(text.utf8).span)
    try file.synchronize()
}
