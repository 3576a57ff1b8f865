/// What to do after a frame was looked at.
public enum LiveScanAction: Sendable, Hashable {
    /// The frame did not count: too early, too soon after the last one, out of order, or the scan is over.
    case skipped
    /// Go on with the next frame.
    case waiting
    /// Go on; show this to the user and record it. Never sooner than the policy says after the last one.
    case guide(LiveScanHint)
    /// The scan is over: this frame, the best of its streak, is the capture.
    case capture(frame: Int)
}
