package import SessionDomain

extension Piece {
    /// `passport front`
    package var phrase: String { rawValue.replacing("_", with: " ") }
}

extension CaptureSource {
    /// Behind "was captured".
    package var phrase: String {
        switch self {
        case .camera: "with the camera"
        case .gallery: "from the gallery"
        case .file: "from a file"
        }
    }
}

extension ExitClass {
    /// Behind "backed out".
    var phrase: String {
        switch self {
        case .beforeAnyCapture: "before anything was captured"
        case .afterRefusal: "after a capture was refused"
        case .afterRejection: "after the verifier rejected a piece"
        case .whileCapturing: "while capturing"
        case .whileWaiting: "while waiting for the verifier"
        }
    }
}

extension RecordingEnd {
    var phrase: String {
        switch self {
        case .documentLeft: "the document left the frame"
        case .user: "the user stopped it"
        case .suspended: "the session was paused"
        case .pieceDropped: "the hologram left the run"
        case .sessionEnded: "the session ended"
        }
    }
}

extension Interaction {
    var sentence: String {
        switch self {
        case .flipShown: "The user was asked to turn the document over."
        case .flipDone: "The user turned the document over."
        case .permissionPrimerShown: "The user was told why the camera is needed."
        case .permissionGranted: "The user allowed the camera."
        case .permissionDenied: "The user did not allow the camera."
        case .fallbackLinkTapped: "The user followed the link to another way."
        case .reminderRequested: "The user asked to be reminded."
        case .reviewShown: "The user was shown what was captured."
        case .failureShown: "The user was told why a capture was not accepted."
        case .scanAgain: "The user scans again."
        case .retryRequested: "The user tries again."
        }
    }
}

extension Observation {
    var phrase: String {
        switch self {
        case .liveScan(let hint, _): hint.rawValue.replacing("_", with: " ")
        case .hologram: json["kind"]?.asString?.replacing("_", with: " ") ?? "an observation"
        }
    }
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
