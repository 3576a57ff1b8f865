/// What a failure means to the people who meet it (S66).
public struct FailureText: Hashable, Sendable {
    /// For the person in front of the camera; localisable by its failure's code.
    public let user: String
    /// For the host's staff.
    public let staff: String
    /// What to do next.
    public let remedy: String

    init(_ user: String, staff: String, remedy: String) {
        self.user = user
        self.staff = staff
        self.remedy = remedy
    }
}

extension CaptureFailure {
    /// The sentences of the catalogue; a code that is not in it gets general ones.
    public var text: FailureText { Self.catalogue[self] ?? Self.general }

    /// Every failure this version knows.
    public static var known: [CaptureFailure] { catalogue.keys.sorted { $0.rawValue < $1.rawValue } }

    private static let general = FailureText(
        "This capture could not be accepted.",
        staff: "The capture was not accepted for a reason that this version does not know.", remedy: "Capture the piece again.")

    private static let catalogue: [CaptureFailure: FailureText] = intake.merging(checks) { first, _ in first }.merging(answers)
    { first, _ in first }

    private static let intake: [CaptureFailure: FailureText] = [
        .empty: .init(
            "The file is empty.", staff: "No bytes arrived.",
            remedy: "Capture the piece again and make sure that the file was written completely."),
        .truncated: .init(
            "The file is incomplete.", staff: "The file ends before its content does.",
            remedy: "Copy or upload the original again, or capture the piece again."),
        .imageTooLarge: .init(
            "The picture is too large.", staff: "The header claims more pixels than the limits allow.",
            remedy: "Use a smaller picture, or raise the pixel limit in the configuration."),
        .fileTooLarge: .init(
            "The file is too large.", staff: "The file is longer than its kind may be.",
            remedy: "Use a smaller file, or raise the byte limit in the configuration."),
        .unsupportedFormat: .init(
            "This kind of file is not supported.", staff: "The bytes are of a format that is not taken in.",
            remedy: "Use JPEG, PNG, WebP or HEIC for pictures, a one-page PDF for passport pages, MP4 or MOV for videos."),
        .notAllowedForPiece: .init(
            "This kind of file does not fit here.", staff: "The format is supported, but not for this piece.",
            remedy: "Send a video for the hologram, a picture for the selfie, a picture or a one-page PDF for a passport page."),
        .pdfEncrypted: .init(
            "The PDF is protected.", staff: "The PDF is encrypted.",
            remedy: "Save it again without a password, or send a picture of the page."),
        .pdfTooManyPages: .init(
            "The PDF has more than one page.", staff: "The PDF has more than one page.",
            remedy: "Export only the page that is asked for."),
        .pdfPagesUnknown: .init(
            "The PDF cannot be read.", staff: "The number of pages cannot be told from the file's structure.",
            remedy: "Export the page again as a plain one-page PDF, or send a picture of it."),
        .mediaUnreadable: .init(
            "The file is damaged.", staff: "The bytes contradict their own format, or the medium could not be read.",
            remedy: "Capture the piece again."),
        .uploadsNotAllowed: .init(
            "Please use the camera.", staff: "The session does not allow uploads from the device.",
            remedy: "Capture with the camera, or start a session that allows uploads."),
        .alreadyFailed: .init(
            "This very picture was not accepted before.", staff: "The same bytes already failed the checks or were rejected.",
            remedy: "Take a new picture."),
    ]

    private static let checks: [CaptureFailure: FailureText] = [
        .scannerNotReady: .init(
            "The scanner is not ready.", staff: "No model runner was there within five seconds, or its model did not load.",
            remedy: "Try again; when it stays so, install a model runner or switch the checks off."),
        .noDocument: .init(
            "No passport page was found.", staff: "The detector found no page together with a photo or an MRZ.",
            remedy: "Lay the open page flat inside the frame."),
        .fingers: .init(
            "A finger covers the text.", staff: "A finger covers part of the MRZ.", remedy: "Hold the document at its edges."),
        .glare: .init(
            "Light reflects on the page.", staff: "The glare check failed.", remedy: "Tilt the page away from the light."),
        .blurryPhoto: .init(
            "The picture is blurry.", staff: "The blur check failed.", remedy: "Hold still and let the camera focus."),
        .noFace: .init("No face was found.", staff: "The face check found none.", remedy: "Look into the camera."),
        .severalFaces: .init(
            "More than one face was found.", staff: "The face check found several.", remedy: "Be alone in the picture."),
        .tooDark: .init("It is too dark.", staff: "The brightness is below its limit.", remedy: "Move to a brighter place."),
        .outsideViewfinder: .init(
            "The face is outside the frame.", staff: "The face box leaves the viewfinder.",
            remedy: "Bring the face into the frame."),
        .tooFar: .init("The face is too far away.", staff: "The face is smaller than its limit.", remedy: "Come closer."),
        .leaningBack: .init(
            "The phone leans back.", staff: "The phone's tilt is beyond its limit, backwards.",
            remedy: "Hold the phone upright."),
        .leaningForward: .init(
            "The phone leans forward.", staff: "The phone's tilt is beyond its limit, forwards.",
            remedy: "Hold the phone upright."),
        .tiltedSideways: .init(
            "The phone is tilted.", staff: "The phone's tilt is beyond its limit, sideways.", remedy: "Hold the phone straight."
        ),
        .glasses: .init("Glasses cover the eyes.", staff: "The classifier answered glasses.", remedy: "Take the glasses off."),
        .coveredFace: .init(
            "The face is covered.", staff: "The classifier answered covered face.", remedy: "Uncover the face."),
        .notASelfie: .init(
            "This is not a selfie.", staff: "The classifier answered not a selfie.", remedy: "Take a picture of your own face."),
        .hologramCardMissing: .init(
            "The card was not in the picture.",
            staff: "The card was found in too few frames of the video, or was away for longer than the policy allows.",
            remedy: "Record again with the whole card in view until the end."),
        .hologramFaceMissing: .init(
            "The photo on the card was not visible.", staff: "No face success was observed during the recording.",
            remedy: "Record again with the card's photo in view."),
    ]

    private static let answers: [CaptureFailure: FailureText] = [
        .rejectedByVerifier: .init(
            "The verifier did not accept this capture.",
            staff: "The verifier rejected it; its reasons are sealed with the event.", remedy: "Capture the piece again."),
        .scoreBelowPassMark: .init(
            "The hologram could not be confirmed.", staff: "The score is below the session's pass mark.",
            remedy: "Record the hologram again."),
        .mediaDestroyed: .init(
            "The recording is needed again.", staff: "The video was destroyed after it was sent, and no clear answer came.",
            remedy: "Record the hologram again."),
        .mediaExpired: .init(
            "The capture is too old.", staff: "The media reached its time limit before it was delivered.",
            remedy: "Capture the piece again."),
    ]
}
