import SessionDomain

/// A measured value that one threshold of a policy judges: the one place that says which, on which side, and by which switch. The rule
/// for a page is not among them: what it is judged by depends on what was seen (``PassportScene``).
enum JudgedMetric: String, Sendable, CaseIterable {
    case fingerOverlap = "finger_overlap"
    case glareScore = "glare_score"
    case glareArea = "glare_area"
    case blurScore = "blur_score"
    /// Judged only where no blur model is installed.
    case laplacianVariance = "laplacian_variance"
    case brightness
    case faceMargin = "face_margin"
    case faceArea = "face_area"
    case clientFaceMargin = "client_face_margin"
    case clientFaceArea = "client_face_area"
    case tiltBack = "client_tilt_back_degrees"
    case tiltForward = "client_tilt_forward_degrees"
    case tiltSideways = "client_tilt_sideways_degrees"
    case glassesScore = "glasses_score"
    case coveredFaceScore = "covered_face_score"
    case notASelfieScore = "not_a_selfie_score"
    case yaw = "yaw_degrees"
    case pitch = "pitch_degrees"
    case roll = "roll_degrees"
    case cardShare = "card_share"
    case cardAbsence = "card_absence_ms"
    case faceSuccesses = "face_successes"

    var direction: Finding.Direction {
        switch self {
        case .fingerOverlap, .glareScore, .blurScore, .glassesScore, .coveredFaceScore, .notASelfieScore: .below
        case .glareArea, .tiltBack, .tiltForward, .tiltSideways, .yaw, .pitch, .roll, .cardAbsence: .atMost
        case .laplacianVariance, .brightness, .faceMargin, .faceArea, .clientFaceMargin, .clientFaceArea, .cardShare,
            .faceSuccesses:
            .atLeast
        }
    }

    /// nil: measured only, because the policy has no such rule or the session switched it off.
    ///
    /// - Parameter hologram: what the session asks of a hologram's video.
    func threshold(
        _ policy: CheckPolicy, _ question: CheckQuestion, _ hologram: HologramSettings = HologramSettings()
    ) -> Double? {
        let (passport, selfie) = (policy.passport, policy.selfie)
        let isUpload = question.source.isUpload
        return switch self {
        case .fingerOverlap: question.passport.fingers ? passport.fingerOverlap : nil
        case .glareScore: question.passport.glare ? passport.glareScore : nil
        case .glareArea: question.passport.glare ? passport.glareArea : nil
        case .blurScore: question.passport.blur ? passport.blurScore : nil
        case .laplacianVariance: question.passport.blur ? passport.laplacianVariance : nil
        case .brightness: question.piece == .selfie ? selfie.brightness : passport.brightness
        // only a live scan can tell (S58, S64)
        case .faceMargin, .clientFaceMargin: isUpload ? nil : selfie.frameMarginExit
        case .faceArea, .clientFaceArea: isUpload ? nil : selfie.faceArea
        case .tiltBack: isUpload || !question.selfie.phoneStraight ? nil : selfie.tiltBack
        case .tiltForward: isUpload || !question.selfie.phoneStraight ? nil : selfie.tiltForward
        case .tiltSideways: isUpload || !question.selfie.phoneStraight ? nil : selfie.tiltSideways
        case .glassesScore: question.selfie.glasses ? selfie.glassesScore : nil
        case .coveredFaceScore: question.selfie.coveredFace ? selfie.coveredFaceScore : nil
        case .notASelfieScore: isUpload ? selfie.notASelfieScore : nil
        case .yaw: selfie.yaw
        case .pitch: selfie.pitch
        case .roll: selfie.roll
        case .cardShare: hologram.useCardDetection ? policy.hologram.cardShare : nil
        case .cardAbsence: hologram.stopVideoWhileRecording ? Double(policy.hologram.cardAbsenceMilliseconds) : nil
        case .faceSuccesses: hologram.controlFaceCapture ? Double(policy.hologram.faceFrames) : nil
        }
    }
}

extension FindingList {
    /// Judges by the threshold that a policy has for it.
    ///
    /// - Returns: whether it speaks against the capture.
    @discardableResult
    mutating func judge(
        _ metric: JudgedMetric, _ value: Double, _ policy: CheckPolicy, _ question: CheckQuestion,
        _ hologram: HologramSettings = HologramSettings(), region: NormalizedRect? = nil, model: String? = nil
    ) -> Bool {
        judge(
            metric.rawValue, value, metric.direction, metric.threshold(policy, question, hologram), region: region, model: model
        )
    }
}
