import SessionDomain

extension RescoreWork {
    /// A selfie's checks measure everything, whatever failed before.
    mutating func selfie() {
        let isSameSearch = searchesAlike
        for finding in stored {
            switch finding.metric {
            case "face_count":
                if !isSameSearch {
                    gap(finding.metric, .measuredDifferently)
                } else if !allows(finding.model, as: .faceMesh)
                    || !allows(self.finding("face_score")?.model, as: .faceDetector)
                {
                    gap(finding.metric, .otherModel)
                } else {
                    list.judgeCount(finding.metric, finding.value, model: finding.model)
                }
            case "client_face_count": list.judgeCount(finding.metric, finding.value, model: nil)
            default: judgeMeasure(finding, isSameSearch: isSameSearch)
            }
        }
    }

    private mutating func judgeMeasure(_ finding: Finding, isSameSearch: Bool) {
        guard let metric = JudgedMetric(rawValue: finding.metric) else { return keep(finding) }
        let wasAsked = metric.threshold(old, question) != nil
        // a check that needed a model, or a client's measurement, and had none
        if wasAsked, finding.passed == nil { return keep(finding) }
        guard threshold(metric) != nil else { return keep(finding) }
        if let role = role(of: metric, finding), !allows(finding.model, as: role) { return gap(finding.metric, .otherModel) }
        if isOfFace(metric), !isSameSearch { return gap(finding.metric, .measuredDifferently) }
        judge(metric, finding, value: isPose(metric) ? abs(finding.value) : nil)
    }

    /// Whether both policies find the same faces.
    private var searchesAlike: Bool {
        let (one, other) = (old.selfie, new.selfie)
        return one.faceScore == other.faceScore && one.faceOverlap == other.faceOverlap
            && one.meshPresence == other.meshPresence
            && one.smallestFace == other.smallestFace
    }

    private func isOfFace(_ metric: JudgedMetric) -> Bool {
        metric == .faceMargin || metric == .faceArea || isPose(metric) || metric == .notASelfieScore && !hasClassifier
    }

    private func isPose(_ metric: JudgedMetric) -> Bool { metric == .yaw || metric == .pitch || metric == .roll }

    /// Without one what is no selfie is told by the mesh.
    private var hasClassifier: Bool { finding(JudgedMetric.glassesScore.rawValue)?.model != nil }

    private func role(of metric: JudgedMetric, _ finding: Finding) -> ModelRole? {
        switch metric {
        case .faceMargin, .faceArea: .faceDetector
        case .yaw, .pitch, .roll: .faceMesh
        case .glassesScore, .coveredFaceScore: .selfieClassifier
        case .notASelfieScore: hasClassifier ? .selfieClassifier : .faceMesh
        default: nil
        }
    }

    /// A hologram's video.
    mutating func video() {
        let isSameLook =
            old.hologram.sampleMilliseconds == new.hologram.sampleMilliseconds
            && old.hologram.mostFrames == new.hologram.mostFrames && detectsAlike
        for finding in stored {
            guard let metric = JudgedMetric(rawValue: finding.metric), threshold(metric) != nil else {
                keep(finding)
                continue
            }
            if !allows(finding.model, as: .passportDetector) {
                gap(finding.metric, .otherModel)
            } else if !isSameLook {
                gap(finding.metric, .measuredDifferently)
            } else {
                judge(metric, finding)
            }
        }
    }

    /// Whether both policies see the same cards and photos in a frame.
    private var detectsAlike: Bool {
        let (one, other) = (old.detector, new.detector)
        return one.page == other.page && one.otherDocument == other.otherDocument && one.photo == other.photo
            && one.floor == other.floor && one.overlap == other.overlap && one.limit == other.limit
    }
}
