import DeliveryMachine
import EventStorage
import MediaChecks
import Outbox
import SessionDomain
import Synchronization
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedger

/// A ledger of its own with random sessions over some weeks: contexts with and without names, checks that fail for changing reasons,
/// answers in time and late, requests that fail, holograms with guidance, every end, erasures.
final class AnalyticsHistory {
    let temporary: AnalyticsLedger
    private(set) var sessions: [SessionID] = []
    /// By a session's id.
    private(set) var contexts: [String: String?] = [:]
    private var random: SeededRandom
    private var files = 0

    var ledger: Ledger { temporary.ledger }

    static let names: [String?] = [nil, "kiosk_7", "branch 2", "=HYPERLINK(\"x\")"]

    /// - Parameter steps: what is tried in each session; much of it is refused, as it should be.
    init(seed: UInt64, sessions count: Int, steps: Int = 12) throws {
        random = SeededRandom(seed: seed)
        temporary = try AnalyticsLedger(judge: RandomJudge(seed: seed &+ 1))
        try go(on: count, steps: steps)
        try expire()
    }

    /// A session that nobody came back to.
    private func expire() throws {
        var configuration = CaptureConfiguration(pieces: [.selfie], flowTitle: "Check in", analyticsContext: nil)
        configuration.deadlineMilliseconds = 1_000
        let session = try ledger.start(StartRequest(configuration: configuration)).session
        sessions.append(session)
        contexts[session.text] = .some(nil)
        temporary.clock.advance(2_000)
        _ = try ledger.expireDueSessions()
    }

    func go(on count: Int, steps: Int = 12) throws {
        for _ in 0..<count {
            try start()
            for _ in 0..<steps {
                temporary.clock.advance(Int64.random(in: 0...90_000, using: &random))
                // mostly the newest, now and then an older one: what is late is late
                let session = random.one(in: 6) ? sessions.randomElement(using: &random)! : sessions[sessions.count - 1]
                try step(session)
            }
            temporary.clock.advance(Int64.random(in: 0...20_000_000, using: &random))
        }
    }

    private func start() throws {
        let lists: [[Piece]] = [
            [.passportFront, .passportBack, .selfie], [.selfie], [.passportFront, .hologram], [.selfie, .passportFront],
        ]
        let pieces = lists.randomElement(using: &random)!
        let context = Self.names.randomElement(using: &random)!
        var configuration = CaptureConfiguration(pieces: pieces, flowTitle: "Check in", analyticsContext: context)
        configuration.checks = [.off, .required, .deferred].randomElement(using: &random)!
        configuration.autoConfirm = random.one(in: 2)
        if pieces.contains(.hologram) { configuration.hologramCardType = .NEW_TC_ID }
        var request = StartRequest(configuration: configuration)
        if pieces.contains(.hologram) { request.transactionID = "tx-\(sessions.count)" }
        let session = try ledger.start(request).session
        sessions.append(session)
        contexts[session.text] = context
    }

    private func step(_ session: SessionID) throws {
        let view = try ledger.session(session).flow
        var piece = view.pieces.first { $0.status == .captured }?.piece ?? view.currentPiece ?? .selfie
        if random.one(in: 8) { piece = view.pieces.randomElement(using: &random)?.piece ?? .selfie }
        do throws(LedgerError) {
            switch Int.random(in: 0..<24, using: &random) {
            case 0..<7: try capture(piece, in: session)
            case 7..<10: _ = try ledger.confirm(piece, in: session, CommandOptions())
            case 10: _ = try ledger.retake(piece, in: session, CommandOptions())
            case 11..<17: try answer(session)
            case 17: _ = try ledger.drop([piece], in: session, CommandOptions())
            case 18: _ = try ledger.suspend(session, CommandOptions())
            case 19, 20: _ = try ledger.resume(session, CommandOptions())
            case 21: _ = try hologram(session)
            default: try end(session)
            }
        } catch {
            // refused by the flow; anything else would be a fault of the product
            if error.isRetryable || error.code.rawValue.hasPrefix("storage") { throw error }
        }
    }

    private func capture(_ piece: Piece, in session: SessionID) throws(LedgerError) {
        let path = piece == .hologram ? Fixture.path("hologram.mp4") : try file()
        if piece == .hologram {
            _ = try ledger.startHologram(session, CommandOptions())
            _ = try hologram(session)
        }
        _ = try ledger.capture(CaptureRequest(session: session, piece: piece, path: path, source: .camera))
        if piece != .hologram { _ = try? FileSystem.remove(path) }
    }

    /// A photograph with bytes of its own, or none at all, which is refused at intake.
    private func file() throws(LedgerError) -> String {
        files += 1
        let path = temporary.folder + "/photo-\(files).jpg"
        var bytes: [UInt8] = []
        if !random.one(in: 8) {
            let mark = Array("mark \(files)".utf8)
            bytes = Fixture.selfie[..<2] + [0xFF, 0xFE, 0, UInt8(mark.count + 2)] + mark + Fixture.selfie[2...]
        }
        try called { () throws(SystemError) in try FileDescriptor(opening: path, .createNew).write(bytes) }
        return path
    }

