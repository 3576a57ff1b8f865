/// What a hologram client saw (S76).
public enum HologramObservation: Sendable, Hashable {
    case cardDetected, cardLost, faceDetectionSuccess, faceDetectionIdle, flashNotOnCard
    case flashCircleCompleted(circleIndex: Int)
    case flashPositionUpdate(isFlashOnTarget: Bool)
    case flashNeedsMoreFrames, cardNotInHint, tooMuchGlare
    case wrongCardType(detectedCardType: HologramCardType?, isBackside: Bool)
}

/// What a live scan told the user (S65).
public enum LiveScanHint: String, Hashable, Sendable, CaseIterable {
    case holdStill = "hold_still"
    case noDocument = "no_document"
    case fingers
    case glare
    case blurry
    case noFace = "no_face"
    case severalFaces = "several_faces"
    case tooDark = "too_dark"
    case outsideViewfinder = "outside_viewfinder"
    case tooFar = "too_far"
    case leaningBack = "leaning_back"
    case leaningForward = "leaning_forward"
    case tiltedSideways = "tilted_sideways"
    case glasses
    case coveredFace = "covered_face"
}

package enum Observation: Hashable, Sendable {
    case hologram(HologramObservation)
    case liveScan(LiveScanHint, piece: Piece)
}
