import CaptureLedger
import CaptureLedgerSync
import Foundation
import Testing

/// The settings are the process's: these tests come one after the other.
@Suite(.serialized, .timeLimit(.minutes(1))) struct HologramTests {
    /// A client that writes down what it is told.
    final class Client: HologramDelegate, HologramFlashDelegate {
        var told: [String] = []
        func onVideoCaptured(videoURL: URL, rotate: Int) { told.append("captured \(rotate)") }
        func onVideoStarted() { told.append("started") }
        func onVideoCanceled() { told.append("cancelled") }
        func onFaceDetectionSuccess() { told.append("face") }
        func onFaceDetectionIdle() { told.append("idle") }
        func onFlashNotOnCard() { told.append("flash not on card") }
        func onFlashCircleCompleted(circleIndex: Int) { told.append("circle \(circleIndex)") }
        func onFlashPositionUpdate(isFlashOnTarget: Bool) { told.append("on target \(isFlashOnTarget)") }
        func onFlashNeedsMoreFrames() { told.append("more frames") }
        func onCardNotInHint() { told.append("not in hint") }
        func onTooMuchGlare() { told.append("glare") }
        func onWrongCardType(detectedCardType: HologramCardType?, isBackside: Bool) {
            told.append("wrong \(detectedCardType?.rawValue ?? "unknown") \(isBackside)")
        }
    }

    static func flow(
        _ kiosk: Kiosk, _ change: (inout HologramSettings) -> Void = { _ in }, transaction: String? = "tx-1"
    ) async throws -> CaptureFlow {
        var configuration = Kiosk.configuration([.hologram])
        change(&configuration.hologramSettings)
        return try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: configuration, transactionID: transaction, callbacks: .ignoring)
    }

    @Test func `S71 the eight settings by their seed names are carried with every session that has none of its own`()
        async throws
    {
        defer { HologramController.settings = HologramSettings() }
        HologramController.USE_CARD_DETECTION = true
        HologramController.HOLOGRAM_CONTROL_ENABLED = true
        HologramController.CONTROL_FACE_CAPTURE = true
        HologramController.STOP_VIDEO_WHILE_RECORDING = true
        HologramController.IS_TRADEMARK_LOGO_ON = true
        HologramController.HINT_DISPLAY_RATIO = 1.25
        HologramController.MARGIN_RATIO = 0.1
        HologramController.OUTSIDE_OF_HINT_COLOR = "#11223344"
        let settings = HologramController.settings
        #expect(settings.useCardDetection && settings.hologramControlEnabled && settings.controlFaceCapture)
        #expect(settings.stopVideoWhileRecording && settings.isTrademarkLogoOn && settings.hintDisplayRatio == 1.25)
        #expect(settings.marginRatio == 0.1 && settings.outsideOfHintColor == "#11223344")
        let kiosk = try await Kiosk()
        let flow = try await Self.flow(kiosk)
        let controller = HologramController(flow: flow)
        // S87: what the session carries decides.
        await #expect { try await controller.startVideo() } throws: {
            ($0 as? LedgerError)?.code.rawValue == "card_not_detected"
        }
        await kiosk.close()
    }

    @Test func `S72 S76 S87 a recording begins with the card, tells its flash events, and is captured once and consumed`()
        async throws
    {
        let kiosk = try await Kiosk()
        let flow = try await Self.flow(kiosk) { $0.useCardDetection = true }
        let client = Client()
        let controller = HologramController(flow: flow)
        controller.setDelegate(client)
        controller.setFlashDelegate(client)
        let video = try kiosk.file("hologram.mp4")
        await #expect { try await controller.finishVideo(video, rotate: 90) } throws: {
            ($0 as? LedgerError)?.code.rawValue == "recording_not_started"
        }
        controller.startCapture()
        try await controller.observe(.tooMuchGlare)
        #expect(client.told == ["glare"])
        try await controller.observe(.cardDetected)
        for observation: HologramObservation in [
            .flashNotOnCard, .flashCircleCompleted(circleIndex: 2), .flashPositionUpdate(isFlashOnTarget: true),
            .flashNeedsMoreFrames, .cardNotInHint, .wrongCardType(detectedCardType: .DRIVER_LICENSE, isBackside: true),
            .faceDetectionSuccess, .faceDetectionIdle,
        ] { try await controller.observe(observation) }
        let receipt = try await controller.finishVideo(video, rotate: 90)
        guard case .captured(let result) = receipt.outcome else {
            Issue.record("refused")
            return
        }
        #expect(result.piece == .hologram && !FileManager.default.fileExists(atPath: video.path))
        #expect(
            client.told == [
                "glare", "started", "flash not on card", "circle 2", "on target true", "more frames", "not in hint",
                "wrong NEW-DRIVER true", "face", "idle", "captured 90",
            ])
        await kiosk.close()
    }

    @Test(arguments: [true, false]) func `S73 S74 a document that leaves cancels the recording, where the setting says so`(
        _ stops: Bool
    ) async throws {
        let kiosk = try await Kiosk()
        let flow = try await Self.flow(kiosk) { $0.stopVideoWhileRecording = stops }
        let client = Client()
        let controller = HologramController(flow: flow)
        controller.setDelegate(client)
        controller.startCapture()
        try await controller.observe(.cardDetected)
        try await controller.observe(.cardLost)
        #expect(client.told == (stops ? ["started", "cancelled"] : ["started"]))
        if stops {
            #expect(try await flow.state().piecesToReview.isEmpty)
            controller.startCapture()
            try await controller.observe(.cardDetected)
            #expect(client.told == ["started", "cancelled", "started"])
        }
        try await controller.cancelVideo()
        #expect(client.told.last == "cancelled")
        await kiosk.close()
    }

    @Test func `S75 a recording in which no face was seen is refused by the checks while they are on`() async throws {
        let kiosk = try await Kiosk()
        let flow = try await Self.flow(kiosk) {
            $0.hologramControlEnabled = true
            $0.controlFaceCapture = true
        }
        let controller = HologramController(flow: flow)
        try await controller.startVideo()
        _ = try await controller.finishVideo(Kiosk.fixture("hologram.mp4"), rotate: 0, consumingFile: false)
        let state = try await flow.state()
        #expect(state.currentPiece == .hologram && state.lastFailure == .hologramFaceMissing)
        try await controller.startVideo()
        try await controller.observe(.faceDetectionSuccess)
        let second = try kiosk.file("hologram.mp4")
        let handle = try FileHandle(forWritingTo: second)
        try handle.seekToEnd()
        // The same bytes would be refused as tried before.
        try handle.write(contentsOf: Data([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]))
        try handle.close()
        _ = try await controller.finishVideo(second, rotate: 0)
        #expect(try await flow.state().piecesToReview == [.hologram])
        await kiosk.close()
    }

    @Test func `S84 S89 an offline session learns its transaction once, and keeps it`() async throws {
        let kiosk = try await Kiosk()
        func make(_ transaction: String?) async throws -> CaptureFlow {
            try await CaptureFactory.makeFlow(
                in: kiosk.ledger, configuration: Kiosk.configuration([.hologram]), clientKey: "k", transactionID: transaction,
                callbacks: .ignoring)
        }
        let flow = try await make(nil)
        #expect(try await make("tx-1") === flow)
        #expect(try await make("tx-1") === flow)
        await #expect { try await make("tx-2") } throws: {
            ($0 as? LedgerError)?.code.rawValue == "transaction_already_bound"
        }
        var unnamed = Kiosk.configuration([.hologram])
        unnamed.hologramCardType = nil
        let configuration = unnamed
        await #expect {
            try await CaptureFactory.makeFlow(in: kiosk.ledger, configuration: configuration, callbacks: .ignoring)
        } throws: { ($0 as? LedgerError)?.code.rawValue.contains("card_type") == true }
        await kiosk.close()
    }

    @Test func `without a session the controller passes on what the client reports`() async throws {
        defer { HologramController.settings = HologramSettings() }
        HologramController.USE_CARD_DETECTION = true
        HologramController.STOP_VIDEO_WHILE_RECORDING = true
        let client = Client()
        let controller = HologramController()
        controller.setDelegate(client)
        controller.startCapture()
        for observation: HologramObservation in [.faceDetectionIdle, .cardDetected, .faceDetectionSuccess, .cardLost] {
            try await controller.observe(observation)
        }
        #expect(client.told == ["idle", "started", "face", "cancelled"])
    }

    @Test func `a question without a ledger or with what is no video is refused at once`() async throws {
        func ask(_ body: HologramDetectionInputModel) async -> String {
            await withCheckedContinuation { continuation in
                IDServiceAPI.detectHologram(body: body) { result in
                    switch result {
                    case .success: continuation.resume(returning: "answered")
                    case .failure(let error): continuation.resume(returning: error.code.rawValue)
                    }
                }
            }
        }
        let body = HologramDetectionInputModel(video: "AAAA", rotate: 0, cardType: "NEW-ID", transactionId: "tx")
        #expect(await ask(body) == "hologram_not_configured")
    }
}
