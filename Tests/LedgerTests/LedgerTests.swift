import Outbox
import SessionDomain
import Testing

@testable import CaptureLedger

@Suite struct LedgerTests {
    @Test func `a session is started, captured and confirmed, and all of it is there after reopening`() throws {
        let temporary = try TemporaryLedger()
        var start = StartRequest(configuration: configuration([.passportFront, .selfie]))
        start.clientKey = "booking-4711"
        let session = try temporary.ledger.start(start).session
        let front = try temporary.ledger.capture(
            CaptureRequest(session: session, piece: .passportFront, path: fixture("passport-front.jpg"), source: .camera))
        guard case .captured(let captureID, let attempt) = front.outcome else {
            Issue.record("not captured: \(front.outcome)")
            return
        }
        #expect(attempt == 1)
        _ = try temporary.ledger.confirm(.passportFront, in: session, CommandOptions())

        let reopened = try temporary.reopened()
        defer { reopened.closeAndWait() }
        let view = try reopened.session(session)
        #expect(view.flow.status == .active)
        #expect(view.flow.currentPiece == .selfie)
        #expect(view.flow.pieces.first?.captureID == captureID)
        #expect(try reopened.deliveries(of: session).map(\.status) == [.waiting])
        #expect(try reopened.timeline(session).map(\.type) == ["session_started", "piece_captured", "piece_confirmed"])
        #expect(try reopened.find(.clientKey("booking-4711")) == [session])
    }

    @Test func `F11 the same client key gives the same session, another configuration a conflict`() throws {
        let temporary = try TemporaryLedger()
        var start = StartRequest(configuration: configuration([.selfie]))
        start.clientKey = "k"
        let first = try temporary.ledger.start(start)
        let again = try temporary.ledger.start(start)
        #expect(again.session == first.session && again.isRepeat)
        start.configuration = configuration([.passportFront])
        #expect { try temporary.ledger.start(start) } throws: { ($0 as? LedgerError)?.code.rawValue == "client_key_conflict" }
    }

    @Test func `a repeated command gets its first receipt, also after reopening; another body is a conflict`() throws {
        let temporary = try TemporaryLedger()
        let session = try temporary.ledger.start(StartRequest(configuration: configuration([.passportFront, .selfie]))).session
        var request = CaptureRequest(
            session: session, piece: .passportFront, path: fixture("passport-front.jpg"), source: .camera)
        request.options.commandID = try commandID("scan-1")
        let first = try temporary.ledger.capture(request)
        let reopened = try temporary.reopened()
        defer { reopened.closeAndWait() }
        let again = try reopened.capture(request)
        #expect(again.receipt.isRepeat && again.receipt.positions == first.receipt.positions)
        #expect(again.outcome == first.outcome)
        request.path = fixture("passport-back.jpg")
        #expect { try reopened.capture(request) } throws: { ($0 as? LedgerError)?.code.rawValue == "command_id_conflict" }
        #expect(try reopened.session(session).flow.version == 2)
    }

    @Test func `a stale expected version is refused, but a repeated command gets its receipt`() throws {
        let temporary = try TemporaryLedger()
        let session = try temporary.ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        var options = CommandOptions()
        options.expectedVersion = 1
        options.commandID = try commandID("pause")
        let first = try temporary.ledger.suspend(session, options)
        #expect(try temporary.ledger.suspend(session, options).positions == first.positions)
        options.commandID = try commandID("go-on")
        #expect { try temporary.ledger.resume(session, options) } throws: {
            ($0 as? LedgerError)?.code.rawValue == "stale_version"
        }
    }

    @Test func `S98 an erased session still folds, opens nothing and refuses commands`() throws {
        let temporary = try TemporaryLedger()
        var start = StartRequest(configuration: configuration([.selfie]))
        start.subject = "subject-1"
        let session = try temporary.ledger.start(start).session
        _ = try temporary.ledger.capture(
            CaptureRequest(session: session, piece: .selfie, path: fixture("selfie.jpg"), source: .camera))
        _ = try temporary.ledger.confirm(.selfie, in: session, CommandOptions())
        let erased = try temporary.ledger.erase(session)
        #expect(erased.media == 1 && erased.withdrawnDeliveries == 1)
        #expect(try temporary.ledger.session(session).flow.status == .erased)
        #expect(try temporary.ledger.find(.subject("subject-1")).isEmpty)
        #expect(try temporary.ledger.deliveries(of: session).map(\.status) == [.withdrawn])
        #expect { try temporary.ledger.exit(session, CommandOptions()) } throws: {
            ($0 as? LedgerError)?.code.rawValue == "session_erased"
        }
    }
}
