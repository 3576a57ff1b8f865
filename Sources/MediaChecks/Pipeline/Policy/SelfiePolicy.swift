/// Rules of selfies.
package struct SelfiePolicy: Sendable, Hashable {
    package var faceScore = 0.5
    package var faceOverlap = 0.3
    package var meshPresence = 0.5
    package var smallestFace = 0.0
    package var brightness = 40.0
    package var faceArea = 0.10
    package var frameMarginEnter = 0.10
    package var frameMarginExit = 0.07
    package var yaw: Double?
    package var pitch: Double?
    package var roll: Double?
    package var tiltBack = 20.0
    package var tiltForward = 20.0
    package var tiltSideways = 15.0
    package var tiltHysteresis = 3.0
    package var glassesScore = 0.5
    package var coveredFaceScore = 0.5
    package var notASelfieScore = 0.5
    package var quality = true

    package init() {}
}

extension SelfiePolicy: PolicySection {
    static let fields: [PolicyField<Self>] = [
        .init("face_score", .number(\.faceScore, 0.01...1), "From this score on the face detector's candidate is looked at."),
        .init("face_overlap", .number(\.faceOverlap, 0...1), "Candidates that overlap by more (IoU) are one face."),
        .init(
            "mesh_presence", .number(\.meshPresence, 0...1), "A candidate is a face when the mesh agrees with at least this."),
        .init("smallest_face", .number(\.smallestFace, 0...1), "Faces with a smaller share of the picture are not counted."),
        .init("brightness", .number(\.brightness, 0...255), "The lowest mean luma of the picture."),
        .init("face_area", .number(\.faceArea, 0...1), "Live: a face with a smaller share of the picture is too far away."),
        .init(
            "frame_margin_enter", .number(\.frameMarginEnter, -1...0.5), "Live: so far from the edges a face is inside."),
        .init("frame_margin_exit", .number(\.frameMarginExit, -1...0.5), "Live: a face that was inside is outside below this."),
        .init("yaw", .optional(\.yaw, 0...90), "The most degrees left or right; null: measured only."),
        .init("pitch", .optional(\.pitch, 0...90), "The most degrees up or down; null: measured only."),
        .init("roll", .optional(\.roll, 0...180), "The most degrees sideways; null: measured only."),
        .init("tilt_back", .number(\.tiltBack, 0...90), "Live: the most degrees the phone may lean back."),
        .init("tilt_forward", .number(\.tiltForward, 0...90), "Live: the most degrees the phone may lean forward."),
        .init("tilt_sideways", .number(\.tiltSideways, 0...90), "Live: the most degrees the phone may tilt sideways."),
        .init("tilt_hysteresis", .number(\.tiltHysteresis, 0...45), "Live: so much less makes a tilted phone straight again."),
        .init("glasses_score", .number(\.glassesScore, 0...1), "The classifier's score must stay below."),
        .init("covered_face_score", .number(\.coveredFaceScore, 0...1), "The classifier's score must stay below."),
        .init("not_a_selfie_score", .number(\.notASelfieScore, 0...1), "Uploads: the score must stay below."),
        .init("quality", .flag(\.quality), "Whether measures of quality are recorded that decide nothing (ISO/IEC 29794-5)."),
    ]
}
