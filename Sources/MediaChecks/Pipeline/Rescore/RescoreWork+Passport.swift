import SessionDomain

extension RescoreWork {
    private static let seen = "detected_"

    /// The rule for a page and the fingers from the boxes that were kept, the rest from its values.
    mutating func passport() {
        let detector = finding("page_score")?.model
        guard allows(detector, as: .passportDetector) else { return gap("page_score", .otherModel) }
        guard old.detector.overlap == new.detector.overlap, old.detector.limit == new.detector.limit,
            old.detector.floor <= new.detector.floor
        else { return gap("page_score", .measuredDifferently) }
        let detections = stored.compactMap { finding -> Detection? in
            guard finding.metric.hasPrefix(Self.seen), let box = finding.region else { return nil }
            return Detection(name: String(finding.metric.dropFirst(Self.seen.count)), score: finding.value, box: box)
        }
        guard isEnough(detections) else { return gap("page_score", .detectionsCut) }
        let scene = PassportScene(detections.filter { $0.score >= new.detector.floor }, new)
        let isDocument = scene.judgeDocument(question.piece, detector, &list)
        guard isDocument, let found = scene.page else { return }
        let fingers = scene.judgeFingers(question, detector, &list)
        guard found.box == page else { return missing(page == nil ? .notMeasured : .pageMoved) }
        let glare = glareScore()
        let area = measured(.glareArea)
        blur(isAsked: !fingers && !glare && !area)
        measured(.brightness)
    }

    /// Whether nothing that was dropped could count: it scored no better than the last that was kept.
    private func isEnough(_ detections: [Detection]) -> Bool {
        guard detections.count >= PassportScene.remembered, let last = detections.last else { return true }
        let policy = new.detector
        return [policy.page, policy.photo, policy.mrz, policy.finger, policy.otherDocument].allSatisfy { $0 > last.score }
    }

    /// What is looked for on a page, where it was not looked at.
    private mutating func missing(_ reason: Rescoring.Gap) {
        for metric in [JudgedMetric.glareScore, .glareArea, .blurScore, .brightness] where threshold(metric) != nil {
            gap(metric.rawValue, reason)
        }
    }

    private mutating func glareScore() -> Bool {
        guard threshold(.glareScore) != nil else { return false }
        guard let finding = finding(JudgedMetric.glareScore.rawValue) else {
            gap(JudgedMetric.glareScore.rawValue, .notMeasured)
            return false
        }
        guard allows(finding.model, as: .glare) else {
            gap(finding.metric, .otherModel)
            return false
        }
        return judge(.glareScore, finding)
    }

    /// Of the page scaled to the policy's width.
    @discardableResult
    private mutating func measured(_ metric: JudgedMetric) -> Bool {
        guard threshold(metric) != nil else {
            if let finding = finding(metric.rawValue) { keep(finding) }
            return false
        }
        guard old.passport.cropWidth == new.passport.cropWidth else {
            gap(metric.rawValue, .measuredDifferently)
            return false
        }
        guard let finding = finding(metric.rawValue) else {
            gap(metric.rawValue, .notMeasured)
            return false
        }
        return judge(metric, finding)
    }

    /// By the model where one looked, else by the variance where that was judged.
    private mutating func blur(isAsked: Bool) {
        let variance = finding(JudgedMetric.laplacianVariance.rawValue)
        guard isAsked, threshold(.blurScore) != nil else {
            if let variance { keep(variance) }
            return
        }
        if let score = finding(JudgedMetric.blurScore.rawValue) {
            if let variance { keep(variance) }
            guard allows(score.model, as: .passportBlur) else { return gap(score.metric, .otherModel) }
            judge(.blurScore, score)
        } else if variance?.passed != nil, threshold(.laplacianVariance) != nil {
            measured(.laplacianVariance)
        } else {
            gap(JudgedMetric.blurScore.rawValue, .notMeasured)
        }
    }
}
