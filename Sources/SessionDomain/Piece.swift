/// What a session asks for.
public enum Piece: String, Codable, Sendable, CaseIterable {
    case passportFront = "passport_front"
    case passportBack = "passport_back"
    case selfie
    case hologram
}

/// Where a capture's media came from.
public enum CaptureSource: String, Codable, Sendable, CaseIterable {
    case camera, gallery, file
}
