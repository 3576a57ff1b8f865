import CaptureLedger
import CaptureLedgerTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct HarnessTests {
    private static let twoPieces = CaptureConfiguration(pieces: [.passportFront, .selfie], flowTitle: "Check in")

    @Test func `S28 a whole session is played without a camera or a network`() async throws {
        let verifier = ScriptedVerifier([.passportFront: [.rejected(reason: "expired")]])
        let harness = try await Harness(Self.twoPieces, verifier: verifier)
        let state = try await harness.play([
            .capture(.passportFront), .retake(.passportFront), .take(.passportFront), .take(.selfie),
            .until(.needsRecapture), .take(.passportFront), .until(.finished),
        ])
        #expect(state.ending == .completed)
        #expect(verifier.calls.map(\.piece).filter { $0 == .passportFront }.count == 2)
        let events = try await harness.test.events(of: harness.flow)
        #expect(events.first == "session_started" && events.last == "session_completed")
        #expect(events.contains("piece_retaken passport_front") && events.contains("piece_rejected passport_front"))
        await harness.test.close()
    }

    /// The example of docs/embedding.md, line by line.
    @Test func `a guest whose passport is refused shows it again, after a restart`() async throws {
        let verifier = ScriptedVerifier([.passportFront: [.rejected(reason: "expired")]])
        let harness = try await Harness(.init(pieces: [.passportFront, .selfie], flowTitle: "Check in"), verifier: verifier)
        let state = try await harness.play([
            .take(.passportFront), .until(.needsRecapture), .restart, .take(.passportFront), .take(.selfie), .until(.finished),
        ])
        #expect(state.ending == .completed && verifier.calls.count == 3)
        await harness.test.close()
    }

    @Test func `S92 a restart in the middle goes on with the same session, and completion is told once`() async throws {
        let harness = try await Harness(Self.twoPieces)
        let first = harness.flow.sessionID
        try await harness.play([.take(.passportFront), .restart, .take(.selfie), .until(.finished), .restart])
        #expect(harness.flow.sessionID == first)
        #expect(harness.told.filter { $0 == .completed([.passportFront, .selfie]) }.count == 1)
        await harness.test.close()
    }

    @Test func `S14 a verifier that fails is asked again about the same capture once its pause is over`() async throws {
        let verifier = ScriptedVerifier([.selfie: [.failed(message: "branch unreachable")]])
        let harness = try await Harness(.init(pieces: [.selfie], flowTitle: "Check in"), verifier: verifier)
        try await harness.play([.take(.selfie)])
        for await state in harness.flow.states where state.nextAttempt != nil {
            #expect(state.lastMessage == "branch unreachable")
            break
        }
        #expect(verifier.calls.count == 1)
        try await harness.play([.pass(.seconds(3)), .until(.finished)])
        #expect(verifier.calls.count == 2 && Set(verifier.calls.map(\.captureID)).count == 1)
        await harness.test.close()
    }

    @Test func `S19 pieces that a verifier drops are gone before its answer counts`() async throws {
        let verifier = ScriptedVerifier([.passportFront: [.dropping([.passportBack], then: .verified(json: #"{"kind":"P"}"#))]])
        let harness = try await Harness(
            .init(pieces: [.passportFront, .passportBack], flowTitle: "Check in"), verifier: verifier)
        try await harness.play([.take(.passportFront), .until(.finished)])
        try await harness.test.expect(
            [
                "session_started", "piece_captured passport_front", "piece_confirmed passport_front", "pending_pieces_dropped",
                "piece_verified passport_front", "session_completed",
            ], of: harness.flow)
        await harness.test.close()
    }

    @Test func `a refused capture, or a phase that never comes, fails the script in words`() async throws {
        let harness = try await Harness(Self.twoPieces)
        await #expect { try await harness.play([.capture(.passportFront, source: .gallery)]) } throws: {
            "\($0)" == "The capture of passport_front was refused: uploads_not_allowed."
        }
        await #expect { try await harness.play([.exit, .until(.needsRecapture)]) } throws: {
            "\($0)" == "The flow ended as finished and never became needsRecapture."
        }
        #expect(harness.told == [.exited] || harness.told.isEmpty)
        await harness.test.close()
    }
}
