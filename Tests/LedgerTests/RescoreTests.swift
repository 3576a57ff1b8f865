import EventStorage
import MediaChecks
import SQLite
import SessionDomain
import Synchronization
import Testing

@testable import CaptureLedger

/// Policies on record, and what other thresholds would have made of what was judged.
@Suite struct RescoreTests {
    @Test func `a policy is on record once, with its text, from the first judgement that it made`() throws {
        let judge = RuledJudge(.standard)
        let temporary = try TemporaryLedger(judge: judge)
        #expect(try temporary.ledger.registeredPolicies().isEmpty)
        for _ in 0..<3 { _ = try judged(temporary) }
        let first = try temporary.ledger.registeredPolicies()
        #expect(first.map(\.version) == [CheckPolicy.standard.identity] && first.first?.policy == .standard)
        var other = CheckPolicy(version: "standard-1")
        other.passport.glareScore = 0.4
        judge.use(other)
        let session = try judged(temporary)
        // of two of one version each has its own name
        let both = try temporary.ledger.registeredPolicies()
        #expect(both.map(\.version) == [CheckPolicy.standard.identity, other.identity] && both[1].policy == other)
        let version = try temporary.ledger.session(session).judgements[.passportFront]?.policyVersion
        #expect(both.contains { $0.version == version })
        // another process finds it there
        let reopened = try Ledger.open(folder: temporary.path, options: options(judge))
        defer { reopened.closeAndWait() }
        _ = try judged(temporary, reopened)
        #expect(try temporary.ledger.registeredPolicies().count == 2)
        try Oracle.findsNothingWrong(temporary.path)
        _ = try temporary.ledger.rebuild()
        #expect(try temporary.ledger.registeredPolicies().count == 2)
    }

    @Test func `a judgement that changes nothing registers nothing`() throws {
        let judge = RuledJudge(.standard)
        let temporary = try TemporaryLedger(judge: judge)
        let session = try temporary.start([.passportFront]) { $0.checks = .off }
        _ = try temporary.capture(.passportFront, "passport-front.jpg", session, confirm: true)
        #expect(try temporary.ledger.registeredPolicies().isEmpty)
    }

    @Test func `rescore counts what would flip, by check and piece, names the captures, and writes nothing`() throws {
        let judge = RuledJudge(.standard)
        let temporary = try TemporaryLedger(judge: judge)
        var sessions: [SessionID] = []
        for glare in [0.1, 0.3, 0.45, 0.6, 0.9] {
            judge.glare(glare)
            sessions.append(try judged(temporary))
        }
        // an erased session counts too: findings are facts
        _ = try temporary.ledger.erase(sessions[1])
        let before = try temporary.ledger.lastPosition()
        var strict = CheckPolicy(version: "strict")
        strict.passport.glareScore = 0.4
        let (flips, report) = try run(temporary, strict)
        #expect(flips.map(\.session) == [sessions[2]] && flips.first?.change.to == .glare && flips.first?.change.from == nil)
        #expect(report.judgements == 5 && report.rescored == 5 && report.notRescored == 0 && report.unchanged == 4)
        let verdicts = report.checks[.init(piece: .passportFront, metric: "glare_score")]
        #expect(verdicts?.failsNow == 1 && verdicts?.passesNow == 0 && verdicts?.unchanged == 4)

        var lenient = CheckPolicy(version: "lenient")
        lenient.passport.glareScore = 0.7
        let (none, told) = try run(temporary, lenient)
        // the one of 0.6 would pass glare, and its blur was never asked
        #expect(none.isEmpty && told.notRescored == 1 && told.unchanged == 4)
        #expect(told.gaps == [.init(piece: .passportFront, metric: "blur_score", reason: "not_measured"): 1])
        #expect(try temporary.ledger.lastPosition() == before)
        #expect(try run(temporary, .standard).report.flips == 0)
    }

    @Test func `what no policy on record judged, and what has no findings, is counted apart`() throws {
        let judge = RuledJudge(.standard)
        let temporary = try TemporaryLedger(judge: judge)
        judge.hide()
        var private1 = CheckPolicy(version: "private")
        private1.passport.glareScore = 0.3
        judge.use(private1)
        _ = try judged(temporary)
        let (_, report) = try run(temporary, .standard)
        #expect(report.gaps == [.init(piece: .passportFront, metric: nil, reason: "policy_unknown"): 1])
        let scripted = try TemporaryLedger(judge: ScriptedJudge(.fault(ScriptedJudge.undecodable)))
        _ = try judged(scripted)
        #expect(try run(scripted, .standard).report.gaps.keys.map(\.reason) == ["without_findings"])
    }

