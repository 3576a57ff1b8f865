import DeliveryMachine
import SessionDomain
import Sync
import TestSupport
import Testing

/// Lost answers, status addresses and what is kept of answers, through whole runs.
@Suite struct SyncRunStatusTests {
    private func stage(_ statusURL: String? = "https://v.example/status/{key}") -> Stage {
        let stage = Stage()
        stage.destination.statusURL = statusURL
        stage.add(1)
        return stage
    }

    /// Answers in turn; the last one again and again.
    private func script(_ stage: Stage, _ replies: [(ScriptedTransport.Sent) -> ScriptedTransport.Reply]) {
        let first = stage.transport.sent.count
        stage.server = { sent in replies[min(stage.transport.sent.count - first, replies.count) - 1](sent) }
    }

    private func runs(_ stage: Stage, _ count: Int) throws {
        for _ in 0..<count {
            _ = try stage.run()
            stage.now += 3_600_000
        }
    }

    private var yes: String { #"{"outcome":"verified","capture_id":"\#(Claims.verifier(1).capture.text)"}"# }
    private func methods(_ stage: Stage) -> [String] { stage.transport.sent.map(\.request.method.rawValue) }

    @Test func `F1 a lost answer is asked for, and the outcome is applied without a second submission`() throws {
        let stage = stage()
        script(stage, [{ _ in .broken(code: 52, bytesSent: 500) }, { _ in .answer(200, yes) }])
        try runs(stage, 3)
        #expect(methods(stage) == ["POST", "GET"])
        let item = stage.item(1)
        #expect(item.state == .delivered && item.work.attempts == 2 && item.outcomes.count == 1)
        #expect(stage.transport.sent[1].request.url == "https://v.example/status/\(item.claim.id.text)")
    }

    @Test func `F1 without a status address the same bytes go out again under the same key`() throws {
        let stage = stage(nil)
        script(stage, [{ _ in .broken(code: 55, status: 100, bytesSent: 9) }, { Stage.yes($0) }])
        try runs(stage, 3)
        #expect(methods(stage) == ["POST", "POST"])
        #expect(stage.transport.sent[0].body == stage.transport.sent[1].body)
        #expect(Set(stage.transport.sent.map { $0.header("idempotency-key") }).count == 1)
        #expect(stage.item(1).outcomes.count == 1)
    }

    @Test(arguments: [404, 410, 405, 501, 400, 422])
    func `a status address that knows nothing, or cannot say, has the delivery sent again with its key`(status: Int) throws {
        let stage = stage()
        script(stage, [{ _ in .broken(code: 52, bytesSent: 500) }, { _ in .answer(status, "") }, { Stage.yes($0) }])
        try runs(stage, 4)
        #expect(methods(stage) == ["POST", "GET", "POST"], "\(status)")
        #expect(stage.item(1).state == .delivered && stage.queue.states[Claims.verifier]?.pause == nil)
        #expect(stage.transport.sent[0].body == stage.transport.sent[2].body)
    }

    @Test(arguments: [500, 502, 503, 408, 409, 429])
    func `a status address that fails is asked again, and nothing is sent meanwhile`(status: Int) throws {
        let stage = stage()
        script(
            stage,
            [
                { _ in .broken(code: 52, bytesSent: 500) }, { _ in .answer(status, "") },
                { _ in .broken(code: 56, bytesSent: 0) },
                { _ in .answer(200, yes) },
            ])
        try runs(stage, 6)
        #expect(methods(stage) == ["POST", "GET", "GET", "GET"], "\(status)")
        #expect(stage.item(1).state == .delivered)
    }

    @Test(arguments: [(401, true), (403, false), (302, false)])
    func `a status address that refuses us pauses the destination, and the question stays open`(
        status: Int, byCredential: Bool
    ) throws {
        let stage = stage()
        stage.destination.credentialFingerprint = "one"
        script(stage, [{ _ in .broken(code: 52, bytesSent: 500) }, { _ in .answer(status, "") }, { _ in .answer(200, yes) }])
        try runs(stage, 2)
        #expect(stage.queue.states[Claims.verifier]?.pause != nil && stage.item(1).work.isUnclear)
        if byCredential { stage.destination.credentialFingerprint = "two" }
        try runs(stage, 1)
        #expect(methods(stage) == ["POST", "GET", "GET"])
        #expect(stage.item(1).state == .delivered && stage.item(1).work.attempts == 2)
    }

    @Test func `an accepted delivery is asked about across runs until there is an outcome, which spends one attempt`() throws {
        let stage = stage(nil)
        let accepted: (ScriptedTransport.Sent) -> ScriptedTransport.Reply = { _ in
            .answer(202, headers: [Header("Location", "/jobs/7")], "")
        }
        script(stage, [accepted, accepted, accepted, accepted, { _ in .answer(200, yes) }])
        for _ in 0..<9 {
            _ = try stage.run { $0.patienceMilliseconds = 0 }
            stage.now += 3_600_000
        }
        #expect(methods(stage) == ["POST", "GET", "GET", "GET", "GET"])
        #expect(stage.transport.sent[4].request.url == "https://v.example/jobs/7")
        #expect(stage.item(1).state == .delivered && stage.item(1).work.attempts == 1)
    }

    @Test func `every answer is kept before it counts: outcomes, refusals and broken contracts`() throws {
        let replies: [ScriptedTransport.Reply] = [
            .answer(400, "no"), .answer(401, "who"), .answer(403, ""), .answer(422, ""), .answer(500, "oops"), .answer(302, ""),
            .answer(200, "<html>"), .answer(202, ""), .answer(503, ""), .answer(204, ""),
        ]
        for reply in replies {
            let stage = stage(nil)
            script(stage, [{ _ in reply }])
            _ = try stage.run()
            #expect(stage.evidence.answers.count == stage.transport.sent.count, "\(reply)")
            #expect(stage.item(1).attempts.allSatisfy { $0.evidence != nil }, "\(reply)")
        }
        let lost = stage(nil)
        script(lost, [{ _ in .broken(code: 18, status: 200, bytesSent: 500) }])
        _ = try lost.run { $0.patienceMilliseconds = 0 }
        #expect(lost.evidence.answers.isEmpty)
    }

    @Test func `results that come twice, late or in any order do no harm`() throws {
        var random = SeededGenerator(seed: 11)
        let stage = Stage()
        for number in 1...12 { stage.add(number, session: number) }
        let run = stage.byHand()
        var late: [TransferResult] = []
        while case .wait(let milliseconds) = try run.turn() {
            late += try stage.transport.wait(milliseconds: milliseconds)
            late.shuffle(using: &random)
            let now = late.prefix(2)
            run.receive(Array(now) + Array(now.reversed()))
            late.removeFirst(now.count)
        }
        #expect(stage.queue.items.allSatisfy { $0.outcomes.count == 1 && $0.attempts.count == 1 })
    }

    @Test(.timeLimit(.minutes(1))) func `421 is repeated over a connection of its own, once`() throws {
        let stage = Stage()
        for number in 1...2 { stage.add(number, session: number) }
        let wrong = Claims.verifier(1).id
        stage.server = { sent in
            // the other one keeps the run going until the first is due again
            guard sent.request.token == wrong else { return .hangs }
            switch stage.transport.sent.count(where: { $0.request.token == wrong }) {
            case 1: return .answer(421, "")
            case 2: return .answer(500, "")
            default:
                stage.stop = .abort
                return Stage.yes(sent)
            }
        }
        _ = try stage.run()
        let first = stage.transport.sent.filter { $0.request.token == wrong }
        #expect(first.map(\.request.needsNewConnection) == [false, true, false])
        #expect(stage.item(1).state == .delivered)
    }
}