    private func hologram(_ session: SessionID) throws(LedgerError) {
        var observed: [Observation] = [.hologram(.cardDetected)]
        for index in 0..<Int.random(in: 0...5, using: &random) {
            observed.append(.hologram(.flashCircleCompleted(circleIndex: index)))
            temporary.clock.advance(1_500)
        }
        observed += [.hologram(.tooMuchGlare), .hologram(.flashPositionUpdate(isFlashOnTarget: random.one(in: 2)))]
        _ = try ledger.observe(observed, label: "seen \(files)", in: session, CommandOptions())
        if random.one(in: 3) { _ = try ledger.cancelHologram(session, cause: .documentLeft, CommandOptions()) }
    }

    private func end(_ session: SessionID) throws(LedgerError) {
        switch Int.random(in: 0..<9, using: &random) {
        case 0..<5: _ = try ledger.exit(session, CommandOptions())
        case 5, 6: _ = try ledger.cancel(session, CommandOptions())
        case 7: try temporary.eraseNow(session)
        default: _ = try ledger.suspend(session, CommandOptions())
        }
    }

    /// An answer, or a delivery that gives up, for any delivery of the session, whatever its state.
    private func answer(_ session: SessionID) throws(LedgerError) {
        guard let delivery = try ledger.deliveries(of: session).randomElement(using: &random),
            let piece = Piece(code: delivery.pieceCode)
        else { return }
        temporary.clock.advance(Int64.random(in: 20...60_000, using: &random))
        let outcome = Int.random(in: 0..<8, using: &random)
        let command: SessionCommand
        switch outcome {
        case 0..<7:
            command = .applyAnswer(
                ApplyAnswer(
                    deliveryID: delivery.id, piece: piece, captureID: delivery.capture, destination: delivery.destination,
                    outcome: outcome < 4 ? .verified : outcome < 6 ? .rejected : .failed,
                    score: piece == .hologram ? 0.9 : nil, drop: random.one(in: 9) ? [.selfie] : [], evidence: nil,
                    attempts: 1, secret: Array(#"{"payload":"{}"}"#.utf8)))
        default:
            command = .parkDelivery(
                ParkDelivery(
                    deliveryID: delivery.id, piece: piece, captureID: delivery.capture, destination: delivery.destination,
                    cause: "failed_permanently", evidence: nil, attempts: 3))
        }
        try record(delivery, fails: outcome >= 6)
        _ = try ledger.perform(
            command, "answer", [.init("n", .integer(Int64(files * 100 + outcome)))], session, CommandOptions())
    }

    /// The request behind an answer, as a worker leaves it.
    private func record(_ delivery: DeliveryRow, fails: Bool) throws(LedgerError) {
        let now = temporary.clock.now
        let attempt = AttemptRecord(
            kind: .send, startedAtMilliseconds: now - Int64.random(in: 5...4_000, using: &random), finishedAtMilliseconds: now,
            certainty: fails ? .unknown : .answered, curlCode: fails ? 28 : 0, status: fails ? 0 : 200, bytesSent: 10,
            bytesReceived: 10, explanation: Explanation(rawValue: fails ? "answer_lost" : "answered"), tableVersion: 1,
            evidence: nil)
        _ = try ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
            _ = try translated { () throws(StorageError) in
                try context.outbox.append(
                    attempt,
                    OutboxWriter.AttemptContext(
                        deliveryNumber: delivery.number, delivery: delivery.id, destination: delivery.destination, fence: 1,
                        action: "deliver", nextAttemptAtMilliseconds: nil))
            }
            return .success(())
        }
    }
}

enum Fixture {
    static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    static func path(_ name: String) -> String { root + "/Fixtures/" + name }
    static let selfie = (try? FileDescriptor(readingFile: path("selfie.jpg")).readToEnd(limit: 1 << 24)) ?? []
}

/// Says of a capture what a generator says, with findings under two policies.
private final class RandomJudge: CaptureJudge {
    private let random: Mutex<SeededRandom>

    init(seed: UInt64) { random = Mutex(SeededRandom(seed: seed)) }

    func judge(
        _ source: any ByteSource, _ media: SniffedMedia, _ question: CheckQuestion, hologram: HologramSettings
    ) -> Judgement {
        random.withLock { random in
            let policy = random.one(in: 2) ? "standard-1" : "strict-2"
            let value = Double(Int.random(in: 0...100, using: &random)) / 100
            let threshold = policy == "strict-2" ? 0.4 : 0.6
            var report = CheckReport(policyVersion: policy)
            report.findings = [
                Finding(
                    metric: "blur_score", value: value, passed: value <= threshold, direction: .atMost, threshold: threshold,
                    model: "ab", policyVersion: policy)
            ]
            if value > threshold { report.failure = random.one(in: 2) ? .glare : .blurryPhoto }
            return Judgement(report)
        }
    }
}
