import DeliveryMachine
import Dispatch
import EventStorage
import MediaChecks
import SessionDomain
import Sync
import Synchronization
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedger

@Suite struct CheckTests {
    @Test func `a capture is durable before it is looked at, as its own bytes, and confirmed when it passed`() throws {
        let seen = Mutex<[[UInt8]]>([])
        let judge = ScriptedJudge({ _ in .passed }, looking: { bytes in seen.withLock { $0.append(bytes) } })
        let temporary = try TemporaryLedger(judge: judge)
        let session = try temporary.start([.passportFront])
        let done = try temporary.capture(.passportFront, "passport-front.jpg", session, confirm: true)
        #expect(done.check?.failure == nil && done.check?.findings.map(\.metric) == ["blur_score"])
        #expect(done.check?.fields == ScriptedJudge.fields)
        #expect(seen.withLock { $0 } == [try bytes(fixture("passport-front.jpg"))])
        let timeline = try temporary.ledger.timeline(session)
        #expect(timeline.map(\.type) == ["session_started", "piece_captured", "piece_checked", "piece_confirmed"])
        #expect(done.receipt.positions == timeline.dropFirst().map(\.position))
        #expect(try temporary.ledger.deliveries(of: session).map(\.blocked) == [nil])
    }

    @Test func `S49 a blurred upload fails, is not sent, and its bytes are refused again`() throws {
        let temporary = try TemporaryLedger(judge: ScriptedJudge(.failed(.blurryPhoto)))
        let session = try temporary.start([.passportFront])
        let done = try temporary.capture(.passportFront, "passport-front.jpg", session, source: .file, confirm: true)
        #expect(done.check?.failure == .blurryPhoto && done.check?.findings.first?.passed == false)
        #expect(try temporary.ledger.deliveries(of: session).isEmpty)
        let flow = try temporary.ledger.session(session).flow
        #expect(flow.currentPiece == .passportFront && flow.lastFailure == .blurryPhoto && flow.pieces[0].attempts == 1)
        let again = try temporary.capture(.passportFront, "passport-front.jpg", session, source: .file, confirm: true)
        guard case .refused(let failure, _, _, _) = again.outcome else {
            Issue.record("taken in: \(again.outcome)")
            return
        }
        #expect(failure == .alreadyFailed)
    }

    @Test func `the same command gives the same receipt, and looks no second time`() throws {
        let judge = ScriptedJudge()
        let temporary = try TemporaryLedger(judge: judge)
        let session = try temporary.start([.passportFront])
        let first = try temporary.capture(.passportFront, "passport-front.jpg", session, confirm: true, commandID: "scan-1")
        let second = try temporary.capture(.passportFront, "passport-front.jpg", session, confirm: true, commandID: "scan-1")
        #expect(second.receipt.isRepeat && second.receipt.positions == first.receipt.positions)
        #expect(second.check?.findings == first.check?.findings && judge.questions.count == 1)
    }

    @Test func `S55 uploads are judged by the rules for uploads, or the live ones where there are none`() throws {
        let judge = ScriptedJudge()
        let temporary = try TemporaryLedger(judge: judge)
        for upload in [SelfieChecks.none, nil] {
            let session = try temporary.start([.selfie]) { $0.selfieUploadChecks = upload }
            _ = try temporary.capture(.selfie, "selfie.jpg", session, source: .file)
            _ = try temporary.ledger.retake(.selfie, in: session, CommandOptions())
            _ = try temporary.capture(.selfie, "selfie.jpg", session)
        }
        #expect(judge.questions.map(\.selfie) == [.none, .standard, .standard, .standard])
        #expect(judge.questions.map(\.source) == [.file, .camera, .file, .camera])
    }

