import CurlTransport
import DeliveryMachine
import Glibc
import SessionDomain
import Sync
import TestSupport
import Testing

/// Many deliveries that each meet another behaviour, in one run over shared connections: none may feel its neighbour.
@Suite struct CrowdTests {
    struct Member {
        let submission: Submission
        /// nil: the server is honest to it.
        let row: Row?
    }

    /// Behaviours that say nothing about the endpoint as a whole, so that the others go on.
    static let rows = Matrix.rows.filter { row in
        guard row.steps.count == 1, !row.isFreshOnly, row.before == nil, row.size < 1 << 20 || row.kind == .verifier else {
            return false
        }
        let expected = row.steps[0].expected
        switch expected.next {
        case .pauses, .disables, .polls: return false
        case .applied, .rejected, .waits, .parks: break
        }
        // what lasts as long as a time limit has a test of its own
        let isQuick = !["drip", "never-reads", "reads-slowly", "stall", "late", "early", "continues"].contains {
            row.steps[0].behaviour.hasPrefix($0)
        }
        return isQuick && !expected.why.isContractBreak && expected.why != .throttled && expected.why != .answerTooLong
            && row.steps[0].behaviour != "continue-then-stall"
    }

    @Test(arguments: [false, true])
    func `F17 every delivery of one run fares as if it were alone`(isSecure: Bool) throws {
        #expect(Self.rows.count > 80)
        for seed in [1, SeededRandom.seed(for: "CrowdTests")] { try play(isSecure, seed) }
    }

    private func play(_ isSecure: Bool, _ seed: UInt64) throws {
        let server = try HostileServer()
        var random = SeededGenerator(seed: seed)
        var members = Self.rows.enumerated().map { index, row in
            Member(submission: Submission(index + 1, kind: row.kind, size: row.size), row: row)
        }
        members += (0..<60).map { index in
            Member(
                submission: Submission(
                    1_000 + index, kind: index % 3 == 0 ? .hologram : .verifier, size: 300 + index * index * 60), row: nil)
        }
        members.shuffle(using: &random)
        let crowd = Crowd(server, isSecure: isSecure, seed: seed)
        for member in members {
            crowd.add(member.submission)
            if let step = member.row?.steps[0] {
                try server.rule(member.submission.claim.id, step.behaviour, step.options)
            } else if random.next() % 4 == 0 {
                // right, and something behind it that the next on this connection could take for its own
                let more = ["then-the-same-again", "then-a-refusal", "then-a-hologram", "then-a-timeout"].randomElement(
                    using: &random)!
                try server.rule(member.submission.claim.id, more, #"{"at-once":true}"#)
            }
        }

        let first = try crowd.run()
        var honest = 0
        for member in members {
            let item = crowd.queue.item(member.submission.claim.id)
            guard let row = member.row else {
                honest += 1
                #expect(item.state == .delivered && item.attempts.count == 1)
                continue
            }
            let expected = row.steps[0].expected
            // one whose pause was short is asked again within the run, and fares the same again
            #expect(
                !item.attempts.isEmpty
                    && item.attempts.allSatisfy { $0.certainty == expected.certainty && $0.explanation == expected.why }
                    && item.work.attempts == expected.attempts * item.attempts.count,
                "\(row.name), seed \(seed): \(item.attempts)")
            switch expected.next {
            case .applied, .rejected: #expect(item.state == .delivered, "\(row.name)")
            case .parks(let cause): #expect(item.state == .parked(cause), "\(row.name)")
            default: #expect(!item.isFinished, "\(row.name)")
            }
        }
        #expect(honest == 60 && first.delivered >= 60 && first.paused.isEmpty)

        for member in members where member.row != nil { try server.heal(member.submission.claim.id) }
        let last = try crowd.drain()
        #expect(last.left == 0)
        for member in members {
            let item = crowd.queue.item(member.submission.claim.id)
            if case .parked = item.state { continue }
            #expect(item.outcomes.count == 1)
            if member.row?.hasOwnAnswer != false, let outcome = item.outcomes.first {
                #expect(outcome.belongs(to: member.submission.identity), "\(member.row?.name ?? "honest"), seed \(seed)")
            }
        }
        let verdict = try server.verdict(deliveries: members.count)
        #expect(verdict.problems.isEmpty, "\(verdict.problems)")
    }

