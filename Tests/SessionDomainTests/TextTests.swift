import SessionDomain
import TestSupport
import Testing

@Suite struct TextTests {
    static let rejections: [Rejection] = [
        .staleVersion(expected: 1, actual: 2), .needsNewerVersion, .alreadyStarted, .clientKeyConflict, .notStarted,
        .sessionSuspended, .sessionClosed(.completed), .sessionClosed(.exited), .sessionErased, .deadlinePassed, .notDue,
        .nothingToExpire, .unknownPiece(.selfie), .pieceDropped(.selfie), .pieceVerified(.selfie),
        .notCurrentPiece(.selfie, current: .passportFront), .notCurrentPiece(.selfie, current: nil), .nothingCaptured(.selfie),
        .alreadyConfirmed(.selfie), .captureSuperseded(.selfie), .captureReused, .notChecked(.selfie), .failedChecks(.selfie),
        .nothingWouldRemain, .notParked(.selfie), .mediaGone(.selfie), .scoreMissing, .recordingNotStarted, .cardNotDetected,
        .transactionAlreadyBound, .noHologram, .flipNotNext, .noFallbackLink, .interactionNeedsPiece,
        .unknownObservation(suggestion: "card_lost"), .unknownObservation(suggestion: nil),
        .observationFields(kind: "card_lost", fields: []), .observationFields(kind: "live_scan", fields: ["hint", "piece"]),
        .tooManyObservations(limit: 256), .tooManyFindings(limit: 256), .notACode(field: "cause"), .notFinite(field: "score"),
    ]

    @Test func `every rejection has a code, a sentence and a remedy`() {
        for rejection in Self.rejections {
            #expect(rejection.code.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") })
            #expect(isSentence(rejection.message), "\(rejection.code)")
            #expect(isSentence(rejection.remedy), "\(rejection.code)")
        }
    }

    @Test func `S66 every failure has a sentence for the user, one for staff and a remedy`() {
        #expect(CaptureFailure.known.count == 34)
        for failure in CaptureFailure.known + [CaptureFailure(rawValue: "of_a_newer_version")] {
            #expect(isSentence(failure.text.user), "\(failure.rawValue)")
            #expect(isSentence(failure.text.staff), "\(failure.rawValue)")
            #expect(isSentence(failure.text.remedy), "\(failure.rawValue)")
        }
        #expect(CaptureFailure.blurryPhoto.rawValue == "blurry_photo")
        #expect(CaptureFailure.scannerNotReady.text.user == "The scanner is not ready.")
    }

    @Test func `S1 S26 pieces and sources keep their names and numbers`() {
        #expect(Piece.allCases.map(\.rawValue) == ["passport_front", "passport_back", "selfie", "hologram"])
        #expect(Piece.allCases.map(\.code) == [1, 2, 3, 4])
        #expect(CaptureSource.allCases.map(\.rawValue) == ["camera", "gallery", "file"])
        #expect(CaptureSource.allCases.map(\.code) == [1, 2, 3])
        for piece in Piece.allCases { #expect(Piece(code: piece.code) == piece) }
        for source in CaptureSource.allCases { #expect(CaptureSource(code: source.code) == source) }
        #expect(Piece(code: 0) == nil && Piece(code: 5) == nil && CaptureSource(code: 0) == nil)
    }

    @Test func `digests read back as they were written`() {
        let hex = "00112233445566778899aabbccddeeff0123456789abcdef0f1e2d3c4b5a6978"
        #expect(Digest256(hex: hex)?.hex == hex)
        #expect(Digest256(hex: hex.uppercased())?.hex == hex)
        #expect(Digest256(hex: hex).flatMap { Digest256(bytes: $0.bytes) }?.hex == hex)
        #expect(Digest256(hex: String(hex.dropLast())) == nil)
        #expect(Digest256(hex: hex + "0") == nil)
        #expect(Digest256(hex: "g" + hex.dropFirst()) == nil)
        #expect(Digest256(bytes: Array(repeating: 0, count: 31)) == nil)
    }

    private func isSentence(_ text: String) -> Bool {
        text.count > 3 && (text.hasSuffix(".") || text.hasSuffix("?")) && text.first?.isUppercase == true
    }
}