    @Test func `S39 an upload without a scanner fails, and check --pending goes on when there is one`() throws {
        let ready = Mutex(false)
        let temporary = try TemporaryLedger(
            judge: ScriptedJudge({ _ in ready.withLock { $0 } ? .passed : .fault(ScriptedJudge.notReady) }))
        let session = try temporary.start([.passportFront])
        let done = try temporary.capture(.passportFront, "passport-front.jpg", session, source: .file, confirm: true)
        #expect(done.check?.failure == .scannerNotReady && done.check?.detail == "not_ready")
        #expect(try temporary.ledger.session(session).flow.lastFailure == .scannerNotReady)
        let idle = try temporary.ledger.judgePending()
        #expect(idle.judged.isEmpty && idle.left == 1 && idle.obstacle?.code == "scanner_not_ready")
        let version = try temporary.ledger.session(session).flow.version
        ready.withLock { $0 = true }
        let passed = try temporary.ledger.judgePending()
        #expect(passed.passed == 1 && passed.left == 0)
        #expect(try temporary.ledger.session(session).flow.version == version + 2)
        #expect(try temporary.ledger.deliveries(of: session).map(\.blocked) == [nil])
        // the same bytes may be tried again: they were not judged
        let other = try temporary.start([.passportFront])
        ready.withLock { $0 = false }
        _ = try temporary.capture(.passportFront, "passport-front.jpg", other, source: .file, confirm: true)
        ready.withLock { $0 = true }
        let retried = try temporary.capture(.passportFront, "passport-front.jpg", other, source: .file, confirm: true)
        #expect(retried.check?.failure == nil)
        #expect(try temporary.ledger.judgePending().judged.isEmpty)
    }

    @Test func `a decoder that is not there leaves the capture unchecked and unconfirmed`() throws {
        let temporary = try TemporaryLedger(judge: ScriptedJudge(.fault(ScriptedJudge.noDecoder)))
        let session = try temporary.start([.passportFront])
        let done = try temporary.capture(.passportFront, "passport-front.jpg", session, confirm: true)
        guard case .unchecked(let obstacle)? = done.check?.standing else {
            Issue.record("judged: \(String(describing: done.check))")
            return
        }
        #expect(obstacle.code == "decoder_unavailable" && done.check?.failure == nil)
        #expect(try temporary.ledger.session(session).flow.pieces[0].waitsForChecks)
        #expect(throws: LedgerError.self) { try temporary.ledger.confirm(.passportFront, in: session, CommandOptions()) }
        #expect(try temporary.ledger.uncheckedCount() == 1)
    }

    @Test func `bytes that crash a decoder fail as unreadable, and nothing else is harmed`() throws {
        let temporary = try TemporaryLedger(judge: ScriptedJudge(.fault(ScriptedJudge.undecodable)))
        let session = try temporary.start([.passportFront])
        let done = try temporary.capture(.passportFront, "passport-front.jpg", session, confirm: true)
        #expect(done.check?.failure == .mediaUnreadable && done.check?.detail == "signal_11")
    }

    @Test func `deferred: confirmed now, sent only after it passed`() throws {
        let temporary = try TemporaryLedger(judge: ScriptedJudge())
        let session = try temporary.start([.passportFront]) { $0.checks = .deferred }
        let done = try temporary.capture(.passportFront, "passport-front.jpg", session, confirm: true)
        #expect(done.check == nil)
        #expect(try temporary.ledger.deliveries(of: session).map(\.blocked) == ["checks"])
        #expect(try temporary.claims() == [])
        #expect(try temporary.ledger.judgePending().passed == 1)
        #expect(try temporary.ledger.deliveries(of: session).map(\.blocked) == [nil])
        #expect(try temporary.claims() == [session])
        #expect(try temporary.ledger.judgePending().judged.isEmpty)
    }

    @Test func `deferred: one that fails is withdrawn and must be captured again, also when the session was exited`() throws {
        for exits in [false, true] {
            let temporary = try TemporaryLedger(judge: ScriptedJudge(.failed(.glare)))
            let session = try temporary.start([.passportFront, .selfie]) { $0.checks = .deferred }
            _ = try temporary.capture(.passportFront, "passport-front.jpg", session, confirm: true)
            if exits { _ = try temporary.ledger.exit(session, CommandOptions()) }
            let done = try temporary.ledger.judgePending()
            #expect(done.failed == 1 && done.judged.first?.check.failure == .glare)
            let delivery = try #require(try temporary.ledger.deliveries(of: session).first)
            #expect(delivery.status == .withdrawn && delivery.cause == "failed_checks")
            #expect(try temporary.claims() == [])
            #expect(try temporary.ledger.session(session).flow.pieces[0].status == .refusedByChecks)
        }
    }

