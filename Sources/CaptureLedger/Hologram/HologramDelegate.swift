public import FoundationEssentials
public import SessionDomain

/// What a hologram controller tells its client, after it is recorded.
public protocol HologramDelegate: AnyObject {
    /// The recording is in the ledger. `videoURL` is where the client kept it; a file that was consumed is no longer there.
    func onVideoCaptured(videoURL: URL, rotate: Int)
    func onVideoStarted()
    /// The document left the frame, or the client stopped: ask the user to try again.
    func onVideoCanceled()
    func onFaceDetectionSuccess()
    func onFaceDetectionIdle()
}

/// What the user should do while the video is being recorded (S76).
public protocol HologramFlashDelegate: AnyObject {
    func onFlashNotOnCard()
    func onFlashCircleCompleted(circleIndex: Int)
    func onFlashPositionUpdate(isFlashOnTarget: Bool)
    func onFlashNeedsMoreFrames()
    func onCardNotInHint()
    func onTooMuchGlare()
    func onWrongCardType(detectedCardType: HologramCardType?, isBackside: Bool)
}
