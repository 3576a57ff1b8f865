import DeliveryMachine
import SessionDomain
import Testing

/// Faults that people met, by name, against a server that does them.
@Suite struct FieldReportTests {
    private func crowd(
        _ server: HostileServer, _ count: Int, change: @escaping (inout Destination) -> Void = { _ in }
    ) -> (Crowd, [Submission]) {
        let crowd = Crowd(server, isSecure: false, seed: 7)
        crowd.change = change
        let submissions = (1...count).map { Submission($0, kind: .verifier, size: 400) }
        for submission in submissions { crowd.add(submission) }
        return (crowd, submissions)
    }

    @Test func `F1 a server that answers 500 to what it has already is asked, and says what it has`() throws {
        let server = try HostileServer()
        let (crowd, submissions) = crowd(server, 1) { $0.statusURL = server.url("/status/{key}") }
        let id = submissions[0].claim.id
        try server.rule(id, "duplicates-fail")
        #expect(try crowd.run().left == 1)
        #expect(try crowd.drain().left == 0)
        let item = crowd.queue.item(id)
        #expect(item.outcomes.count == 1 && item.attempts.map(\.kind) == [.send, .statusQuery])
        #expect(item.work.attempts == 2)
        #expect(try server.requests(id).map(\.taken) == ["effect", "no"])
        #expect(try server.verdict(deliveries: 1).problems.isEmpty)
    }

    @Test func `F1 F18 a server that answers 500 to what it has already, and cannot be asked, ends the tries at the cap`()
        throws
    {
        let server = try HostileServer()
        let (crowd, submissions) = crowd(server, 1) { $0.retry.attemptLimit = 6 }
        let id = submissions[0].claim.id
        try server.rule(id, "duplicates-fail")
        #expect(try crowd.drain().left == 0)
        #expect(crowd.queue.item(id).state == .parked(.failedPermanently) && crowd.queue.item(id).work.attempts == 6)
        #expect(try server.requests(id).map(\.taken) == ["effect"] + [String](repeating: "repeat", count: 5))
        #expect(try server.verdict(deliveries: 1).problems.isEmpty)
    }