    @Test func `deferred: a hologram waits for its checks, then for its transaction, in whatever order they come`() throws {
        for bindsFirst in [true, false] {
            let temporary = try TemporaryLedger(judge: ScriptedJudge())
            let session = try temporary.start([.hologram]) { $0.checks = .deferred }
            _ = try temporary.ledger.startHologram(session, CommandOptions())
            _ = try temporary.capture(.hologram, "hologram.mp4", session, confirm: true)
            func blocked() throws -> String? { try temporary.ledger.deliveries(of: session)[0].blocked }
            #expect(try blocked() == "checks")
            if bindsFirst { _ = try temporary.ledger.bindTransaction("t-1", in: session, CommandOptions()) }
            #expect(try blocked() == "checks")
            _ = try temporary.ledger.judgePending()
            #expect(try blocked() == (bindsFirst ? nil : "transaction"))
            if !bindsFirst { _ = try temporary.ledger.bindTransaction("t-1", in: session, CommandOptions()) }
            #expect(try blocked() == nil)
        }
    }

    @Test func `S91 with deferred checks in every state, rebuilt rows equal the live ones`() throws {
        let answers = Mutex<[ScriptedJudge.Answer]>([.passed, .failed(.glare), .fault(ScriptedJudge.noDecoder)])
        let temporary = try TemporaryLedger(judge: ScriptedJudge({ _ in answers.withLock { $0.removeFirst() } }))
        for _ in 0..<4 {
            let session = try temporary.start([.passportFront, .selfie]) { $0.checks = .deferred }
            _ = try temporary.capture(.passportFront, "passport-front.jpg", session, confirm: true)
        }
        let done = try temporary.ledger.judgePending()
        #expect(done.passed == 1 && done.failed == 1 && done.left == 2)
        let live = try temporary.ledger.deliveries()
        #expect(live.map(\.blocked) == [nil, "checks", "checks", "checks"])
        #expect(live.map(\.status) == [.waiting, .withdrawn, .waiting, .waiting])
        let tables = ["flow", "delivery"]
        let before = try tables.map { try dump(temporary.ledger, $0) }
        _ = try temporary.ledger.rebuild()
        for (table, rows) in zip(tables, before) { #expect(try dump(temporary.ledger, table) == rows, "\(table)") }
        try Oracle.findsNothingWrong(temporary.path)
    }

    @Test func `off: nobody looks, and nothing waits`() throws {
        let judge = ScriptedJudge(.failed(.glare))
        let temporary = try TemporaryLedger(judge: judge)
        let session = try temporary.start([.passportFront]) { $0.checks = .off }
        _ = try temporary.capture(.passportFront, "passport-front.jpg", session, confirm: true)
        #expect(try temporary.ledger.deliveries(of: session).map(\.blocked) == [nil])
        #expect(try temporary.ledger.judgePending().judged.isEmpty && judge.questions.isEmpty)
    }

    @Test func `a session that says nothing requires checks once there is a runner, and has none before`() throws {
        let with = try TemporaryLedger(judge: ScriptedJudge())
        let without = try TemporaryLedger()
        for (temporary, mode) in [(with, ChecksMode.required), (without, .off)] {
            let session = try temporary.start([.passportFront]) { $0.checks = nil }
            #expect(try temporary.ledger.session(session).configuration?.checks == mode)
        }
    }

    @Test func `check --pending judges no more than it is asked to, oldest session first`() throws {
        let temporary = try TemporaryLedger(judge: ScriptedJudge())
        let sessions = try (0..<3).map { _ in try temporary.start([.passportFront]) { $0.checks = .deferred } }
        for session in sessions { _ = try temporary.capture(.passportFront, "passport-front.jpg", session, confirm: true) }
        let first = try temporary.ledger.judgePending(limit: 2)
        #expect(first.judged.map(\.session) == Array(sessions[..<2]) && first.left == 1)
        #expect(try temporary.ledger.judgePending(limit: 2).judged.map(\.session) == [sessions[2]])
    }

    @Test func `two checkers at once: one judgement, one crop, no file too many`() throws {
        let both = Meeting(of: 2)
        let judge = ScriptedJudge({ _ in .passed }, looking: { _ in both.arrive() })
        let temporary = try TemporaryLedger(judge: judge)
        let session = try temporary.start([.passportFront]) { $0.checks = .deferred }
        _ = try temporary.capture(.passportFront, "passport-front.jpg", session, confirm: true)
        let results = Mutex<[Int]>([])
        onThreads(2) {
            if let done = try? temporary.ledger.judgePending() { results.withLock { $0.append(done.judged.count) } }
        }
        #expect(results.withLock { $0 } == [1, 1] && judge.questions.count == 2)
        #expect(try temporary.ledger.timeline(session).count { $0.type == "piece_checked" } == 1)
        #expect(try sealedFiles(temporary.path).count == 2)
        #expect(try temporary.ledger.doctor(fix: false).findings.filter { $0.code == "orphan_file" }.isEmpty)
    }

    @Test func `a capture that another one replaced while it was judged leaves no crop`() throws {
        let box = Mutex<(TemporaryLedger, SessionID)?>(nil)
        let isFirst = Mutex(true)
        let judge = ScriptedJudge(
            { _ in .passed },
            looking: { _ in
                let first = isFirst.withLock { first in
                    defer { first = false }
                    return first
                }
                guard first, let (temporary, session) = box.withLock({ $0 }) else { return }
                _ = try? temporary.capture(.passportFront, "passport-front-retake.jpg", session, confirm: true)
            })
        let temporary = try TemporaryLedger(judge: judge)
        let session = try temporary.start([.passportFront])
        box.withLock { $0 = (temporary, session) }
        _ = try temporary.capture(.passportFront, "passport-front.jpg", session, confirm: true)
        box.withLock { $0 = nil }
        #expect(try sealedFiles(temporary.path).count == 3)
        let view = try temporary.ledger.session(session)
        #expect(view.flow.pieces[0].status == .awaitingVerification && view.flow.pieces[0].attempts == 2)
    }
}

/// Waits until so many have come.
final class Meeting: Sendable {
    private let room = DispatchGroup()

