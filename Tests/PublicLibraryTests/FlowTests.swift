import CaptureLedger
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct FlowTests {
    @Test func `S27 S85 a capture's receipt names what was captured, and its original comes back byte for byte`() async throws {
        let kiosk = try await Kiosk()
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.passportFront]), callbacks: .ignoring)
        let original = try Data(contentsOf: Kiosk.fixture("passport-front.jpg"))
        let receipt = try await flow.capture(.passportFront, file: Kiosk.fixture("passport-front.jpg"), source: .camera)
        guard case .captured(let result) = receipt.outcome else {
            Issue.record("refused")
            return
        }
        #expect(result.piece == .passportFront && result.source == .camera && result.attempt == 1)
        #expect(result.sessionID == flow.sessionID && result.fieldDetections == nil && receipt.positions == [2])
        #expect(try await result.media() == original)
        var chunks = Data()
        for try await chunk in result.mediaChunks(of: 1000) {
            #expect(chunk.count <= 1000)
            chunks += chunk
        }
        #expect(chunks == original)
        await kiosk.close()
    }

    @Test func `the same client key is the same session, in this process and for whoever opens the ledger next`() async throws {
        let kiosk = try await Kiosk()
        func make(_ ledger: Ledger, _ configuration: CaptureConfiguration) async throws -> CaptureFlow {
            try await CaptureFactory.makeFlow(
                in: ledger, configuration: configuration, clientKey: "booking-4711", callbacks: .ignoring)
        }
        let configuration = Kiosk.configuration([.passportFront, .selfie])
        let first = try await make(kiosk.ledger, configuration)
        #expect(try await make(kiosk.ledger, configuration) === first)
        try await first.take(.passportFront)
        await kiosk.close()
        let again = try await Ledger.open(at: kiosk.path)
        let second = try await make(again, configuration)
        #expect(second.sessionID == first.sessionID)
        #expect(try await second.state().currentPiece == .selfie)
        await #expect { try await make(again, Kiosk.configuration([.selfie])) } throws: {
            ($0 as? LedgerError)?.code.rawValue == "client_key_conflict"
        }
        #expect(try await again.flow(first.sessionID).sessionID == first.sessionID)
        await #expect { try await again.flow("no-such-thing") } throws: {
            ($0 as? LedgerError)?.code.rawValue == "no_such_session"
        }
        await again.close()
    }

    @Test func `S88 a consumed file is gone once its event is durable, and stays when the command throws`() async throws {
        let kiosk = try await Kiosk()
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.passportFront, .selfie]), callbacks: .ignoring)
        let selfie = try kiosk.file("selfie.jpg")
        await #expect { try await flow.capture(.selfie, file: selfie, source: .camera, consumingFile: true) } throws: {
            ($0 as? LedgerError)?.code.rawValue == "not_current_piece"
        }
        #expect(FileManager.default.fileExists(atPath: selfie.path))
        let front = try kiosk.file("passport-front.jpg")
        _ = try await flow.capture(.passportFront, file: front, source: .camera, consumingFile: true, commandID: "scan-1")
        #expect(!FileManager.default.fileExists(atPath: front.path))
        let kept = try kiosk.file("passport-front.jpg")
        let repeated = try await flow.capture(.passportFront, file: kept, source: .camera, commandID: "scan-1")
        #expect(repeated.positions == [2] && FileManager.default.fileExists(atPath: kept.path))
        await kiosk.close()
    }

    @Test func `S66 a refused capture is an outcome with words for the user, the staff and what to do`() async throws {
        let kiosk = try await Kiosk()
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.selfie]), callbacks: .ignoring)
        let receipt = try await flow.capture(.selfie, file: Kiosk.fixture("selfie.jpg"), source: .gallery)
        guard case .refused(let failure) = receipt.outcome else {
            Issue.record("an upload was taken in")
            return
        }
        #expect(failure == .uploadsNotAllowed && failure.rawValue == "uploads_not_allowed")
        for failure in CaptureFailure.known + [CaptureFailure(rawValue: "of_a_newer_version")] {
            #expect(!failure.text.user.isEmpty && !failure.text.staff.isEmpty && !failure.text.remedy.isEmpty)
        }
        await kiosk.close()
    }

    @Test func `S66 the first failing check of an upload decides, whatever the order of the findings`() {
        func failure(_ metrics: [String], _ piece: Piece = .passportFront) -> CaptureFailure? {
            UploadCheck.failure(for: metrics.map { Finding(metric: $0, value: 0, passed: false) }, piece: piece)
        }
        #expect(failure(["blur_score", "glare_score", "finger_overlap", "page_score"]) == .noDocument)
        #expect(failure(["blur_score", "glare_score", "finger_overlap"]) == .fingers)
        #expect(failure(["blur_score", "glare_score"]) == .glare)
        #expect(failure(["blur_score"]) == .blurryPhoto && failure(["tilt_degrees"], .selfie) == nil)
        #expect(UploadCheck.failure(for: [Finding(metric: "blur_score", value: 0, passed: nil)], piece: .passportBack) == nil)
        #expect(failure(["face_count"], .selfie) == .noFace)
        let faces = Finding(metric: "face_count", value: 2, passed: false)
        #expect(UploadCheck.failure(for: [faces], piece: .selfie) == .severalFaces)
    }

    @Test func `S17 S18 backing out is told once, after the drop that came before it, and ends the states`() async throws {
        let kiosk = try await Kiosk()
        let told = Told<String>()
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.passportFront, .passportBack, .selfie]),
            callbacks: CaptureCallbacks(
                onComplete: { _, _ in told.add("complete") }, onExit: { told.add("exit") },
                onNothingLeftToCapture: { told.add("nothing left") }))
        try await flow.take(.passportFront)
        try await flow.dropPendingPieces([.passportFront, .passportBack, .hologram])
        #expect(try await flow.state().remainingPieces == [.passportFront, .selfie])
        let states = flow.states
        try await flow.exit()
        var last: FlowState?
        for await state in states { last = state }
        #expect(last?.phase == .finished && last?.ending == .exited)
        #expect(try await told.wait(for: 1) == ["exit"])
        await #expect { try await flow.confirm(.selfie) } throws: { ($0 as? LedgerError)?.code.rawValue == "session_exited" }
        await kiosk.close()
        #expect(told.all == ["exit"])
    }

    @Test func `S19 a follower sees every event once, in order, from where its name stopped`() async throws {
        let kiosk = try await Kiosk()
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.selfie]), callbacks: .ignoring)
        let ledger = kiosk.ledger
        await #expect { try await ledger.follow(as: "crm") { if $0.position == 1 { throw Unexpected("down") } } } throws: {
            ($0 as? LedgerError)?.code.rawValue == "handler_failed"
        }
        let seen = Told<Int64>()
        let following = Task { try await ledger.follow(as: "crm") { seen.add($0.position) } }
        _ = try await seen.wait(for: 1)
        await #expect { try await ledger.follow(as: "crm") { _ in } } throws: {
            ($0 as? LedgerError)?.code.rawValue == "follower_in_use"
        }
        try await flow.take(.selfie)
        #expect(try await seen.wait(for: 3) == [1, 2, 3])
        following.cancel()
        try await following.value
        let rest = Told<Int64>()
        let again = Task { try await ledger.follow(as: "crm") { rest.add($0.position) } }
        try await flow.exit()
        #expect(try await rest.wait(for: 1) == [4])
        await kiosk.close()
        try await again.value
        await #expect { try await ledger.follow(as: "../crm") { _ in } } throws: {
            ($0 as? LedgerError)?.code.rawValue == "follower_name_invalid"
        }
    }
}

extension CaptureCallbacks {
    static var ignoring: CaptureCallbacks { CaptureCallbacks(onComplete: { _, _ in }) }
}
