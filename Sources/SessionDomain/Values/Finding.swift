/// One measured check.
public struct Finding: Codable, Sendable, Hashable {
    /// What was measured, such as `glare_score`. What the client measured itself begins with `client_`.
    public var metric: String
    /// 0 where nothing was measured: a check that needs a model and names none was not made.
    public var value: Double
    /// nil: not assessed, which is neither passed nor failed.
    public var passed: Bool?
    /// On which side of the threshold the good values lie; nil where there is no threshold.
    public var direction: Direction?
    public var threshold: Double?
    /// Where in the picture, where the check has a place.
    public var region: NormalizedRect?
    /// SHA-256 of the model, lower hex; nil for a check without one.
    public var model: String?
    /// The policy that named the threshold.
    public var policyVersion: String?

    public enum Direction: String, Codable, Sendable, CaseIterable {
        /// The threshold itself is good.
        case atLeast = "at_least"
        /// The threshold itself is good.
        case atMost = "at_most"
        /// The threshold itself is bad.
        case below

        /// Whether `value` lies on the good side. A value that is not a number never does.
        public func holds(_ value: Double, _ threshold: Double) -> Bool {
            switch self {
            case .atLeast: value >= threshold
            case .atMost: value <= threshold
            case .below: value < threshold
            }
        }
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
