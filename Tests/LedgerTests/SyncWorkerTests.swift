import DeliveryMachine
import Sandbox
import SessionDomain
import Sync
import Synchronization
import TestSupport
import Testing

@testable import CaptureLedger
@testable import CaptureLedgerSync

/// The stored queue, the sealed media, libcurl and a strict server, together.
@Suite struct SyncWorkerTests {
    /// A ledger whose two destinations are a sandbox, and a clock that tests turn.
    final class Site {
        let sandbox: Sandbox
        let temporary: TemporaryLedger
        let clock: TurnedClock
        var ledger: Ledger

        init(_ rules: [SandboxScenario.Rule] = []) throws {
            sandbox = try Sandbox(scenario: SandboxScenario(rules: rules))
            clock = TurnedClock()
            let turned = clock
            temporary = try TemporaryLedger(clock: LedgerClock { turned.now })
            ledger = try Self.open(temporary.path, sandbox, clock)
        }

        deinit {
            ledger.closeAndWait()
            sandbox.stop()
        }

        static func open(_ path: String, _ sandbox: Sandbox, _ clock: TurnedClock) throws -> Ledger {
            var options = LedgerOptions()
            options.clock = LedgerClock { clock.now }
            options.environment = [
                "CAPTURE_LEDGER_VERIFIER_URL": sandbox.verifierURL, "CAPTURE_LEDGER_HOLOGRAM_URL": sandbox.hologramURL,
            ]
            return try Ledger.open(folder: path, options: options)
        }

        func start(_ pieces: [Piece]) throws -> SessionID {
            var request = StartRequest(configuration: configuration(pieces))
            if pieces.contains(.hologram) { request.transactionID = "tx-1" }
            return try ledger.start(request).session
        }

        func capture(_ piece: Piece, _ file: String, in session: SessionID) throws {
            if piece == .hologram { _ = try ledger.startHologram(session, CommandOptions()) }
            var request = CaptureRequest(session: session, piece: piece, path: fixture(file), source: .camera)
            if piece == .hologram { request.rotation = 90 }
            let captured = try ledger.capture(request)
            guard case .captured = captured.outcome else {
                Issue.record("\(piece) was not captured: \(captured.outcome)")
                return
            }
            _ = try ledger.confirm(piece, in: session, CommandOptions())
        }

        func sync(_ options: SyncOptions = SyncOptions()) throws -> SyncReport {
            guard case .finished(let report) = try ledger.synchronizeAndWait(options) else {
                throw LedgerError(code: .init(rawValue: "busy"), message: "busy", remedy: "wait")
            }
            return report
        }
    }

    @Test func `the whole road: four pieces, one rejected and captured again, the video gone, the session completed`() throws {
        let site = try Site([
            .init(.init(piece: "selfie", nth: .only([1])), answer: .rejected(reason: "dark", staffReason: nil, dropPieces: []))
        ])
        let session = try site.start([.passportFront, .passportBack, .selfie, .hologram])
        try site.capture(.passportFront, "passport-front.jpg", in: session)
        try site.capture(.passportBack, "passport-back.jpg", in: session)
        try site.capture(.selfie, "selfie.jpg", in: session)
        try site.capture(.hologram, "hologram.mp4", in: session)
        let first = try site.sync()
        #expect(first.verified == 3 && first.rejected == 1 && first.left == 0 && first.verdict == .drained)
        #expect(try site.ledger.session(session).flow.currentPiece == .selfie)
        try site.capture(.selfie, "selfie-orientation-8.jpg", in: session)
        #expect(try site.sync().verified == 1)
        #expect(try site.ledger.session(session).flow.status == .completed)
        let record = site.sandbox.record()
        #expect(record.requests.compactMap(\.problem) == [])
        #expect(record.effects.count == 5 && record.effects.values.allSatisfy { $0 == 1 })
        #expect(record.keys == 5)
        let types = try site.ledger.timeline(session).map(\.type)
        #expect(types.count { $0 == "media_purged" } == 1 && types.count { $0 == "session_completed" } == 1)
    }

