import SessionDomain

/// Findings in the order in which they were measured, each with the policy's name.
struct FindingList {
    private(set) var findings: [Finding] = []
    let policyVersion: String

    init(policyVersion: String) { self.policyVersion = policyVersion }

    /// Measured, and not assessed.
    mutating func measure(_ metric: String, _ value: Double, region: NormalizedRect? = nil, model: String? = nil) {
        add(Finding(metric: metric, value: stored(value), region: region, model: model))
    }

    /// Not made: neither passed nor failed, and no model is named.
    mutating func notAssessed(_ metric: String) { add(Finding(metric: metric, value: 0)) }

    /// Measured, and judged by a threshold; without one measured only.
    ///
    /// - Returns: whether it speaks against the capture.
    @discardableResult
    mutating func judge(
        _ metric: String, _ value: Double, _ direction: Finding.Direction, _ threshold: Double?, region: NormalizedRect? = nil,
        model: String? = nil
    ) -> Bool {
        guard let threshold else {
            measure(metric, value, region: region, model: model)
            return false
        }
        let passed = value.isFinite && direction.holds(stored(value), threshold)
        add(
            Finding(
                metric: metric, value: stored(value), passed: passed, direction: direction, threshold: threshold,
                region: region,
                model: model))
        return !passed
    }

    mutating func add(_ finding: Finding) {
        var finding = finding
        finding.policyVersion = policyVersion
        findings.append(finding)
    }

    /// What is judged is what is stored: six decimals, and always a number.
    private func stored(_ value: Double) -> Double { value.isFinite ? value.toMillionths : 0 }
}
