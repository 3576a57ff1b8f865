package import SessionDomain

/// A stored judgement, judged again by another policy from its findings alone: no picture is looked at.
package struct Rescoring: Sendable {
    /// Why a value cannot be judged again.
    package enum Gap: String, Sendable, CaseIterable {
        /// It was not measured, because a check before it had failed; by the other policy that one passes.
        case notMeasured = "not_measured"
        /// The other policy takes another part of the picture for the page.
        case pageMoved = "page_moved"
        /// The two policies measure it in different ways, such as on a crop of another width.
        case measuredDifferently = "measured_differently"
        /// The other policy pins another model than the one that gave it.
        case otherModel = "other_model"
        /// More was detected than is kept, and the other policy asks for detections that may be among the rest.
        case detectionsCut = "detections_cut"
    }

    /// What the checks would have found, as far as it is known.
    package let findings: [Finding]
    /// What could not be judged again, in the order of the checks.
    package let gaps: [(metric: String, gap: Gap)]
    /// Of what is known.
    package let failure: CaptureFailure?
    /// The first gap that could change ``failure``; nil: the outcome is certain.
    package let decisive: (metric: String, gap: Gap)?

    /// - Parameters:
    ///   - page: where the page lies, as the judgement says.
    ///   - hologram: what the session asks of a hologram's video.
    ///   - old: the policy that the findings name.
    package init(
        _ findings: [Finding], page: NormalizedRect?, _ question: CheckQuestion, _ hologram: HologramSettings,
        from old: CheckPolicy, to new: CheckPolicy
    ) {
        var work = RescoreWork(findings, page, question, hologram, old, new)
        switch question.piece {
        case .passportFront, .passportBack: work.passport()
        case .selfie: work.selfie()
        case .hologram: work.video()
        }
        let known = work.list.findings
        func outcome(_ more: [Finding]) -> CaptureFailure? {
            UploadCheck.failure(for: known + more, piece: question.piece, source: question.source)
        }
        let failure = outcome([])
        self.findings = known
        self.failure = failure
        gaps = work.gaps
        // one that would not matter even if it failed is no gap
        decisive = work.gaps.first { outcome([Finding(metric: $0.metric, value: 0, passed: false)]) != failure }
    }
}

/// The findings of one judgement while they are judged again.
struct RescoreWork {
    let stored: [Finding]
    let page: NormalizedRect?
    let question: CheckQuestion
    let hologram: HologramSettings
    let old: CheckPolicy
    let new: CheckPolicy
    var list: FindingList
    private(set) var gaps: [(metric: String, gap: Rescoring.Gap)] = []

    init(
        _ stored: [Finding], _ page: NormalizedRect?, _ question: CheckQuestion, _ hologram: HologramSettings,
        _ old: CheckPolicy,
        _ new: CheckPolicy
    ) {
        self.stored = stored
        self.page = page
        self.question = question
        self.hologram = hologram
        self.old = old
        self.new = new
        list = FindingList(policyVersion: new.identity)
    }

    func finding(_ metric: String) -> Finding? { stored.first { $0.metric == metric } }
    func threshold(_ metric: JudgedMetric) -> Double? { metric.threshold(new, question, hologram) }

    mutating func gap(_ metric: String, _ gap: Rescoring.Gap) { gaps.append((metric, gap)) }

    /// Whether the new policy lets a model of that digest do it.
    func allows(_ digest: String?, as role: ModelRole) -> Bool {
        guard let pinned = new.models[role], let digest else { return true }
        return pinned == digest
    }

    /// Judges a stored value by the new threshold.
    ///
    /// - Returns: whether it speaks against the capture.
    @discardableResult
    mutating func judge(_ metric: JudgedMetric, _ finding: Finding, value: Double? = nil) -> Bool {
        list.judge(metric, value ?? finding.value, new, question, hologram, region: finding.region, model: finding.model)
    }

    /// As it was measured: no policy judges it, or it was not assessed.
    mutating func keep(_ finding: Finding) {
        list.add(
            Finding(metric: finding.metric, value: finding.value, region: finding.region, model: finding.model))
    }
}