    @Test func `only what was judged since then counts, over pages of the log`() throws {
        let now = Mutex<Int64>(1_790_000_000_000)
        let judge = RuledJudge(.standard)
        let temporary = try TemporaryLedger(clock: LedgerClock(nowMilliseconds: { now.withLock { $0 } }), judge: judge)
        judge.glare(0.45)
        _ = try judged(temporary)
        now.withLock { $0 += 10_000 }
        let late = try judged(temporary)
        var strict = CheckPolicy(version: "strict")
        strict.passport.glareScore = 0.4
        #expect(try run(temporary, strict).flips.count == 2)
        #expect(try run(temporary, strict, since: 1_790_000_005_000).flips.map(\.session) == [late])
        #expect(try run(temporary, strict, since: 1_790_000_005_000).report.judgements == 1)
    }

    private func run(
        _ temporary: TemporaryLedger, _ policy: CheckPolicy, since: Int64? = nil
    ) throws -> (flips: [RescoreFlip], report: RescoreReport) {
        var (run, flips): (RescoreRun, [RescoreFlip]) = (try temporary.ledger.rescoring(policy, since: since), [])
        while let more = try run.next() { flips += more }
        return (flips, run.report)
    }

    private func judged(_ temporary: TemporaryLedger, _ ledger: Ledger? = nil) throws -> SessionID {
        let session = try temporary.start([.passportFront])
        var request = CaptureRequest(
            session: session, piece: .passportFront, path: fixture("passport-front.jpg"), source: .camera)
        request.confirm = false
        _ = try (ledger ?? temporary.ledger).capture(request)
        return session
    }

    private func options(_ judge: RuledJudge) -> LedgerOptions {
        var options = LedgerOptions()
        options.judge = judge
        return options
    }
}

/// Says of every page what the pipeline would of one with this much glare.
private final class RuledJudge: CaptureJudge {
    private struct Words {
        var policy: CheckPolicy
        var glare = 0.1
        var isHidden = false
    }

    private let words: Mutex<Words>

    init(_ policy: CheckPolicy) { words = Mutex(Words(policy: policy)) }

    func use(_ policy: CheckPolicy) { words.withLock { $0.policy = policy } }
    func glare(_ score: Double) { words.withLock { $0.glare = score } }
    /// As a judge of an older version, which put no policy on record.
    func hide() { words.withLock { $0.isHidden = true } }

    var rules: CheckPolicy? { words.withLock { $0.isHidden ? nil : $0.policy } }

    func judge(
        _ source: any ByteSource, _ media: SniffedMedia, _ question: CheckQuestion, hologram: HologramSettings
    ) -> Judgement {
        let (policy, glare) = words.withLock { ($0.policy, $0.glare) }
        let page = NormalizedRect(x: 0.1, y: 0.2, width: 0.8, height: 0.6)
        let photo = NormalizedRect(x: 0.15, y: 0.3, width: 0.2, height: 0.3)
        func finding(
            _ metric: String, _ value: Double, _ direction: Finding.Direction? = nil, _ threshold: Double? = nil,
            _ region: NormalizedRect? = nil
        ) -> Finding {
            Finding(
                metric: metric, value: value, passed: direction.flatMap { side in threshold.map { side.holds(value, $0) } },
                direction: direction, threshold: threshold, region: region, model: "ab", policyVersion: policy.identity)
        }
        var report = CheckReport(policyVersion: policy.identity)
        report.page = page
        report.findings = [
            finding("page_score", 0.9, .atLeast, policy.detector.page, page),
            finding("page_with_photo_or_mrz", 0.9, .atLeast, policy.detector.photo, photo),
            finding("detected_page", 0.9, nil, nil, page), finding("detected_photo", 0.9, nil, nil, photo),
            finding("finger_overlap", 0, .below, policy.passport.fingerOverlap),
            finding("glare_score", glare, .below, policy.passport.glareScore, page),
        ]
        report.failure = UploadCheck.failure(for: report.findings, piece: question.piece)
        if report.failure == nil { report.findings.append(finding("blur_score", 0.1, .below, policy.passport.blurScore, page)) }
        report.findings.append(finding("brightness", 120, .atLeast, policy.passport.brightness, page))
        return Judgement(report)
    }
}
