import SessionDomain

/// Judges pictures by a policy, with the models that a scope holds. Pure but for its two ports.
package struct CheckPipeline: Sendable {
    package let policy: CheckPolicy
    package let models: any ModelSupply
    /// What findings carry, worked out once.
    let policyVersion: String

    package init(policy: CheckPolicy = .standard, models: any ModelSupply) {
        self.policy = policy
        self.models = models
        policyVersion = policy.identity
    }

    /// Looks at one picture: an upload, or a live capture or frame (`question.source == .camera`).
    ///
    /// - Throws: ``CheckFault`` where nothing can be said: `scanner_not_ready` and `model_failed` for the models, `undecodable`
    ///   and `decoder_unavailable` for the picture, `wrong_piece` for a hologram, which is a video.
    package func check(_ picture: any OpenPicture, _ question: CheckQuestion) throws(CheckFault) -> CheckReport {
        var report =
            switch question.piece {
            case .passportFront, .passportBack: try PassportCheck(self, picture, question).report()
            case .selfie: try SelfieCheck(self, picture, question).report()
            case .hologram: throw .notAPicture
            }
        report.failure = UploadCheck.failure(for: report.findings, piece: question.piece, source: question.source)
        return report
    }
}
