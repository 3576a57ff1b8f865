public import FoundationEssentials
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
    /// The program `capture-ledger-decoder`; nil: the settings', else searched for.
    public var decoder: URL?
    /// The folder of the models; nil: the settings', else searched for.
    public var models: URL?
    /// A check policy; nil: the settings', else the standard one.
    public var policy: URL?
    public var verification = VerificationOptions()
    /// Gets a line, one JSON object without a newline, for what a person should know and no call can report. Nothing personal is in it.
    public var log: @Sendable (String) -> Void = { StandardError.write($0) }
    /// The store's clock.
    package var clock = LedgerClock.system
    /// Overrides of settings, such as `CAPTURE_LEDGER_VERIFIER_URL`.
    package var environment: [String: String] = [:]
    /// Judges captures instead of the decoder, the models and the policy.
    package var judge: (any CaptureJudge)?
    /// Makes the runner that the settings name, or the one that is found where they name none.
    package var configuredRunner: (@Sendable (CheckSettings) throws(LedgerError) -> any ModelRunner)?
    /// Whether a locked-down decoder waits for the next picture.
    package var keepsDecoder = true
    /// Whether somebody may still register a runner, so that a check waits for one.
    package var awaitsRunner = true
    /// Whether erasures whose undo window has ended are done.
    package var executesDueErasures = true
    /// Reads alone: nothing is locked, migrated or finished.
    package var isReadOnly = false

    public init() {}
}
