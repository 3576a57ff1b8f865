package import SessionDomain

/// Why the checks said nothing about a capture.
package struct CheckFault: Error, Sendable, Hashable {
    package enum Code: String, Sendable, CaseIterable {
        /// No runner within five seconds, or a model that is missing or did not load (S39, S40).
        case notReady = "scanner_not_ready"
        /// A model ran and failed, or it is not what its descriptor or the policy says.
        case modelFailed = "model_failed"
        /// The capture's own bytes gave no picture.
        case undecodable
        /// There is no decoder that works.
        case decoderUnavailable = "decoder_unavailable"
        /// A picture was given where the piece is a video, or the other way round.
        case wrongPiece = "wrong_piece"
    }

    package let code: Code
    /// The model that is at fault.
    package let role: ModelRole?
    /// From a fixed vocabulary: the model fault's code, or what the decoder said.
    package let detail: String?
    package let message: String
    package let remedy: String
    /// What the capture fails for; nil: it stays unchecked.
    package let failure: CaptureFailure?

    /// The capture itself is at fault: checking it again gives the same. Otherwise the checks are, and a later try may succeed.
    package var blamesCapture: Bool { code == .undecodable || code == .wrongPiece }
}

extension CheckFault {
    package init(_ fault: ModelFault, _ role: ModelRole) {
        code = fault.code == .notReady ? .notReady : .modelFailed
        self.role = role
        detail = fault.code.rawValue
        message = fault.message
        remedy = fault.remedy
        failure = .scannerNotReady
    }

    package init(_ refusal: DecodingRefusal) {
        code = refusal.cause == .unavailable ? .decoderUnavailable : .undecodable
        role = nil
        detail = refusal.detail
        message = refusal.message
        remedy = refusal.remedy
        failure = Self.failure(for: refusal.cause)
    }

    package static let notAPicture = CheckFault(
        code: .wrongPiece, role: nil, detail: nil, message: "The piece is a video and a picture was given.",
        remedy: "Check a video for the hologram and a picture for every other piece.", failure: .notAllowedForPiece)

    package static let notAVideo = CheckFault(
        code: .wrongPiece, role: nil, detail: nil, message: "The piece is a picture and a video was given.",
        remedy: "Check a video for the hologram and a picture for every other piece.", failure: .notAllowedForPiece)

    /// What a capture fails for when its bytes give no pixels; nil: nothing is said about it.
    package static func failure(for cause: DecodingRefusal.Cause) -> CaptureFailure? {
        switch cause {
        case .unreadable, .limits, .crashed: .mediaUnreadable
        case .truncated: .truncated
        case .tooLarge: .imageTooLarge
        case .unavailable: nil
        }
    }
}
