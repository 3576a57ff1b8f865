/// What a call refused or could not do, in words for a person. It never contains anything personal.
public struct LedgerError: Error, Sendable, Hashable {
    /// An open set: a new code never breaks a host's `switch`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public let code: Code
    public let message: String
    /// What to do next.
    public let remedy: String
    /// The same call may succeed later without a change; repeat it with the same command id.
    public let isRetryable: Bool

    public init(code: Code, message: String, remedy: String, isRetryable: Bool = false) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.isRetryable = isRetryable
    }
}
