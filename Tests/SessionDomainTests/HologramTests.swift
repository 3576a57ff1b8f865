import SessionDomain
import TestSupport
import Testing

@Suite struct HologramTests {
    @Test func `S70 three card types, by name and by what the endpoint is told`() {
        for (name, wire) in [
            ("NEW_TC_ID", "NEW-ID"), ("DRIVER_LICENSE", "NEW-DRIVER"), ("INTERNATIONAL_ID", "INTERNATIONAL"),
        ] {
            #expect(HologramCardType(named: name)?.rawValue == wire)
            #expect(HologramCardType(named: wire)?.name == name)
        }
        #expect(HologramCardType(named: "new-id") == nil)
        #expect(HologramCardType(named: "") == nil)
    }

    @Test func `S89 a hologram without a card type is refused at the start`() {
        let configuration = CaptureConfiguration(pieces: [.selfie, .hologram], flowTitle: "")
        Given().when(Sample.start(configuration)).thenRejected("card_type_missing")
    }

    @Test func `S72 a video is captured only from a recording that was started`() throws {
        let given = try Given.session(.hologram)
        given.when(Sample.capture(.hologram, 1)).thenRejected("recording_not_started")
        given.when(.startHologramRecording).then("hologramRecordingStarted")
        let recording = try given.after(.startHologramRecording)
        recording.when(.startHologramRecording).thenNothing()
        recording.when(Sample.capture(.hologram, 1, rotation: 90)).then("pieceCaptured")
        let captured = try recording.after(Sample.capture(.hologram, 1, rotation: 90))
        #expect(captured.state.pieces[.hologram].rotation == 90)
        captured.when(Sample.capture(.hologram, 2)).thenRejected("recording_not_started")
    }

    @Test func `S73 a cancelled recording is recorded and sends nothing`() throws {
        let given = try Given.session(.hologram).after(.startHologramRecording)
        given.when(.cancelHologramRecording(cause: .user)).then("hologramRecordingCancelled(user)")
        let cancelled = try given.after(.cancelHologramRecording(cause: .user))
        cancelled.when(Sample.capture(.hologram, 1)).thenRejected("recording_not_started")
        cancelled.when(.cancelHologramRecording(cause: .user)).thenNothing()
        #expect(try cancelled.after(.startHologramRecording).state.hologram.recordings == 2)
        #expect(cancelled.state.pieces[.hologram].attempts == 0)
    }

    @Test func `S74 a document that leaves cancels the recording where the setting says so`() throws {
        let lenient = try Given.session(.hologram).after(Sample.observe(.cardDetected), .startHologramRecording)
        lenient.when(Sample.observe(.cardLost)).then("guidanceObserved")
        let strict = try Given.session(.hologram) { $0.hologramSettings.stopVideoWhileRecording = true }
            .after(Sample.observe(.cardDetected))
        strict.when(Sample.observe(.cardLost)).then("guidanceObserved")
        try strict.after(.startHologramRecording).when(Sample.observe(.cardLost))
            .then("guidanceObserved", "hologramRecordingCancelled(document_left)")
    }

    @Test func `S75 S83 a recording without a face success is refused by checks, while those are on`() throws {
        func given(control: Bool, face: Bool) throws -> Given {
            try Given.session(.hologram) {
                $0.hologramSettings.hologramControlEnabled = control
                $0.hologramSettings.controlFaceCapture = face
                $0.autoConfirm = true
            }.after(.startHologramRecording)
        }
        let strict = try given(control: true, face: true)
        strict.when(Sample.capture(.hologram, 1)).then("pieceCaptured", "pieceChecked(hologram_face_missing)")
        try strict.after(Sample.observe(.faceDetectionSuccess)).when(Sample.capture(.hologram, 1))
            .then("pieceCaptured", "pieceConfirmed")
        try given(control: false, face: true).when(Sample.capture(.hologram, 1)).then("pieceCaptured", "pieceConfirmed")
        try given(control: true, face: false).when(Sample.capture(.hologram, 1)).then("pieceCaptured", "pieceConfirmed")
        let refused = try strict.after(Sample.capture(.hologram, 1))
        #expect(refused.status(.hologram) == .refusedByChecks)
        try refused.after(.startHologramRecording).when(Sample.capture(.hologram, 2))
            .then("pieceCaptured", "pieceChecked(hologram_face_missing)")
    }

    @Test func `S75 a face seen before the recording does not count`() throws {
        let given = try Given.session(.hologram) {
            $0.hologramSettings.hologramControlEnabled = true
            $0.hologramSettings.controlFaceCapture = true
        }.after(Sample.observe(.faceDetectionSuccess), .startHologramRecording)
        given.when(Sample.capture(.hologram, 1)).then("pieceCaptured", "pieceChecked(hologram_face_missing)")
    }

