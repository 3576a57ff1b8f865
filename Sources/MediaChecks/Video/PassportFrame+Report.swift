package import SessionDomain

extension PassportFrame {
    /// - Parameter report: of the pipeline about this frame; nil: it said nothing.
    package init(_ report: CheckReport?, number: Int, timeMilliseconds time: Int64) {
        self.init(number: number, timeMilliseconds: time)
        guard let report else { return }
        let verdicts = Verdicts(report.findings)
        hasDocument = verdicts.of(
            ["page_score", "page_with_photo_or_mrz", "page_without_photo", "other_document_score"])
        isClearOfFingers = verdicts.of(["finger_overlap"])
        isClearOfGlare = verdicts.of(["glare_score", "glare_area"])
        isSharp = verdicts.of(["blur_score", "laplacian_variance"])
        isBright = verdicts.of(["brightness"])
        let parts = [
            verdicts.value("page_score"), verdicts.value("glare_score").map { 1 - $0 },
            verdicts.value("blur_score").map { 1 - $0 },
        ].compactMap(\.self)
        score = parts.isEmpty ? 0 : parts.reduce(0, +) / Double(parts.count)
    }
}

extension SelfieFrame {
    /// - Parameter report: of the pipeline about this frame; nil: it said nothing.
    package init(_ report: CheckReport?, number: Int, timeMilliseconds time: Int64) {
        self.init(number: number, timeMilliseconds: time)
        guard let report else { return }
        let verdicts = Verdicts(report.findings)
        faceCount = verdicts.value("face_count").map { Int($0) }
        face = report.detections.first { $0.name == "face" }?.box
        brightness = verdicts.value("brightness")
        if let back = verdicts.assessed("client_tilt_back_degrees"),
            let forward = verdicts.assessed("client_tilt_forward_degrees")
        {
            pitch = back > 0 ? back : -forward
        }
        roll = verdicts.assessed("client_tilt_sideways_degrees")
        if verdicts.of(["covered_face_score"]) == false { classification = .coveredFace }
        if verdicts.of(["glasses_score"]) == false { classification = .glasses }
        let parts = [verdicts.value("face_score"), verdicts.value("mesh_presence")].compactMap(\.self)
        score = parts.isEmpty ? 0 : parts.reduce(0, +) / Double(parts.count)
    }
}

/// Findings by their metric.
private struct Verdicts {
    private let findings: [Finding]

    init(_ findings: [Finding]) { self.findings = findings }

    /// False when one of them failed, true when one passed and none failed, nil when none was assessed.
    func of(_ metrics: [String]) -> Bool? {
        let assessed = findings.filter { metrics.contains($0.metric) }.compactMap(\.passed)
        return assessed.isEmpty ? nil : assessed.allSatisfy(\.self)
    }

    func value(_ metric: String) -> Double? { findings.first { $0.metric == metric }?.value }

    func assessed(_ metric: String) -> Double? {
        findings.first { $0.metric == metric && $0.passed != nil }?.value
    }
}
