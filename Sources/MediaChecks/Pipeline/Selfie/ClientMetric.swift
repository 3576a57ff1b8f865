package import SessionDomain

/// Measurements that a client may hand in with a capture. Findings from them begin with `client_`.
package enum ClientMetric: String, Sendable, CaseIterable {
    /// How far the phone leans, in degrees: positive back, negative forward, 0 upright.
    case tiltPitch = "tilt_pitch_degrees"
    /// How far the phone is tilted sideways, in degrees: positive clockwise.
    case tiltRoll = "tilt_roll_degrees"
    /// Of the client's own face detection, used where no face model is installed.
    case faceCount = "face_count"
    /// The face's share of the picture, 0 to 1.
    case faceArea = "face_area"
    /// The face's smallest distance to an edge, in fractions of the picture.
    case faceMargin = "face_margin"

    /// The first of its name that is a number.
    package func value(in measurements: [Measurement]) -> Double? {
        measurements.first { $0.metric == rawValue && $0.value.isFinite }?.value
    }
}