    @Test func `S76 the flash events keep their fields, and a repeat within a second is left out`() throws {
        let all: [HologramObservation] = [
            .flashNotOnCard, .flashCircleCompleted(circleIndex: 2), .flashPositionUpdate(isFlashOnTarget: true),
            .flashPositionUpdate(isFlashOnTarget: false), .flashNeedsMoreFrames, .cardNotInHint, .tooMuchGlare,
            .wrongCardType(detectedCardType: .DRIVER_LICENSE, isBackside: true),
            .wrongCardType(detectedCardType: nil, isBackside: false),
        ]
        var given = try Given.session(.hologram)
        for observation in all { given = try given.after(Sample.observe(observation)) }
        #expect(given.count("guidanceObserved") == all.count)
        for observation in all { given.when(Sample.observe(observation)).thenNothing() }
        for observation in all { given.later(by: 1_000).when(Sample.observe(observation)).then("guidanceObserved") }
        for observation in all { #expect(Observation(json: Observation.hologram(observation).json) == .hologram(observation)) }
    }

    @Test func `S76 observations are read from words`() throws {
        #expect(try Observation(kind: "card_detected", fields: []) == .hologram(.cardDetected))
        #expect(
            try Observation(kind: "flash_circle_completed", fields: [("circle_index", "2")])
                == .hologram(.flashCircleCompleted(circleIndex: 2)))
        #expect(
            try Observation(kind: "wrong_card_type", fields: [("is_backside", "true"), ("detected_card_type", "NEW-ID")])
                == .hologram(.wrongCardType(detectedCardType: .NEW_TC_ID, isBackside: true)))
        #expect(
            try Observation(kind: "live_scan", fields: [("hint", "glare"), ("piece", "selfie")])
                == .liveScan(.glare, piece: .selfie))
        #expect(throws: Rejection.unknownObservation(suggestion: "card_detected")) {
            try Observation(kind: "card_detcted", fields: [])
        }
        for fields in [[], [("circle_index", "x")], [("circle_index", "1"), ("circle_index", "2")], [("circle_index", "-1")]] {
            #expect(throws: Rejection.observationFields(kind: "flash_circle_completed", fields: ["circle_index"])) {
                try Observation(kind: "flash_circle_completed", fields: fields)
            }
        }
        #expect(throws: Rejection.observationFields(kind: "card_lost", fields: [])) {
            try Observation(kind: "card_lost", fields: [("kind", "card_detected")])
        }
    }

    @Test func `S65 live scan hints are batched into one event`() throws {
        let given = try Given.session(.passportFront, .selfie)
        let hints: [Observation] = [.liveScan(.glare, piece: .passportFront), .liveScan(.holdStill, piece: .passportFront)]
        given.when(.observe(hints + hints)).then("guidanceObserved")
        given.when(.observe([])).thenNothing()
        given.when(.observe([.liveScan(.glare, piece: .passportBack)])).thenRejected("unknown_piece")
        given.when(Sample.observe(.cardDetected)).thenRejected("no_hologram")
        given.when(.observe(Array(repeating: hints[0], count: 257))).thenRejected("too_many_observations")
    }

    @Test func `S82 any rotation is passed through`() throws {
        for rotation in [0, 90, 180, 270, 45, -90, 1_000] {
            let given = try Given.session(.hologram).after(.startHologramRecording)
            let captured = try given.after(Sample.capture(.hologram, 1, rotation: rotation))
            #expect(captured.state.pieces[.hologram].rotation == rotation)
        }
    }

    @Test func `S82 an unusual rotation is flagged`() throws {
        let given = try Given.session(.hologram).after(.startHologramRecording)
        func flags(_ rotation: Int?) throws -> [String] {
            guard case .pieceCaptured(let captured)? = given.when(Sample.capture(.hologram, 1, rotation: rotation)).events.first
            else { return ["not captured"] }
            return captured.media.flags
        }
        #expect(try flags(270).isEmpty)
        #expect(try flags(nil).isEmpty)
        #expect(try flags(45) == ["unusual_rotation"])
    }

    @Test func `S84 a transaction is bound once`() throws {
        let given = try Given.session(.hologram)
        given.when(.bindTransaction(Sample.digest(9), secret: [1])).then("hologramTransactionBound")
        let bound = try given.after(.bindTransaction(Sample.digest(9), secret: nil))
        bound.when(.bindTransaction(Sample.digest(9), secret: nil)).thenNothing()
        bound.when(.bindTransaction(Sample.digest(8), secret: nil)).thenRejected("transaction_already_bound")
        try Given.session(.selfie).when(.bindTransaction(Sample.digest(9), secret: nil)).thenRejected("no_hologram")
    }

    @Test func `S87 no recording before the card is detected`() throws {
        let given = try Given.session(.hologram) { $0.hologramSettings.useCardDetection = true }
        given.when(.startHologramRecording).thenRejected("card_not_detected")
        let detected = try given.after(Sample.observe(.cardDetected))
        detected.when(.startHologramRecording).then("hologramRecordingStarted")
        try detected.after(Sample.observe(.cardLost)).when(.startHologramRecording).thenRejected("card_not_detected")
    }

    @Test func `whatever ends the session or the piece ends the recording`() throws {
        let given = try Given.session(.selfie, .hologram).after(
            Sample.capture(.selfie, 1, confirm: true), .startHologramRecording)
        given.when(.suspend).then("hologramRecordingCancelled(suspended)", "sessionSuspended")
        given.when(.exit(secret: nil)).then("hologramRecordingCancelled(session_ended)", "sessionExited(while_capturing)")
        given.when(.cancel(secret: nil)).then("hologramRecordingCancelled(session_ended)", "sessionCancelled")
        given.when(.drop(pieces: [.hologram])).then("hologramRecordingCancelled(piece_dropped)", "pendingPiecesDropped")
    }
}
