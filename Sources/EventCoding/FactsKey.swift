/// A key that is looked for in the text of facts, as three words: at most 24 bytes.
struct FactsKey: Equatable {
    private var first: UInt64 = 0, second: UInt64 = 0, third: UInt64 = 0
    private(set) var count = 0

    init() {}

    init(_ name: String) {
        precondition(name.utf8.count <= 24)
        for unit in name.utf8 { append(unit) }
    }

    /// What lies behind 24 bytes is counted only.
    mutating func append(_ unit: UInt8) {
        switch count {
        case 0..<8: first = first << 8 | UInt64(unit)
        case 8..<16: second = second << 8 | UInt64(unit)
        case 16..<24: third = third << 8 | UInt64(unit)
        default: break
        }
        count += 1
    }
}

extension FactsKey {
    static let atMilliseconds = FactsKey("at_ms")
    static let attempt = FactsKey("attempt")
    static let attempts = FactsKey("attempts")
    static let configuration = FactsKey("configuration")
    static let confirmsAfterChecks = FactsKey("confirms_after_checks")
    static let deadlineAtMilliseconds = FactsKey("deadline_at_ms")
    static let delivery = FactsKey("delivery")
    static let destination = FactsKey("destination")
    static let direction = FactsKey("direction")
    static let findings = FactsKey("findings")
    static let late = FactsKey("late")
    static let metric = FactsKey("metric")
    static let passed = FactsKey("passed")
    static let policyVersion = FactsKey("policy_version")
    static let score = FactsKey("score")
    static let startedAtMilliseconds = FactsKey("started_at_ms")
    static let supersedes = FactsKey("supersedes")
    static let threshold = FactsKey("threshold")
    static let transaction = FactsKey("transaction")
    static let value = FactsKey("value")
}
