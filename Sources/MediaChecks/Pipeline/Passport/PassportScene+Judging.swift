import SessionDomain

extension PassportScene {
    /// So many detections become findings, so that other thresholds can be applied without the picture.
    static let remembered = 12

    /// Whether the rule for a page of this piece holds (S43). The finding that judges it is named after the rule.
    ///
    /// - Parameter model: the detector's digest.
    func judgeDocument(_ piece: Piece, _ model: String?, _ list: inout FindingList) -> Bool {
        let rule = piece == .passportBack ? policy.passport.backPage : policy.passport.frontPage
        var fails = list.judge(
            "page_score", page?.score ?? 0, .atLeast, policy.detector.page, region: page?.box, model: model)
        switch rule {
        case .page: break
        case .pageWithPhotoOrMRZ:
            let found = field("photo") ?? field("mrz")
            let best = found ?? best(["photo", "mrz"])
            let threshold = best.map { policy.detector.threshold($0.name) } ?? policy.detector.photo
            fails =
                list.judge(rule.rawValue, best?.score ?? 0, .atLeast, threshold, region: best?.box, model: model) || fails
        case .pageWithoutPhoto:
            let photo = best(["photo"])
            fails =
                list.judge(rule.rawValue, photo?.score ?? 0, .below, policy.detector.photo, region: photo?.box, model: model)
                || fails
        }
        if let other = otherDocument {
            // Two classes at one place: the better score says which it is.
            let isOther = other.score > page?.score ?? 0 && other.score >= policy.detector.otherDocument
            list.add(
                Finding(
                    metric: "other_document_score", value: other.score, passed: isOther ? false : nil,
                    direction: isOther ? .below : nil, threshold: isOther ? policy.detector.otherDocument : nil,
                    region: other.box, model: model))
            fails = fails || isOther
        }
        return !fails
    }

    /// - Returns: whether a finger speaks against the capture.
    func judgeFingers(_ question: CheckQuestion, _ model: String?, _ list: inout FindingList) -> Bool {
        let presumed = policy.passport.presumesMRZ && question.piece == .passportFront
        let overlaps = mrz(presumed: presumed).map { mrz in
            counted.filter { $0.name == "finger" }.map { (share: mrz.share(coveredBy: $0.box), box: $0.box) }
        }
        let worst = overlaps?.max { $0.share < $1.share }
        return list.judge(.fingerOverlap, worst?.share ?? 0, policy, question, region: worst?.box, model: model)
    }
}
