import SystemCalls

/// How a ledger is opened.
public struct LedgerOptions: Sendable {
    /// What happens to a ledger whose schema is older than this version's.
    public enum Migration: Sendable {
        case refuse, whenOpened
    }

    public var migrate = Migration.refuse
    /// Runs the models of the check pipeline; nil: none is there.
    public var runner: (any ModelRunner)? = Inference.runner
    public var verification = VerificationOptions()
    /// Gets a line, one JSON object without a newline, for what a person should know and no call can report. Nothing personal is in it.
    public var log: @Sendable (String) -> Void = { StandardError.write($0) }
    /// The store's clock.
    package var clock = LedgerClock.system
    /// Overrides of settings, such as `CAPTURE_LEDGER_VERIFIER_URL`.
    package var environment: [String: String] = [:]
    /// Reads alone: nothing is locked, migrated or finished.
    package var isReadOnly = false

    public init() {}
}
