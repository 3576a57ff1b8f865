/// Why a capture was not accepted. An open set: a new code never breaks a host's `switch`.
public struct CaptureFailure: RawRepresentable, Hashable, Codable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension CaptureFailure {
    // media that could not be taken in
    public static let empty = Self(rawValue: "empty")
    public static let truncated = Self(rawValue: "truncated")
    public static let imageTooLarge = Self(rawValue: "image_too_large")
    public static let fileTooLarge = Self(rawValue: "file_too_large")
    public static let unsupportedFormat = Self(rawValue: "unsupported_format")
    public static let notAllowedForPiece = Self(rawValue: "not_allowed_for_piece")
    public static let pdfEncrypted = Self(rawValue: "pdf_encrypted")
    public static let pdfTooManyPages = Self(rawValue: "pdf_too_many_pages")
    public static let pdfPagesUnknown = Self(rawValue: "pdf_pages_unknown")
    public static let mediaUnreadable = Self(rawValue: "media_unreadable")
    public static let uploadsNotAllowed = Self(rawValue: "uploads_not_allowed")
    public static let alreadyFailed = Self(rawValue: "already_failed")

    // the check pipeline
    public static let scannerNotReady = Self(rawValue: "scanner_not_ready")
    public static let noDocument = Self(rawValue: "no_document")
    public static let fingers = Self(rawValue: "fingers")
    public static let glare = Self(rawValue: "glare")
    public static let blurryPhoto = Self(rawValue: "blurry_photo")
    public static let noFace = Self(rawValue: "no_face")
    public static let severalFaces = Self(rawValue: "several_faces")
    public static let tooDark = Self(rawValue: "too_dark")
    public static let outsideViewfinder = Self(rawValue: "outside_viewfinder")
    public static let tooFar = Self(rawValue: "too_far")
    public static let leaningBack = Self(rawValue: "leaning_back")
    public static let leaningForward = Self(rawValue: "leaning_forward")
    public static let tiltedSideways = Self(rawValue: "tilted_sideways")
    public static let glasses = Self(rawValue: "glasses")
    public static let coveredFace = Self(rawValue: "covered_face")
    public static let notASelfie = Self(rawValue: "not_a_selfie")
    public static let hologramCardMissing = Self(rawValue: "hologram_card_missing")
    public static let hologramFaceMissing = Self(rawValue: "hologram_face_missing")

    // the verifier
    public static let rejectedByVerifier = Self(rawValue: "rejected_by_verifier")
    public static let scoreBelowPassMark = Self(rawValue: "score_below_pass_mark")

    // the delivery
    public static let mediaDestroyed = Self(rawValue: "media_destroyed")
    public static let mediaExpired = Self(rawValue: "media_expired")
}
