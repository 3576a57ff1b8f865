/// Watches the frames of a passport page until a streak of good ones is long enough, and names the best of them.
///
/// A value without a clock: the frames bring their time. After ``observe(_:)`` the caller keeps the picture of ``bestFrame`` and forgets
/// the others.
public struct PassportLiveScan: Sendable, Hashable {
    public let checks: PassportChecks
    private var streak: LiveScanStreak

    /// - Parameters:
    ///   - policy: how long and how well frames must be good.
    ///   - checks: a check that is switched off counts as passed.
    ///   - startedAt: when the camera was opened, on the frames' clock; not negative.
    public init(
        checks: PassportChecks = .standard, policy: LiveScanPolicy = .passport, startedAtMilliseconds startedAt: Int64 = 0
    ) {
        self.checks = checks
        streak = LiveScanStreak(policy, startedAt: startedAt)
    }

    public var policy: LiveScanPolicy { streak.policy }
    /// Good frames so far.
    public var streakLength: Int { streak.count }
    /// The best frame of the streak so far.
    public var bestFrame: Int? { streak.best?.number }
    /// The frame that was captured: the scan is over.
    public var capturedFrame: Int? { streak.captured }

    /// Whether a frame of this time would be looked at: asked before models run.
    public func wantsFrame(atMilliseconds time: Int64) -> Bool { streak.wants(time) }

    /// The first check that fails is what the user hears of: document, fingers, glare, blur, light. A blurred frame ends the streak (S48). A
    /// check that is on and was not made says nothing and captures nothing (S39).
    public mutating func observe(_ frame: PassportFrame) -> LiveScanAction {
        streak.take(verdict(frame), frame: frame.number, at: frame.timeMilliseconds)
    }

    private func verdict(_ frame: PassportFrame) -> LiveScanVerdict {
        guard let hasDocument = frame.hasDocument else { return .unknown }
        guard hasDocument else { return .lost(.noDocument) }
        if checks.fingers {
            guard let isClear = frame.isClearOfFingers else { return .unknown }
            guard isClear else { return .bad(.fingers) }
        }
        if checks.glare {
            guard let isClear = frame.isClearOfGlare else { return .unknown }
            guard isClear else { return .bad(.glare) }
        }
        if checks.blur {
            guard let isSharp = frame.isSharp else { return .unknown }
            guard isSharp else { return .spoiling(.blurry) }
        }
        if frame.isBright == false { return .bad(.tooDark) }
        return .good(frame.score)
    }
}
