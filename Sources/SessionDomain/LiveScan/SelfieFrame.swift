/// What one frame of a selfie's live scan showed. nil: nobody measured it.
public struct SelfieFrame: Sendable, Hashable {
    /// The classifier's answer (S61).
    public enum Classification: String, Sendable, Hashable, CaseIterable {
        case ok, glasses
        case coveredFace = "covered_face"
        case notASelfie = "not_a_selfie"
    }

    /// The caller's own number of the frame, given back when it is the one to keep.
    public var number: Int
    /// On the frames' own clock, never going back.
    public var timeMilliseconds: Int64
    /// nil: no model looked.
    public var faceCount: Int?
    /// Of the one face, in fractions of the upright picture.
    public var face: NormalizedRect?
    /// Mean luma, 0 to 255.
    public var brightness: Double?
    /// Degrees; positive when the phone leans back.
    public var pitch: Double?
    /// Degrees that the phone is tilted sideways, either sign.
    public var roll: Double?
    public var classification: Classification?
    /// How good the frame is, 0 to 1: the best one of a streak is captured.
    public var score: Double

    public init(
        number: Int, timeMilliseconds: Int64, faceCount: Int? = nil, face: NormalizedRect? = nil, brightness: Double? = nil,
        pitch: Double? = nil, roll: Double? = nil, classification: Classification? = nil, score: Double = 0
    ) {
        self.number = number
        self.timeMilliseconds = timeMilliseconds
        self.faceCount = faceCount
        self.face = face
        self.brightness = brightness
        self.pitch = pitch
        self.roll = roll
        self.classification = classification
        self.score = score
    }
}
