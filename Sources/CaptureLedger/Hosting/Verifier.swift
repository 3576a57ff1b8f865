/// A host's own way to decide about a confirmed capture, in its own process.
///
/// It is driven like an endpoint: through the ledger's queue, claimed by one process at a time, retried with growing pauses, and logged
/// attempt by attempt. It is called once for a capture unless it failed, took longer than ``VerificationOptions/timeout`` or its process
/// died meanwhile: ``CaptureResult/captureID`` is the key by which whatever it calls can tell a repetition.
public protocol Verifier: Sendable {
    /// - Parameters:
    ///   - result: the capture, with its original.
    ///   - flow: may be called from here; pieces dropped here are gone before the answer counts.
    func verify(_ result: CaptureResult, in flow: CaptureFlow) async -> VerificationOutcome
}

/// The three answers of a verifier (S12).
public enum VerificationOutcome: Sendable {
    case verified(payload: Payload)
    /// The same piece must be captured again. `reason` is for the user.
    case rejected(reason: String)
    /// It could not decide: the same capture is given to it again later. `message` is for the user meanwhile.
    case failed(message: String)
}

/// How a host's verifiers are called.
public struct VerificationOptions: Sendable, Hashable {
    /// A call that takes longer counts as failed; its task is cancelled.
    public var timeout = Duration.seconds(120)
    /// Calls at one time.
    public var atATime = 8
    /// The pause after a first failure; each further one is up to twice as long.
    public var firstPause = Duration.seconds(2)
    public var longestPause = Duration.seconds(3600)
    /// Failures after which a capture is parked, until somebody has it tried again.
    public var attempts = 25

    public init() {}
}
