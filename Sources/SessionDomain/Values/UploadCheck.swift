/// The one place where findings become a failure (S51).
public enum UploadCheck {
    /// What an uploaded capture fails for; nil when nothing speaks against it. The first failing check wins: detection, fingers, glare,
    /// blur for a passport page (S50); faces, light, classifier for a selfie. What only a live scan can tell (tilt, distance, the
    /// viewfinder) never fails an upload (S58, S64), and a finding that was not assessed fails nothing.
    ///
    /// - Parameters:
    ///   - findings: in any order; metrics that are not known are left alone.
    ///   - piece: decides which metrics count.
    public static func failure(for findings: [Finding], piece: Piece) -> CaptureFailure? {
        for rule in rules(of: piece) {
            guard let finding = findings.first(where: { $0.metric == rule.metric && $0.passed == false }) else { continue }
            return rule.failure ?? (finding.value < 1 ? .noFace : .severalFaces)
        }
        return nil
    }

    /// The metrics that can fail an upload of `piece`, in the order in which they are looked at; nil: the number of faces decides.
    private static func rules(of piece: Piece) -> [(metric: String, failure: CaptureFailure?)] {
        switch piece {
        case .passportFront, .passportBack:
            [
                ("page_score", .noDocument), ("finger_overlap", .fingers), ("glare_score", .glare),
                ("blur_score", .blurryPhoto),
            ]
        case .selfie:
            [
                ("face_count", nil), ("brightness", .tooDark), ("not_a_selfie_score", .notASelfie),
                ("glasses_score", .glasses), ("covered_face_score", .coveredFace),
            ]
        case .hologram: [("face_successes", .hologramFaceMissing)]
        }
    }
}