    init(of count: Int) { for _ in 0..<count { room.enter() } }

    func arrive() {
        room.leave()
        #expect(room.wait(timeout: .now() + 20) == .success)
    }
}

func onThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    for _ in 0..<count { DispatchQueue(label: "test.check").async(group: group, execute: body) }
    group.wait()
}

func bytes(_ path: String) throws -> [UInt8] { try FileDescriptor(opening: path, .read).readToEnd(limit: 1 << 26) }

extension TemporaryLedger {
    /// A session that requires checks and takes uploads.
    func start(_ pieces: [Piece], _ configure: (inout CaptureConfiguration) -> Void = { _ in }) throws -> SessionID {
        var asked = configuration(pieces)
        asked.checks = .required
        asked.allowUploadFromDevice = true
        configure(&asked)
        return try ledger.start(StartRequest(configuration: asked)).session
    }

    func capture(
        _ piece: Piece, _ file: String, _ session: SessionID, source: CaptureSource = .camera, confirm: Bool = false,
        commandID: String? = nil
    ) throws -> CaptureResultReceipt {
        var request = CaptureRequest(session: session, piece: piece, path: fixture(file), source: source)
        request.confirm = confirm
        request.options.commandID = commandID.flatMap { CommandID($0) }
        return try ledger.capture(request)
    }

    /// The sessions of everything that a worker would send now; given back at once.
    func claims() throws -> [SessionID] {
        let queue = LedgerDeliveryQueue(ledger)
        let claims = try queue.claim(
            [
                ClaimQuota(destination: DestinationName("verifier"), limit: 10),
                ClaimQuota(destination: DestinationName("hologram"), limit: 10),
            ],
            nowMilliseconds: ledger.clock.nowMilliseconds())
        try queue.release(claims)
        return claims.map(\.session)
    }
}
