/// One measured check.
public struct Finding: Codable, Sendable, Hashable {
    /// What was measured, such as `glare_score`.
    public var metric: String
    public var value: Double
    /// nil: measured and not assessed.
    public var passed: Bool?
    /// Whether a value above or below the threshold is the good one; nil where there is no threshold.
    public var direction: Direction?
    public var threshold: Double?
    /// Where in the picture, where the check has a place.
    public var region: NormalizedRect?
    /// SHA-256 of the model, lower hex; nil for a check without one.
    public var model: String?
    /// The policy that named the threshold.
    public var policyVersion: String?

    public enum Direction: String, Codable, Sendable, CaseIterable {
        case atLeast = "at_least"
        case atMost = "at_most"
    }

    public init(
        metric: String, value: Double, passed: Bool? = nil, direction: Direction? = nil, threshold: Double? = nil,
        region: NormalizedRect? = nil, model: String? = nil, policyVersion: String? = nil
    ) {
        self.metric = metric
        self.value = value
        self.passed = passed
        self.direction = direction
        self.threshold = threshold
        self.region = region
        self.model = model
        self.policyVersion = policyVersion
    }
}