    @Test func `S80 a video that is destroyed once it was sent is sent whole once, whatever comes back`() throws {
        let server = try HostileServer()
        let crowd = Crowd(server, isSecure: false, seed: 3)
        crowd.change = { $0.destroysMediaAfterSending = true }
        let rows = Self.rows.filter { $0.steps[0].behaviour != "body" }
        var submissions: [Submission] = []
        for (index, row) in rows.enumerated() {
            let submission = Submission(index + 1, kind: .hologram, size: row.size)
            submissions.append(submission)
            crowd.add(submission)
            try server.rule(submission.claim.id, row.steps[0].behaviour, row.steps[0].options)
        }
        _ = try crowd.run()
        for submission in submissions { try server.heal(submission.claim.id) }
        #expect(try crowd.drain().left == 0)
        var wholes = 0
        for (row, submission) in zip(rows, submissions) {
            let item = crowd.queue.item(submission.claim.id)
            let whole = try server.requests(submission.claim.id).count { $0.isWhole && $0.method == "POST" }
            wholes += whole
            #expect(whole <= 1, "\(row.name)")
            #expect(item.isMediaDestroyed, "\(row.name)")
            if case .parked(let cause) = item.state {
                #expect(
                    item.outcomes.isEmpty && [.mediaDestroyed, .refusedByEndpoint, .keyReused].contains(cause), "\(row.name)")
            } else {
                #expect(item.outcomes.count == 1, "\(row.name)")
            }
        }
        #expect(wholes > 60)
        let verdict = try server.verdict(deliveries: rows.count)
        #expect(verdict.problems.isEmpty, "\(verdict.problems)")
    }

    @Test func `six deliveries that hang do not keep forty others waiting`() throws {
        let server = try HostileServer()
        let crowd = Crowd(server, isSecure: false, seed: 1)
        crowd.inFlightLimit = 8
        crowd.settings = { $0.totalTimeoutMilliseconds = 2_500 }
        let stalls = [
            "stall-without-answer", "stall-after-headers", "stall-mid-answer", "drip", "never-reads", "continue-then-stall",
        ]
        for number in 1...46 {
            let submission = Submission(number, kind: .verifier, size: 5_000)
            crowd.add(submission)
            if number <= 6 { try server.rule(submission.claim.id, stalls[number - 1]) }
        }
        let began = ContinuousClock.now
        let report = try crowd.run()
        #expect(report.delivered == 40 && report.left == 6 && report.retrying == 6)
        #expect(ContinuousClock.now - began < .seconds(12))
        for number in 1...6 { try server.heal(Claims.verifier(number).id) }
        #expect(try crowd.drain().left == 0)
        let verdict = try server.verdict(deliveries: 46)
        #expect(verdict.problems.isEmpty && verdict.effects == 46, "\(verdict)")
    }
}

extension Explanation {
    /// Two deliveries in a row pause the destination, which is right, and no trial of neighbours.
    fileprivate var isContractBreak: Bool {
        ClassificationTable.rows.contains { $0.explanation == self && $0.action == .contractBreak }
    }
}

/// One worker with both destinations, a queue in memory, and a transport on a thread of its own as in production.
final class Crowd {
    let queue = MemoryQueue()
    private let media = MemoryMedia()
    private let evidence = MemoryEvidence()
    private let server: HostileServer
    private let isSecure: Bool
    private let seed: UInt64
    private var ahead: Int64 = 0
    var inFlightLimit = 6
    var settings: (inout TransferSettings) -> Void = { $0.totalTimeoutMilliseconds = 30_000 }
    /// Changes both destinations before a run.
    var change: (inout Destination) -> Void = { _ in }

    init(_ server: HostileServer, isSecure: Bool, seed: UInt64) {
        self.server = server
        self.isSecure = isSecure
        self.seed = seed
    }

    func add(_ submission: Submission) {
        media.originals[submission.claim.capture] = .bytes(submission.media)
        queue.add(submission.claim)
    }

    private func destination(_ kind: Destination.Kind) -> Destination {
        let isVerifier = kind == .verifier
        var destination = Destination(
            name: isVerifier ? Claims.verifier : Claims.hologram, kind: kind,
            url: server.url(isVerifier ? "/verifier" : "/hologram", port: isSecure ? "tls" : "plain"))
        destination.inFlightLimit = inFlightLimit
        // a try again never falls into the same run by chance, and none is given up for its age
        destination.retry.baseMilliseconds = 86_400_000
        destination.retry.capMilliseconds = 86_400_000
        destination.retry.ageLimitMilliseconds = 1 << 50
        // dozens of behaviours in a row are no outage
        destination.breaker.failureLimit = 10_000
        destination.transfer.authorityFile = server.authority
        settings(&destination.transfer)
        change(&destination)
        return destination
    }

    func run() throws -> SyncReport {
        let ahead = ahead
        var options = SyncOptions()
        options.patienceMilliseconds = 0
        return try SyncRun(
            queue: queue, transport: CurlTransportThreads { CellSite.milliseconds(CLOCK_REALTIME) }, media: media,
            evidence: evidence, destinations: [destination(.verifier), destination(.hologram)], options: options,
            clock: SyncClock(
                nowMilliseconds: { CellSite.milliseconds(CLOCK_REALTIME) + ahead },
                steadyMilliseconds: { CellSite.milliseconds(CLOCK_BOOTTIME) }), random: SeededGenerator(seed: seed)
        ).run()
    }

    /// Runs a day and a bit apart until nothing is left.
    func drain(rounds: Int = 40) throws -> SyncReport {
        var report = try run()
        for _ in 0..<rounds where report.left > 0 { report = try nextDay() }
        return report
    }

    func nextDay() throws -> SyncReport {
        ahead += 90_000_000
        return try run()
    }
}
