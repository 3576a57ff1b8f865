/// How a ledger is opened.
public struct LedgerOptions: Sendable {
    /// What happens to a ledger whose schema is older than this version's.
    public enum Migration: Sendable {
        case refuse, whenOpened
    }

    public var migrate = Migration.refuse
    /// The store's clock.
    package var clock = LedgerClock.system
    /// Overrides of settings, such as `CAPTURE_LEDGER_VERIFIER_URL`.
    package var environment: [String: String] = [:]
    /// Reads alone: nothing is locked, migrated or finished.
    package var isReadOnly = false

    public init() {}
}
