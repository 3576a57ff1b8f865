import CaptureLedger
import CaptureLedgerSync
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct VerifierTests {
    struct Completion: Sendable {
        let results: [Piece: CaptureResult]
        let payloads: [Piece: Payload]
    }

    static func types(_ ledger: Ledger, until last: String) async throws -> [String] {
        let seen = Mutex<[String]>([])
        struct Enough: Error {}
        do {
            try await ledger.follow(as: "types-" + UUID().uuidString) { event in
                seen.withLock { $0.append(event.type) }
                if event.type == last { throw Enough() }
            }
        } catch {
            if error.code.rawValue != "handler_failed" { throw error }
        }
        return seen.withLock { $0 }
    }

    @Test func `S12 S15 S16 S85 every piece verified completes once, with results and payloads by piece`() async throws {
        let kiosk = try await Kiosk()
        let done = Told<Completion>()
        let verifier = ScriptedVerifier { result, _, _ in
            .verified(payload: Payload(json: Data(#"{"a":[1,2.5,"é",null,{"b":true}],"p":"\#(result.piece.rawValue)"}"#.utf8)))
        }
        let left = Told<Bool>()
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.passportFront, .selfie]), verifier: verifier,
            callbacks: CaptureCallbacks(
                onComplete: { done.add(Completion(results: $0, payloads: $1)) },
                onNothingLeftToCapture: { left.add(true) }))
        let front = try await flow.take(.passportFront)
        let selfie = try await flow.take(.selfie)
        let completion = try #require(try await done.wait(for: 1).first)
        #expect(Set(completion.results.keys) == [.passportFront, .selfie])
        #expect(completion.results[.passportFront]?.captureID == front.captureID)
        #expect(completion.results[.selfie]?.captureID == selfie.captureID && completion.results[.selfie]?.attempt == 1)
        struct Shape: Decodable { let p: String }
        #expect(try completion.payloads[.selfie]?.decode(Shape.self).p == "selfie")
        let json = try #require(completion.payloads[.passportFront]?.json)
        #expect(String(decoding: json, as: UTF8.self) == #"{"a":[1,2.5,"é",null,{"b":true}],"p":"passport_front"}"#)
        let picture = try await completion.results[.selfie]?.media()
        #expect(try picture == Data(contentsOf: Kiosk.fixture("selfie.jpg")))
        #expect(verifier.calls.map(\.captureID).sorted() == [front.captureID, selfie.captureID].sorted())
        let types = try await Self.types(kiosk.ledger, until: "session_completed")
        #expect(types.count { $0 == "piece_verified" } == 2 && types.count { $0 == "session_completed" } == 1)
        await kiosk.close()
        #expect(done.all.count == 1 && left.all.count == 1)
    }

    @Test func `S13 S66 a rejection brings its piece back with the verifier's reason, and a second capture passes`()
        async throws
    {
        let kiosk = try await Kiosk()
        let done = Told<Int>()
        let verifier = ScriptedVerifier { result, _, _ in
            result.attempt == 1 ? .rejected(reason: "The page is expired.") : .yes(result.piece)
        }
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.passportFront]), verifier: verifier,
            callbacks: CaptureCallbacks(onComplete: { results, _ in done.add(results[.passportFront]?.attempt ?? 0) }))
        try await flow.take(.passportFront)
        let state = try await flow.first { $0.phase == .needsRecapture }
        #expect(state.currentPiece == .passportFront && state.lastFailure == .rejectedByVerifier)
        #expect(state.lastMessage == "The page is expired." && state.nextAttempt == nil)
        _ = try await flow.capture(
            .passportFront, file: Kiosk.fixture("passport-front-retake.jpg"), source: .camera)
        try await flow.confirm(.passportFront)
        #expect(try await done.wait(for: 1) == [2])
        await kiosk.close()
    }

    @Test func `S14 S67 a failure is the same capture again, shown with its message and next attempt, and a retry means now`()
        async throws
    {
        var options = LedgerOptions()
        options.verification.firstPause = .seconds(3000)
        let kiosk = try await Kiosk(options)
        let done = Told<Int>()
        let verifier = ScriptedVerifier { result, _, nth in nth == 1 ? .failed(message: "No connection") : .yes(result.piece) }
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.selfie]), verifier: verifier,
            callbacks: CaptureCallbacks(onComplete: { results, _ in done.add(results[.selfie]?.attempt ?? 0) }))
        try await flow.take(.selfie)
        let state = try await flow.first { $0.lastMessage != nil }
        #expect(state.phase == .waitingForVerification && state.lastMessage == "No connection")
        #expect(state.nextAttempt != nil && state.lastFailure == nil)
        try await flow.record(.failureShown, on: .selfie)
        try await flow.record(.retryRequested, on: .selfie)
        #expect(try await done.wait(for: 1) == [1])
        #expect(verifier.calls.count == 2 && Set(verifier.calls.map(\.captureID)).count == 1)
        await kiosk.close()
    }

    @Test func `S19 S20 S69 pieces dropped inside a verifier are gone before its answer counts`() async throws {
        let kiosk = try await Kiosk()
        let done = Told<[Piece]>()
        let verifier = ScriptedVerifier { result, flow, _ in
            do { try await flow.dropPendingPieces([.passportBack]) } catch { return .failed(message: "\(error)") }
            // It may look at the flow as well.
            guard let state = try? await flow.state(), !state.remainingPieces.contains(.passportBack) else {
                return .failed(message: "not dropped")
            }
            return .yes(result.piece)
        }
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.passportFront, .passportBack]), verifier: verifier,
            callbacks: CaptureCallbacks(onComplete: { results, _ in done.add(Array(results.keys)) }))
        try await flow.take(.passportFront)
        #expect(try await done.wait(for: 1) == [[.passportFront]])
        let types = try await Self.types(kiosk.ledger, until: "session_completed")
        #expect(types.suffix(3) == ["pending_pieces_dropped", "piece_verified", "session_completed"])
        await kiosk.close()
    }

    @Test func `S20 a drop stands when the verifier then says no`() async throws {
        let kiosk = try await Kiosk()
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.passportFront, .passportBack]),
            verifier: ScriptedVerifier { _, flow, _ in
                try? await flow.dropPendingPieces([.passportBack])
                return .rejected(reason: "dark")
            }, callbacks: .ignoring)
        try await flow.take(.passportFront)
        let state = try await flow.first { $0.phase == .needsRecapture }
        #expect(state.remainingPieces == [.passportFront] && state.currentPiece == .passportFront)
        await kiosk.close()
    }

    @Test func `S69 a verifier that hangs is given up, and the capture is given to it again`() async throws {
        var options = LedgerOptions.impatient
        options.verification.timeout = .milliseconds(200)
        let kiosk = try await Kiosk(options)
        let done = Told<Int>()
        let verifier = ScriptedVerifier { result, _, nth in
            if nth == 1 { try? await Task.sleep(for: .seconds(3600)) }
            return nth == 1 ? .rejected(reason: "too late to count") : .yes(result.piece)
        }
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.selfie]), verifier: verifier,
            callbacks: CaptureCallbacks(onComplete: { results, _ in done.add(results.count) }))
        try await flow.take(.selfie)
        #expect(try await done.wait(for: 1) == [1])
        #expect(verifier.calls.count == 2)
        await kiosk.close()
    }

    @Test func `S69 failures and answers that are no answers end in a parked capture, not in silence`() async throws {
        var options = LedgerOptions.impatient
        options.verification.attempts = 3
        let kiosk = try await Kiosk(options)
        let verifier = ScriptedVerifier { _, _, _ in .failed(message: "down") }
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.selfie]), verifier: verifier, callbacks: .ignoring)
        try await flow.take(.selfie)
        let types = try await Self.types(kiosk.ledger, until: "piece_delivery_parked")
        #expect(types.last == "piece_delivery_parked" && verifier.calls.count == 3)
        await kiosk.close()
    }

    @Test func `a verifier brought to a session that endpoints decide is a conflict, since it would never be asked`()
        async throws
    {
        let kiosk = try await Kiosk()
        let configuration = Kiosk.configuration([.selfie])
        _ = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: configuration, clientKey: "k", callbacks: .ignoring)
        await #expect {
            try await CaptureFactory.makeFlow(
                in: kiosk.ledger, configuration: configuration, clientKey: "k", verifier: ScriptedVerifier(),
                callbacks: .ignoring)
        } throws: { ($0 as? LedgerError)?.code.rawValue == "client_key_conflict" }
        await kiosk.close()
    }

    @Test func `S69 S92 a host's captures are left alone by the worker for endpoints`() async throws {
        let kiosk = try await Kiosk()
        let gate = Told<Bool>()
        let open = Told<Bool>()
        let done = Told<Int>()
        let verifier = ScriptedVerifier { result, _, _ in
            gate.add(true)
            _ = try? await open.wait(for: 1)
            return .yes(result.piece)
        }
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: Kiosk.configuration([.selfie]), verifier: verifier,
            callbacks: CaptureCallbacks(onComplete: { results, _ in done.add(results.count) }))
        try await flow.take(.selfie)
        _ = try await gate.wait(for: 1)
        let summary = try await SyncWorker(ledger: kiosk.ledger).runOnce(deadline: .seconds(5))
        #expect(summary == SyncSummary())
        open.add(true)
        #expect(try await done.wait(for: 1) == [1])
        #expect(verifier.calls.count == 1)
        await kiosk.close()
    }
}
