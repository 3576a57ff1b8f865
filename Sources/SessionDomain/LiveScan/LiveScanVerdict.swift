/// What one frame means to a streak.
enum LiveScanVerdict: Sendable, Hashable {
    /// No model looked at it: nothing is known, nothing is captured and nothing is said (S39).
    case unknown
    /// Document or face is away.
    case lost(LiveScanHint)
    /// Does not count; enough of them in a row end the streak.
    case bad(LiveScanHint)
    /// Ends the streak at once (S48).
    case spoiling(LiveScanHint)
    /// - Parameter score: 0 to 1.
    case good(Double)
}
