/// The one place where findings become a failure (S51).
public enum UploadCheck {
    /// What an uploaded capture fails for; nil when nothing speaks against it. The first failing check wins: detection,
    /// fingers, glare, blur, light for a passport page (S50); faces, light, classifier for a selfie, where too little light, or
    /// what is no selfie at all, is named before the face that could not be found in it. What only a live scan can tell (tilt,
    /// distance, the viewfinder) never fails an upload (S58, S64), and a finding that was not assessed fails nothing.
    ///
    /// - Parameters:
    ///   - findings: in any order; metrics that are not known are left alone.
    ///   - piece: decides which metrics count.
    public static func failure(for findings: [Finding], piece: Piece) -> CaptureFailure? {
        failure(for: findings, rules: rules(of: piece))
    }

    /// What a live capture or frame fails for: also for the viewfinder, distance and tilt, and never as "not a selfie" (S57,
    /// S58).
    public static func liveFailure(for findings: [Finding], piece: Piece) -> CaptureFailure? {
        failure(for: findings, rules: piece == .selfie ? liveSelfie : rules(of: piece))
    }

    package static func failure(for findings: [Finding], piece: Piece, source: CaptureSource) -> CaptureFailure? {
        source.isUpload ? failure(for: findings, piece: piece) : liveFailure(for: findings, piece: piece)
    }

    private enum Verdict {
        case failure(CaptureFailure)
        /// The number of faces decides.
        case faces
    }

    private typealias Rule = (metric: String, verdict: Verdict)

    private static func failure(for findings: [Finding], rules: [Rule]) -> CaptureFailure? {
        func failed(_ metric: String) -> Finding? { findings.first { $0.metric == metric && $0.passed == false } }
        for rule in rules {
            guard let finding = failed(rule.metric) ?? failed("client_" + rule.metric) else { continue }
            switch rule.verdict {
            case .failure(let failure): return failure
            case .faces:
                guard finding.value < 1 else { return .severalFaces }
                if failed("brightness") != nil { return .tooDark }
                let isNoSelfie = failed("not_a_selfie_score") != nil && rules.contains { $0.metric == "not_a_selfie_score" }
                return isNoSelfie ? .notASelfie : .noFace
            }
        }
        return nil
    }

    /// The metrics that can fail an upload of `piece`, in the order in which they are looked at.
    private static func rules(of piece: Piece) -> [Rule] {
        switch piece {
        case .passportFront, .passportBack:
            [
                ("page_score", .failure(.noDocument)), ("page_with_photo_or_mrz", .failure(.noDocument)),
                ("page_without_photo", .failure(.noDocument)), ("other_document_score", .failure(.noDocument)),
                ("finger_overlap", .failure(.fingers)), ("glare_score", .failure(.glare)), ("glare_area", .failure(.glare)),
                ("blur_score", .failure(.blurryPhoto)), ("laplacian_variance", .failure(.blurryPhoto)),
                ("brightness", .failure(.tooDark)),
            ]
        case .selfie:
            [
                ("face_count", .faces), ("brightness", .failure(.tooDark)), ("not_a_selfie_score", .failure(.notASelfie)),
                ("glasses_score", .failure(.glasses)), ("covered_face_score", .failure(.coveredFace)),
            ]
        case .hologram:
            [
                ("card_share", .failure(.hologramCardMissing)), ("card_absence_ms", .failure(.hologramCardMissing)),
                ("face_successes", .failure(.hologramFaceMissing)),
            ]
        }
    }

    private static var liveSelfie: [Rule] {
        [
            ("face_count", .faces), ("brightness", .failure(.tooDark)), ("face_margin", .failure(.outsideViewfinder)),
            ("face_area", .failure(.tooFar)), ("tilt_back_degrees", .failure(.leaningBack)),
            ("tilt_forward_degrees", .failure(.leaningForward)), ("tilt_sideways_degrees", .failure(.tiltedSideways)),
            ("glasses_score", .failure(.glasses)), ("covered_face_score", .failure(.coveredFace)),
        ]
    }
}
