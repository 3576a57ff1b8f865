/// Watches the frames of a selfie until a streak of good ones is long enough, and names the best of them.
///
/// A value without a clock: the frames bring their time. After ``observe(_:)`` the caller keeps the picture of ``bestFrame`` and forgets
/// the others.
public struct SelfieLiveScan: Sendable, Hashable {
    public let checks: SelfieChecks
    public let limits: SelfieLimits
    private var streak: LiveScanStreak
    private var gates = Gates()

    /// What has a band of two limits instead of one.
    private struct Gates: Sendable, Hashable {
        var margin = HysteresisGate()
        var faceShare = HysteresisGate()
        var back = HysteresisGate()
        var forward = HysteresisGate()
        var sideways = HysteresisGate()
    }

    /// - Parameters:
    ///   - policy: how long and how well frames must be good.
    ///   - limits: what a good frame is.
    ///   - checks: a check that is switched off counts as passed.
    ///   - startedAt: when the camera was opened, on the frames' clock; not negative.
    public init(
        checks: SelfieChecks = .standard, limits: SelfieLimits = .standard, policy: LiveScanPolicy = .selfie,
        startedAtMilliseconds startedAt: Int64 = 0
    ) {
        self.checks = checks
        self.limits = limits
        streak = LiveScanStreak(policy, startedAt: startedAt)
    }

    public var policy: LiveScanPolicy { streak.policy }
    /// Good frames so far.
    public var streakLength: Int { streak.count }
    /// The best frame of the streak so far.
    public var bestFrame: Int? { streak.best?.number }
    /// The frame that was captured: the scan is over.
    public var capturedFrame: Int? { streak.captured }
    /// With both switches off the classifier is not asked (S59).
    public var asksClassifier: Bool { checks.glasses || checks.coveredFace }

    /// Whether a frame of this time would be looked at: asked before models run.
    public func wantsFrame(atMilliseconds time: Int64) -> Bool { streak.wants(time) }

    /// The first check that fails is what the user hears of: one face, light, inside the viewfinder, near enough, phone straight, glasses,
    /// covered face. Tilt and classification that nobody measured fail nothing; without a face model nothing is said or captured (S39).
    public mutating func observe(_ frame: SelfieFrame) -> LiveScanAction {
        let time = frame.timeMilliseconds
        guard streak.wants(time) else { return .skipped }
        if !streak.continues(at: time) { gates = Gates() }
        let verdict = verdict(frame)
        switch verdict {
        case .unknown: gates = Gates()
        case .lost: if streak.isLost(at: time) { gates = Gates() }
        case .bad, .spoiling, .good: break
        }
        return streak.take(verdict, frame: frame.number, at: time)
    }

    private mutating func verdict(_ frame: SelfieFrame) -> LiveScanVerdict {
        guard let count = frame.faceCount else { return .unknown }
        guard count > 0 else { return .lost(.noFace) }
        guard count == 1 else { return .bad(.severalFaces) }
        guard let face = frame.face, let brightness = frame.brightness else { return .unknown }
        // every gate sees every face, so that one failure does not hide how another moves
        let hints = [
            brightness >= limits.brightness ? nil : LiveScanHint.tooDark,
            gates.margin.judge(face.margin, limits.margin) ? nil : .outsideViewfinder,
            gates.faceShare.judge(face.width * face.height, limits.faceShare) ? nil : .tooFar, tilt(frame),
            classified(frame.classification),
        ]
        for case .some(let hint) in hints { return .bad(hint) }
        return .good(frame.score)
    }

    /// Only here is tilt looked at: an upload carries none (S58).
    private mutating func tilt(_ frame: SelfieFrame) -> LiveScanHint? {
        guard checks.phoneStraight else { return nil }
        var hint: LiveScanHint?
        if let roll = frame.roll, !gates.sideways.judge(roll.magnitude, limits.tiltSideways, smallIsGood: true) {
            hint = .tiltedSideways
        }
        if let pitch = frame.pitch {
            if !gates.forward.judge(-pitch, limits.tiltForward, smallIsGood: true) { hint = .leaningForward }
            if !gates.back.judge(pitch, limits.tiltBack, smallIsGood: true) { hint = .leaningBack }
        }
        return hint
    }

    /// "Not a selfie" is asked of uploads alone (S57).
    private func classified(_ classification: SelfieFrame.Classification?) -> LiveScanHint? {
        switch classification {
        case .glasses where checks.glasses: .glasses
        case .coveredFace where checks.coveredFace: .coveredFace
        case .glasses, .coveredFace, .ok, .notASelfie, nil: nil
        }
    }
}

extension NormalizedRect {
    /// How far it stays inside the picture's edges; negative outside.
    fileprivate var margin: Double {
        let distances = [x, y, 1 - x - width, 1 - y - height]
        return distances.allSatisfy(\.isFinite) ? distances.reduce(1, min) : -1
    }
}
