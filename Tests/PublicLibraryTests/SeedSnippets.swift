// swift-format-ignore-file
// The seeds' own snippets, as they stand in the capture kit's and the hologram's documents, against this library. What must differ (a
// flow is made in a ledger; there is no view controller, no camera and no TensorFlow Lite) stands in docs/coming-from-the-capture-kit.md.

import CaptureLedger
import CaptureLedgerSync
import Foundation
import Synchronization

// MARK: 1. the model runner, with a stand-in for TensorFlow Lite

final class TFLiteRunner: IDCModelRunner {
    func loadModel(at url: URL) throws -> IDCLoadedModel { try TFLiteModel(url: url) }
}

private final class TFLiteModel: IDCLoadedModel {
    private let interpreter: Interpreter

    init(url: URL) throws {
        var options = Interpreter.Options()
        options.threadCount = 1
        interpreter = try Interpreter(modelPath: url.path, options: options)
        try interpreter.allocateTensors()
    }

    func run(_ input: Data) throws -> IDCTensor {
        try interpreter.copy(input, toInputAt: 0)
        try interpreter.invoke()
        let output = try interpreter.output(at: 0)
        return IDCTensor(data: output.data, shape: output.shape.dimensions)
    }
}

func registerRunner() {
    IDCInference.runner = TFLiteRunner()
}

// MARK: 2. the reporter

final class CaptureAnalytics: IDCAnalyticsReporting {
    func report(event name: String, parameters: [String: Any?]) {
        Analytics.track(name, parameters.compactMapValues { $0 })
    }
}

// MARK: 3. the configuration

func snippetConfiguration() -> IDCConfiguration {
    var configuration = IDCConfiguration(
        pieces: [.passportFront, .passportBack],
        flowTitle: "Scan passport",
        analyticsContext: "profile_passport"
    )
    configuration.showsBack = true
    configuration.allowUploadFromDevice = true
    configuration.progress = .segments(count: 2, filled: 1)
    configuration.passportChecks = IDCPassportChecks(glare: false, fingers: true)
    configuration.copy[.passportFront] = IDCCaptureCopy(
        title: "Scan the photo page",
        subtitle: "Lay it flat inside the frame"
    )
    configuration.copy[.passportFront]?.headerStyle = .titleOnly(accessory: "scan_help")
    configuration.copy[.passportBack] = IDCCaptureCopy(title: "Now the back")
    configuration.copy[.passportBack]?.headerStyle = .standard
    configuration.copy[.passportBack]?.flipHint = "Turn the passport over"
    return configuration
}

// MARK: 4. the verifier and the callbacks

struct PassportUploadVerifier: IDCVerifier {
    func verify(_ result: IDCCaptureResult, in flow: IDCFlowViewModel) async -> IDCVerificationOutcome {
        do {
            _ = try await result.media()
            try await flow.dropPendingPieces([.passportBack])
            return .verified(payload: Payload(json: Data(#"{"mrz":"P<UTO"}"#.utf8)))
        } catch {
            return .failed(message: "No connection")
        }
    }
}

func makeSnippetFlow(in ledger: Ledger, configuration: IDCConfiguration) async throws -> IDCFlowViewModel {
    try await IDCFactory.makeFlow(
        in: ledger,
        configuration: configuration,
        verifier: PassportUploadVerifier(),
        callbacks: IDCCallbacks(
            onComplete: { results, payloads in /* every piece verified */ },
            onExit: { /* user backed out */  }
        )
    )
}

// MARK: hologram

final class HologramViewController {
    private let hologramController = HologramController()
    let transactionId = "tx-1"

    func viewDidLoad() {
        HologramController.USE_CARD_DETECTION = true
        HologramController.HOLOGRAM_CONTROL_ENABLED = true
        HologramController.CONTROL_FACE_CAPTURE = true
        HologramController.STOP_VIDEO_WHILE_RECORDING = true

        hologramController.cardType = .NEW_TC_ID  // .DRIVER_LICENSE for the driving licence
        hologramController.setDelegate(self)
        hologramController.setFlashDelegate(self)  // optional
    }

    func viewDidAppear(_ animated: Bool) {
        hologramController.startCapture()
    }

    func send(_ videoURL: URL, rotate: Int) {
        guard let video = try? Data(contentsOf: videoURL) else { return }

        let body = HologramDetectionInputModel(
            video: video.base64EncodedString(),
            rotate: rotate,
            cardType: "NEW-ID",
            transactionId: transactionId)

        IDServiceAPI.detectHologram(body: body) { result in
            switch result {
            case .success(let response):
                let score = response.controlResults.first { $0.entryType == "HOLOGRAM" }?.entryScore
                showHologramResult(score)
            case .failure(let error):
                showError(error)
            }
        }

        try? FileManager.default.removeItem(at: videoURL)  // don't leave the video on the device
    }
}

extension HologramViewController: HologramDelegate {
    func onVideoCaptured(videoURL: URL, rotate: Int) {
        hologramController.stopCapture()
        send(videoURL, rotate: rotate)
    }

    func onVideoStarted() {}
    func onVideoCanceled() { /* the document left the frame; ask the user to try again */  }
    func onFaceDetectionSuccess() {}
    func onFaceDetectionIdle() {}
}

extension HologramViewController: HologramFlashDelegate {
    func onFlashNotOnCard() {}
    func onFlashCircleCompleted(circleIndex: Int) {}
    func onFlashPositionUpdate(isFlashOnTarget: Bool) {}
    func onFlashNeedsMoreFrames() {}
    func onCardNotInHint() {}
    func onTooMuchGlare() {}
    func onWrongCardType(detectedCardType: HologramCardType?, isBackside: Bool) {}
}

func showHologramResult(_ score: Double?) {}
func showError(_ error: LedgerError) {}

// MARK: what the seeds' hosts link beside the kit

enum Analytics {
    static let tracked = Mutex<[String]>([])
    static func track(_ name: String, _ parameters: [String: Any]) { tracked.withLock { $0.append(name) } }
}

/// The interpreter's interface; it answers with what it was given.
private final class Interpreter {
    struct Options { var threadCount = 0 }
    struct Shape { let dimensions: [Int] }
    struct Output {
        let data: Data
        let shape: Shape
    }

    private var input = Data()

    init(modelPath: String, options: Options) throws {
        guard FileManager.default.isReadableFile(atPath: modelPath) else { throw Unexpected("no model") }
    }

    func allocateTensors() throws {}
    func copy(_ data: Data, toInputAt index: Int) throws { input = data }
    func invoke() throws {}
    func output(at index: Int) throws -> Output {
        Output(data: input, shape: Shape(dimensions: [1, input.count / 4]))
    }
}
