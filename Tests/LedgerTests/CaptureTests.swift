import EventStorage
import SessionDomain
import Synchronization
import SystemCalls
import Testing

@testable import CaptureLedger

@Suite struct CaptureTests {
    @Test func `S88 a consumed file is unlinked once its event is durable, and kept when the capture is refused by the flow`()
        throws
    {
        let temporary = try TemporaryLedger()
        let session = try temporary.ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        let own = temporary.folder + "/selfie.jpg"
        try FileSystem.copy(fixture("selfie.jpg"), to: own)
        var request = CaptureRequest(session: session, piece: .passportFront, path: own, source: .camera)
        request.consumesFile = true
        #expect(throws: LedgerError.self) { try temporary.ledger.capture(request) }
        #expect(try FileStatus.of(own) != nil)
        request.piece = .selfie
        _ = try temporary.ledger.capture(request)
        #expect(try FileStatus.of(own) == nil)
    }

    @Test func `F26 refused media is recorded, queues nothing and counts no attempt`() throws {
        let temporary = try TemporaryLedger()
        let session = try temporary.ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        let before = try sealedFiles(temporary.path)
        let refused = try temporary.ledger.capture(
            CaptureRequest(session: session, piece: .selfie, path: fixture("hologram.mp4"), source: .camera))
        guard case .refused(let failure, _, _, _) = refused.outcome else {
            Issue.record("taken in: \(refused.outcome)")
            return
        }
        #expect(failure.rawValue == "not_allowed_for_piece")
        let view = try temporary.ledger.session(session)
        #expect(view.flow.currentPiece == .selfie && view.flow.pieces[0].attempts == 0)
        #expect(try temporary.ledger.timeline(session).map(\.type) == ["session_started", "capture_refused"])
        #expect(try temporary.ledger.deliveries(of: session).isEmpty)
        #expect(try sealedFiles(temporary.path) == before)
    }

    @Test func `a capture that the flow refuses once it is sealed leaves no file behind`() throws {
        let temporary = try TemporaryLedger()
        let session = try temporary.ledger.start(StartRequest(configuration: configuration([.passportFront, .selfie]))).session
        let before = try sealedFiles(temporary.path)
        var request = CaptureRequest(session: session, piece: .selfie, path: fixture("selfie.jpg"), source: .camera)
        // A named command may be a repetition, so its media is sealed before the flow is asked.
        request.options.commandID = try commandID("out-of-turn")
        #expect { try temporary.ledger.capture(request) } throws: { ($0 as? LedgerError)?.code.rawValue == "not_current_piece" }
        #expect(try sealedFiles(temporary.path) == before)
    }

    @Test func `F2 F3 a second capture supersedes the first, whose delivery is withdrawn and whose event stays`() throws {
        let temporary = try TemporaryLedger()
        let session = try temporary.ledger.start(StartRequest(configuration: configuration([.passportFront]))).session
        let first = try temporary.ledger.capture(
            CaptureRequest(session: session, piece: .passportFront, path: fixture("passport-front.jpg"), source: .camera))
        _ = try temporary.ledger.retake(.passportFront, in: session, CommandOptions())
        var again = CaptureRequest(
            session: session, piece: .passportFront, path: fixture("passport-front-retake.jpg"), source: .camera)
        again.confirm = true
        let second = try temporary.ledger.capture(again)
        #expect(first.outcome != second.outcome)
        let deliveries = try temporary.ledger.deliveries(of: session)
        #expect(deliveries.count == 1)
        guard case .captured(let captureID, let attempt) = second.outcome else {
            Issue.record("not captured: \(second.outcome)")
            return
        }
        #expect(deliveries[0].capture == captureID && attempt == 2)
        #expect(try temporary.ledger.timeline(session).filter { $0.type == "piece_captured" }.count == 2)
    }

    @Test func `S94 client time, store time and position are three things, and position decides`() throws {
        let now = Mutex<Int64>(1_790_000_000_000)
        let clock = LedgerClock { now.withLock { $0 } }
        let temporary = try TemporaryLedger(clock: clock)
        let session = try temporary.ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        var options = CommandOptions()
        options.occurredAtMilliseconds = 1_789_999_000_000
        now.withLock { $0 -= 3_600_000 }
        _ = try temporary.ledger.suspend(session, options)
        options.occurredAtMilliseconds = 12
        _ = try temporary.ledger.resume(session, options)
        let events = try temporary.ledger.timeline(session)
        #expect(events.map(\.position) == [1, 2, 3])
        #expect(events.map(\.recordedAtMilliseconds) == [1_790_000_000_000, 1_790_000_000_000, 1_790_000_000_000])
        #expect(events.map(\.occurredAtMilliseconds) == [nil, 1_789_999_000_000, nil])
        #expect(events.map(\.isClientClockSkewed) == [false, false, true])
    }

    @Test func `a session past its deadline expires while capturing, and not while confirmed pieces wait`() throws {
        let now = Mutex<Int64>(1_790_000_000_000)
        let clock = LedgerClock { now.withLock { $0 } }
        let temporary = try TemporaryLedger(clock: clock)
        var short = configuration([.selfie])
        short.deadlineMilliseconds = 60_000
        let capturing = try temporary.ledger.start(StartRequest(configuration: short)).session
        let waiting = try temporary.ledger.start(StartRequest(configuration: short)).session
        var selfie = CaptureRequest(session: waiting, piece: .selfie, path: fixture("selfie.jpg"), source: .camera)
        selfie.confirm = true
        _ = try temporary.ledger.capture(selfie)
        #expect(try temporary.ledger.expireDueSessions() == 0)
        now.withLock { $0 += 60_001 }
        #expect(try temporary.ledger.expireDueSessions() == 1)
        #expect(try temporary.ledger.session(capturing).flow.status == .expired)
        #expect(try temporary.ledger.session(waiting).flow.status == .active)
    }

    @Test func `a disk nearly full refuses a capture as storage_low before anything is half written`() throws {
        let temporary = try TemporaryLedger()
        let session = try temporary.ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        temporary.ledger.closeAndWait()
        let settings = temporary.path + "/" + Settings.fileName
        let text = String(decoding: try FileDescriptor(opening: settings, .read).readToEnd(limit: 1 << 20), as: UTF8.self)
        // More than any disk has.
        let asked = text.replacing("// reserve_bytes: 268435456", with: "reserve_bytes: 1125899906842624")
        #expect(asked != text)
        let file = try FileDescriptor(opening: settings, .write)
        try file.write(Array(asked.utf8))
        let ledger = try Ledger.open(folder: temporary.path)
        defer { ledger.closeAndWait() }
        let before = try sealedFiles(temporary.path)
        #expect {
            try ledger.capture(CaptureRequest(session: session, piece: .selfie, path: fixture("selfie.jpg"), source: .camera))
        } throws: {
            ($0 as? LedgerError)?.code.rawValue == "storage_low"
        }
        #expect(try sealedFiles(temporary.path) == before)
        #expect(try ledger.session(session).flow.version == 1)
    }
}

/// Every file below `media` and `evidence`.
func sealedFiles(_ ledger: String) throws -> [String] {
    var found: [String] = []
    func walk(_ path: String) throws {
        for name in try FileDescriptor(opening: path, .folder).names().sorted() {
            let child = path + "/" + name
            if try FileStatus.of(child)?.kind == .folder { try walk(child) } else { found.append(child) }
        }
    }
    for folder in ["media", "evidence"] { try walk(ledger + "/" + folder) }
    return found
}
