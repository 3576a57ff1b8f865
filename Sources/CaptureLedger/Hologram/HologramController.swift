public import FoundationEssentials
public import SessionDomain

/// Guides and records a hologram video, without a camera: a thin client reports what it sees, the controller applies the settings,
/// records and tells the delegates what the client should do.
///
/// It belongs to one thread or actor at a time; delegates are called where its methods are.
public final class HologramController {
    /// Shown to the client; the session's own card type is what the endpoint is told.
    public var cardType = HologramCardType.NEW_TC_ID
    private let flow: CaptureFlow?
    private let settings: HologramSettings?
    private weak var delegate: (any HologramDelegate)?
    private weak var flashDelegate: (any HologramFlashDelegate)?
    private var isCapturing = false
    private var isRecording = false

    /// Without a session: it only passes on what the client reports.
    public init() {
        flow = nil
        settings = nil
    }

    /// - Parameters:
    ///   - flow: the session that the video belongs to.
    ///   - settings: apply beside those that the session was started with; left alone, the session's own apply.
    public init(flow: CaptureFlow, settings: HologramSettings = .init()) {
        self.flow = flow
        self.settings = settings == HologramSettings() ? nil : settings
    }

    /// Held weakly.
    public func setDelegate(_ delegate: any HologramDelegate) { self.delegate = delegate }

    /// Held weakly; there need not be one.
    public func setFlashDelegate(_ delegate: any HologramFlashDelegate) { flashDelegate = delegate }

    /// The client shows its camera. The recording begins with the next observation, or where the card must be detected first, with that.
    public func startCapture() { isCapturing = true }

    /// The client hides its camera: nothing begins any more. A recording under way is finished by ``finishVideo(_:rotate:consumingFile:)``
    /// or given up by ``cancelVideo()``.
    public func stopCapture() { isCapturing = false }

    /// Records what the client saw, and begins or gives up the recording as the settings say.
    ///
    /// - Throws: the flow's refusals, such as `no_hologram`.
    public nonisolated(nonsending) func observe(_ observation: HologramObservation) async throws(LedgerError) {
        if let flow {
            let types = try await flow.observe([.hologram(observation)])
            if types.contains("hologram_recording_cancelled") { cancelled() }
            try await apply(observation, flow)
        } else {
            begin(at: observation)
        }
        pass(observation)
    }

    /// Takes the recording in and ends it.
    ///
    /// - Parameters:
    ///   - file: the video.
    ///   - rotate: degrees, passed through as given (S82).
    ///   - consumingFile: unlinks the file once the capture's event is durable (S88).
    /// - Throws: `recording_not_started` (S72), `card_not_detected` (S87), what ``CaptureFlow/capture(_:file:source:consumingFile:commandID:)`` throws.
    public nonisolated(nonsending) func finishVideo(
        _ file: URL, rotate: Int, consumingFile: Bool = true
    ) async throws(LedgerError) -> CaptureReceipt {
        guard let flow else {
            isRecording = false
            delegate?.onVideoCaptured(videoURL: file, rotate: rotate)
            return CaptureReceipt(outcome: .refused(.scannerNotReady), positions: [])
        }
        let receipt = try await flow.capture(
            .hologram, file: file, source: .camera, consumingFile: consumingFile, rotation: rotate, commandID: nil)
        isRecording = false
        if case .captured = receipt.outcome { delegate?.onVideoCaptured(videoURL: file, rotate: rotate) }
        return receipt
    }

    /// The user gave up: nothing is sent and the attempt is on record (S73).
    public nonisolated(nonsending) func cancelVideo() async throws(LedgerError) {
        if let flow { try await flow.cancelRecording(.user) }
        if isRecording { cancelled() }
    }

    /// Begins the recording now, where the settings let it.
    ///
    /// - Throws: `card_not_detected` while the card must be seen first (S87).
    public nonisolated(nonsending) func startVideo() async throws(LedgerError) {
        isCapturing = true
        if let flow { try await flow.startRecording() }
        started()
    }

    private nonisolated(nonsending) func apply(
        _ observation: HologramObservation, _ flow: CaptureFlow
    ) async throws(LedgerError) {
        if observation == .cardLost, isRecording, settings?.stopVideoWhileRecording == true {
            try await flow.cancelRecording(.documentLeft)
            return cancelled()
        }
        guard isCapturing, !isRecording else { return }
        if settings?.useCardDetection == true, observation != .cardDetected { return }
        do throws(LedgerError) { try await flow.startRecording() } catch {
            if error.code.rawValue == "card_not_detected" { return }
            throw error
        }
        started()
    }

    private func begin(at observation: HologramObservation) {
        let settings = Self.settings
        if observation == .cardLost, isRecording, settings.stopVideoWhileRecording { return cancelled() }
        guard isCapturing, !isRecording, !settings.useCardDetection || observation == .cardDetected else { return }
        started()
    }

    private func started() {
        guard !isRecording else { return }
        isRecording = true
        delegate?.onVideoStarted()
    }

    /// The user is asked to try again: the client starts anew.
    private func cancelled() {
        guard isRecording else { return }
        isRecording = false
        isCapturing = false
        delegate?.onVideoCanceled()
    }

    private func pass(_ observation: HologramObservation) {
        switch observation {
        case .cardDetected, .cardLost: break
        case .faceDetectionSuccess: delegate?.onFaceDetectionSuccess()
        case .faceDetectionIdle: delegate?.onFaceDetectionIdle()
        case .flashNotOnCard: flashDelegate?.onFlashNotOnCard()
        case .flashCircleCompleted(let index): flashDelegate?.onFlashCircleCompleted(circleIndex: index)
        case .flashPositionUpdate(let isOnTarget): flashDelegate?.onFlashPositionUpdate(isFlashOnTarget: isOnTarget)
        case .flashNeedsMoreFrames: flashDelegate?.onFlashNeedsMoreFrames()
        case .cardNotInHint: flashDelegate?.onCardNotInHint()
        case .tooMuchGlare: flashDelegate?.onTooMuchGlare()
        case .wrongCardType(let type, let isBackside):
            flashDelegate?.onWrongCardType(detectedCardType: type, isBackside: isBackside)
        }
    }
}