    @Test func `F15 a captive portal pauses the destination at the second page, and nothing is taken for a yes`() throws {
        let server = try HostileServer()
        let (crowd, submissions) = crowd(server, 30)
        crowd.inFlightLimit = 1
        for submission in submissions { try server.rule(submission.claim.id, "body", #"{"is":"html"}"#) }
        let report = try crowd.run()
        #expect(report.delivered == 0 && report.left == 30 && report.paused.map(\.text) == ["verifier"])
        let tried = submissions.count { crowd.queue.item($0.claim.id).attempts.count > 0 }
        #expect(tried == 2)
        for submission in submissions { try server.heal(submission.claim.id) }
        #expect(try crowd.drain().left == 0)
        #expect(submissions.allSatisfy { crowd.queue.item($0.claim.id).outcomes.count == 1 })
        let verdict = try server.verdict(deliveries: 30)
        #expect(verdict.problems.isEmpty && verdict.effects == 30)
    }

    @Test func `F16 whatever ends a transfer, no POST is made that the worker did not count`() throws {
        let server = try HostileServer()
        let behaviours = [
            "reset-before-reading", "reset-without-answer", "close-without-answer", "close-mid-answer", "hints-then-reset",
            "garbage", "short-body", "continue-then-close",
        ]
        let (crowd, submissions) = crowd(server, behaviours.count * 3)
        crowd.inFlightLimit = 2
        for (index, submission) in submissions.enumerated() where index % 3 == 1 {
            try server.rule(submission.claim.id, behaviours[index / 3], times: 2)
        }
        #expect(try crowd.drain().left == 0)
        for (index, submission) in submissions.enumerated() {
            let posts = try server.requests(submission.claim.id).filter { $0.method == "POST" }
            let item = crowd.queue.item(submission.claim.id)
            #expect(posts.count == item.attempts.count && posts.count == (index % 3 == 1 ? 3 : 1), "\(behaviours[index / 3])")
            #expect(Set(posts.compactMap(\.digest)).count == 1)
        }
        let verdict = try server.verdict(deliveries: submissions.count)
        #expect(verdict.problems.isEmpty && verdict.effects == submissions.count)
    }

    @Test func `F17 three poisoned deliveries among twenty hold up nobody, and are parked with their reasons`() throws {
        let server = try HostileServer()
        let (crowd, submissions) = crowd(server, 20)
        crowd.change = { $0.breaker.failureLimit = 5 }
        try server.rule(submissions[0].claim.id, "status", #"{"status":500}"#)
        try server.rule(submissions[7].claim.id, "body", #"{"is":"no-outcome"}"#)
        try server.rule(submissions[13].claim.id, "close-without-answer")
        let first = try crowd.run()
        #expect(first.delivered == 17 && first.left == 3 && first.paused.isEmpty)
        #expect(try crowd.drain().left == 0)
        let states = [0, 7, 13].map { crowd.queue.item(submissions[$0].claim.id).state }
        #expect(states == [.parked(.failedPermanently), .parked(.contractBreak), .parked(.failedPermanently)])
        #expect(crowd.queue.item(submissions[7].claim.id).work.attempts == 3)
        let verdict = try server.verdict(deliveries: 20)
        #expect(verdict.problems.isEmpty && verdict.effects == 18)
    }

    @Test func `F18 the tries end at the cap, once, whatever the failure is`() throws {
        let server = try HostileServer()
        let behaviours = ["reset-without-answer", "garbage", "close-mid-headers", "chunked-cut", "huge-header"]
        let (crowd, submissions) = crowd(server, behaviours.count) { $0.retry.attemptLimit = 4 }
        for (submission, behaviour) in zip(submissions, behaviours) { try server.rule(submission.claim.id, behaviour) }
        var parked = 0
        for _ in 0..<12 { parked += try crowd.nextDay().parked }
        #expect(parked == behaviours.count)
        for submission in submissions {
            let item = crowd.queue.item(submission.claim.id)
            #expect(item.state == .parked(.failedPermanently) && item.work.attempts == 4 && item.attempts.count == 4)
            #expect(item.attempts.last?.explanation == .attemptsSpent)
            #expect(try server.requests(submission.claim.id).count == 4)
        }
        #expect(try server.verdict(deliveries: behaviours.count).problems.isEmpty)
    }

    @Test func `421 is answered over a connection of its own, in the same run`() throws {
        let server = try HostileServer()
        let (crowd, submissions) = crowd(server, 2) {
            $0.retry.baseMilliseconds = 1
            $0.retry.capMilliseconds = 1
        }
        crowd.inFlightLimit = 1
        let id = submissions[1].claim.id
        try server.rule(id, "status", #"{"status":421}"#, times: 1)
        #expect(try crowd.run().left == 0)
        let seen = try server.requests(id)
        try #require(seen.count == 2)
        #expect(seen[0].connection != seen[1].connection && seen[1].request == 1)
        #expect(try server.requests(submissions[0].claim.id).first?.connection == seen[0].connection)
    }

    @Test func `409 is waited for with the same key until the first request's outcome is there`() throws {
        let server = try HostileServer()
        let (crowd, submissions) = crowd(server, 1)
        let id = submissions[0].claim.id
        try server.rule(id, "reset-without-answer", times: 1)
        _ = try crowd.run()
        try server.rule(id, "status", #"{"status":409}"#, times: 3)
        for _ in 0..<3 {
            #expect(try crowd.nextDay().left == 1)
            #expect(crowd.queue.item(id).attempts.last?.explanation == .stillInProgress)
        }
        #expect(try crowd.drain().left == 0)
        let seen = try server.requests(id)
        #expect(seen.count == 5 && seen.map(\.taken) == ["effect", "no", "no", "no", "repeat"])
        #expect(crowd.queue.item(id).outcomes.count == 1)
        #expect(try server.verdict(deliveries: 1).problems.isEmpty)
    }
}
