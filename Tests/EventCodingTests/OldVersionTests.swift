import EventCoding
import Foundation
import SessionDomain
import TestSupport
import Testing

@Suite struct OldVersionTests {
    @Test func `F6 a capture of version 1 with its retry as text and fields missing is read`() throws {
        let old = try Golden.read("piece_captured.v1.json")
        #expect(old.contains { $0.facts.contains("\"retry\":\"false\"") })
        for stored in old {
            guard case .pieceCaptured(let captured)? = try EventCoder.decode(stored, configuration: { _ in nil }) else {
                Issue.record("not a capture")
                continue
            }
            #expect(captured.attempt == nil)
            #expect(captured.media.orientation == 1)
            #expect(captured.media.flags.isEmpty)
            #expect(captured.supersedes == nil)
            #expect(captured.captureID.uuid == stored.captureID)
        }
    }

    @Test func `F6 a session of version 1 folds to what it was`() throws {
        let stored = try Golden.read("session_of_version_1.json")
        let frozen = FrozenConfiguration(Sample.configuration([.passportFront, .selfie]))
        var state = SessionState.initial
        for event in stored {
            let event = try #require(try EventCoder.decode(event, frozen: { _ in frozen }))
            state.apply(event)
        }
        let expected = try JSONValue.parse(
            [UInt8](Data(contentsOf: Golden.folder.appending(path: "session_of_version_1.expected"))))
        let view = try #require(FlowView(state))
        #expect(
            JSONValue.members([
                .init("status", .string(view.status.rawValue)), .init("phase", .string(view.phase.rawValue)),
                .init("version", .integer(view.version)), .init("current_piece", .string(view.currentPiece?.rawValue ?? "")),
                .init(
                    "pieces",
                    .array(
                        view.pieces.map {
                            .members([
                                .init("piece", .string($0.piece.rawValue)), .init("status", .string($0.status.rawValue)),
                                .init("attempts", .integer(Int64($0.attempts))),
                                .init("capture_id", .string($0.captureID?.text ?? "")),
                            ])
                        })),
            ]) == expected)
    }

    @Test func `a version that never was is damage`() throws {
        var stored = try #require(try Golden.read("piece_captured.v1.json").first)
        stored.schemaVersion = 0
        #expect(throws: CodingFailure(.fieldInvalid, type: "piece_captured", field: "schema_version")) {
            try EventCoder.decode(stored, configuration: { _ in nil })
        }
    }
}