    @Test func `F1 the acknowledgement is lost, the worker is another process's, and there is one submission`() throws {
        let site = try Site([.init(.init(nth: .only([1])), fault: .drop(.afterStoring, isReset: true))])
        let session = try site.start([.passportFront])
        try site.capture(.passportFront, "passport-front.jpg", in: session)
        #expect(try site.sync().left == 1)
        site.ledger.closeAndWait()
        site.ledger = try Site.open(site.temporary.path, site.sandbox, site.clock)
        site.clock.advance(10_000)
        #expect(try site.sync().verified == 1)
        let record = site.sandbox.record()
        #expect(record.keys == 1 && Set(record.requests.map(\.fingerprint)).count == 1)
        #expect(record.effects.values.map { $0 } == [1])
        let delivery = try #require(try site.ledger.deliveries(of: session).first)
        #expect(try site.ledger.attempts(of: delivery).count == 2)
    }

    @Test func `S13 F18 a cap of attempts parks once, and the session says so`() throws {
        let site = try Site([.init(fault: .status(413, headers: [], isStored: false, isBeforeReading: false))])
        let session = try site.start([.passportFront])
        try site.capture(.passportFront, "passport-front.jpg", in: session)
        let report = try site.sync()
        #expect(report.parked == 1 && report.left == 0)
        #expect(try site.sync().parked == 0)
        #expect(try site.ledger.timeline(session).map(\.type).count { $0 == "piece_delivery_parked" } == 1)
    }

    @Test func `S92 a second run beside the first does nothing and says so`() async throws {
        let site = try Site()
        let held = try #require(try site.ledger.takeSyncLock())
        guard case .anotherRunWorks = try site.ledger.synchronizeAndWait() else {
            Issue.record("two runs at once")
            return
        }
        await #expect { try await SyncWorker(ledger: site.ledger).runOnce() } throws: {
            ($0 as? LedgerError)?.code.rawValue == "another_run_works"
        }
        withExtendedLifetime(held) {}
    }

    @Test func `what a command line asks for ends in one of its verdicts`() throws {
        let site = try Site([
            .init(.init(nth: .only([1])), fault: .status(404, headers: [], isStored: false, isBeforeReading: false))
        ])
        let session = try site.start([.passportFront])
        #expect(try site.ledger.deliverAndWait(SyncRequest()).verdict == .drained)
        try site.capture(.passportFront, "passport-front.jpg", in: session)
        var request = SyncRequest()
        request.stopRequests = { 1 }
        #expect(try site.ledger.deliverAndWait(request).verdict == .workLeft)
        #expect(site.sandbox.record().requests.isEmpty)
        var progress: [Int] = []
        request.stopRequests = { 0 }
        request.progress = { progress.append($0) }
        let paused = try site.ledger.deliverAndWait(request)
        // the hologram's destination is not paused, and nothing waits for it
        #expect(paused.verdict == .everyDestinationPaused && paused.paused == ["verifier"] && paused.summary.left == 1)
        #expect(progress == [1])
        site.clock.advance(900_000)
        let healed = try site.ledger.deliverAndWait(request)
        #expect(healed.verdict == .drained && healed.paused.isEmpty && healed.summary.verified == 1)
    }

    @Test func `the worker of the library delivers`() async throws {
        let site = try Site()
        let session = try site.start([.passportFront])
        try site.capture(.passportFront, "passport-front.jpg", in: session)
        let summary = try await SyncWorker(ledger: site.ledger).runOnce(deadline: .seconds(20))
        #expect(summary.verified == 1 && summary.left == 0 && summary.oldestWaitingMilliseconds == nil)
    }

    @Test func `S89 a hologram without its transaction waits, and goes once it is bound`() throws {
        let site = try Site()
        let session = try site.ledger.start(StartRequest(configuration: configuration([.hologram]))).session
        try site.capture(.hologram, "hologram.mp4", in: session)
        let waiting = try site.sync()
        #expect(waiting.left == 1 && site.sandbox.record().requests.isEmpty)
        _ = try site.ledger.bindTransaction("tx-9", in: session, CommandOptions())
        site.clock.advance(3_600_000)
        #expect(try site.sync().verified == 1)
    }
}

/// A clock that stands still until it is turned.
final class TurnedClock: Sendable {
    private let time = Mutex<Int64>(1_800_000_000_000)
    var now: Int64 { time.withLock { $0 } }
    func advance(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
}
