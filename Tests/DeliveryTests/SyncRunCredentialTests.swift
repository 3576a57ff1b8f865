import DeliveryMachine
import SessionDomain
import Sync
import TestSupport
import Testing

/// What a run does with credentials that are refused, renewed, or not to be had.
@Suite struct SyncRunCredentialTests {
    /// A token that can be renewed, and says what it was asked.
    final class Authority: RequestAuthority {
        var token: String?
        var next: String?
        var renewals = 0
        var isRenewable = true
        var fault: DeliveryFault?
        /// Asking for another token fails like that.
        var renewalFault = DeliveryFault(.credentialUnavailable, message: "No token.", remedy: "Write one.")

        var onWait: () -> Void = {}

        init(_ token: String?, next: String? = nil) {
            self.token = token
            self.next = next
        }

        func headers(for request: TransferRequest, to destination: Destination) throws(DeliveryFault) -> [Header] {
            if let fault {
                onWait()
                throw fault
            }
            guard let token else {
                throw DeliveryFault(.credentialUnavailable, message: "No token.", remedy: "Write one.")
            }
            return [Header("Authorization", token)]
        }

        func renew(_ destination: Destination) throws(DeliveryFault) -> Bool {
            renewals += 1
            onWait()
            guard let next else { throw renewalFault }
            token = next
            return isRenewable
        }

        func fingerprint(of destination: Destination) -> String? { token }
    }

    private func stage(_ authority: Authority, good: Set<String>) -> Stage {
        let stage = Stage { sent in
            good.contains(sent.header("authorization") ?? "") ? Stage.yes(sent) : .answer(401, "")
        }
        stage.authority = authority
        return stage
    }

    @Test func `a refused credential is renewed once, and what was sent with the old one goes out again at once`() throws {
        let authority = Authority("old", next: "new")
        let stage = stage(authority, good: ["new"])
        for number in 1...20 { stage.add(number) }
        let report = try stage.run()
        #expect(report.delivered == 20 && report.paused.isEmpty && authority.renewals == 1)
        #expect(stage.queue.items.allSatisfy { $0.work.attempts == 1 })
        #expect(stage.queue.items.contains { $0.attempts.first?.explanation == .credentialRenewed })
        #expect(Set(stage.transport.sent.map { $0.header("idempotency-key") }).count == 20)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a renewed credential that is refused too pauses the destination after one renewal`() throws {
        let authority = Authority("old", next: "bad")
        let stage = stage(authority, good: [])
        for number in 1...20 { stage.add(number) }
        let report = try stage.run()
        #expect(report.verdict == .everyDestinationPaused && authority.renewals == 1)
        let pause = try #require(stage.queue.states[Claims.verifier]?.pause)
        #expect(pause.reason == .unauthorized && pause.credentialFingerprint == "bad" && pause.probeAtMilliseconds == nil)
        #expect(stage.transport.sent.count <= 8)
        #expect(stage.queue.items.allSatisfy { $0.work.attempts == 0 && !$0.isClaimed })
        // nothing until the credential changes, and then everything, at once
        stage.now += 30 * 86_400_000
        #expect(try stage.run().delivered == 0)
        authority.token = "good"
        stage.server = Stage.yes
        #expect(try stage.run().delivered == 20)
        #expect(authority.renewals == 1)
    }

    @Test(.timeLimit(.minutes(1)))
    func `an authority whose every token is new and refused is not asked for ever`() throws {
        let authority = Authority("0", next: "1")
        let stage = stage(authority, good: [])
        stage.add(1)
        stage.add(2)
        stage.server = { _ in
            authority.token = "\(stage.transport.sent.count)"
            if stage.transport.sent.count > 50 { stage.stop = .finish }
            return .answer(401, "")
        }
        let report = try stage.run()
        #expect(report.left == 2 && stage.transport.sent.count <= 5)
    }

    @Test func `a token service that is away when a token is refused needs no person`() throws {
        let authority = Authority("old")
        let stage = stage(authority, good: ["new"])
        for number in 1...3 { stage.add(number) }
        #expect(try stage.run().verdict == .everyDestinationPaused)
        let pause = try #require(stage.queue.states[Claims.verifier]?.pause)
        #expect(pause.reason == .credentialUnavailable && pause.probeAtMilliseconds == stage.now + 60_000)
        #expect(stage.queue.items.allSatisfy { $0.work.attempts == 0 && !$0.isClaimed })
        // looked at again within a minute, as often as it takes, and by the same token's fingerprint
        for _ in 1...3 {
            stage.now += 60_000
            #expect(try stage.run().delivered == 0)
        }
        #expect(authority.renewals == 4)
        authority.next = "new"
        // the delivery that was tried last lets the others go first, by a millisecond
        stage.now += 60_001
        let report = try stage.run()
        #expect(report.delivered == 3 && report.paused.isEmpty && authority.renewals == 5)
    }

    @Test func `a run that ends while it waits for a credential pauses nothing and leaves no claim`() throws {
        let ended = DeliveryFault(.stopped, message: "The run ended.", remedy: "Nothing.")
        let waiting = Authority("new")
        waiting.fault = ended
        let refused = Authority("old")
        refused.renewalFault = ended
        for authority in [waiting, refused] {
            let stage = stage(authority, good: [])
            stage.add(1)
            authority.onWait = { stage.stop = .abort }
            let report = try stage.run()
            #expect(report.verdict == .workLeft && report.paused.isEmpty)
            #expect(stage.queue.states[Claims.verifier]?.pause == nil)
            #expect(stage.queue.items.allSatisfy { $0.work.attempts == 0 && !$0.isClaimed })
        }
    }

    @Test func `a credential that cannot be had pauses its destination, spends nothing and leaves no claim`() throws {
        let authority = Authority(nil)
        let stage = stage(authority, good: ["new"])
        for number in 1...10 { stage.add(number) }
        let report = try stage.run()
        #expect(report.verdict == .everyDestinationPaused && stage.transport.sent.isEmpty)
        #expect(stage.queue.states[Claims.verifier]?.pause?.reason == .credentialUnavailable)
        #expect(stage.queue.items.allSatisfy { $0.work == DeliveryWork() && !$0.isClaimed && $0.attempts.isEmpty })
        #expect(stage.queue.items.allSatisfy { $0.claims == 0 })
        // its coming back lifts the pause before the next look
        authority.token = "new"
        #expect(try stage.run().delivered == 10)
        #expect(stage.queue.states[Claims.verifier]?.pause == nil)
    }

    @Test func `a credential of the same fingerprint that can be had again is noticed by the next look`() throws {
        let authority = Authority("new")
        authority.fault = DeliveryFault(.credentialUnavailable, message: "The token's service is away.", remedy: "Wait.")
        let stage = stage(authority, good: ["new"])
        stage.add(1)
        #expect(try stage.run().left == 1)
        authority.fault = nil
        #expect(try stage.run().left == 1)
        stage.now += 60_000
        let report = try stage.run()
        #expect(report.delivered == 1 && report.paused.isEmpty)
    }
}
