/// What is wrong with a policy of checks, as one sentence that says where. It never holds a value that was found there.
package struct PolicyProblem: Error, Hashable, Sendable {
    package enum Code: String, Sendable, CaseIterable {
        case notJSON = "policy_not_json"
        case unknownKey = "policy_key_unknown"
        case missing = "policy_key_missing"
        case wrongType = "policy_wrong_type"
        case outOfRange = "policy_out_of_range"
        case unknownName = "policy_name_unknown"
    }

    package let code: Code
    /// Where, such as `passport.glare_score`; empty for the policy as a whole.
    package let path: String
    package let message: String
    package let remedy: String

    package init(_ code: Code, at path: String, _ message: String, remedy: String) {
        self.code = code
        self.path = path
        self.message = message
        self.remedy = remedy
    }
}
