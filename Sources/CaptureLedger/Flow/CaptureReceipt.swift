public import SessionDomain

/// What became of a capture; durable when it is handed over. The same command id gives the same receipt.
public struct CaptureReceipt: Sendable {
    public enum Outcome: Sendable {
        case captured(CaptureResult)
        /// Recorded: the media could not be taken in, and no attempt was counted, or it failed its checks.
        case refused(CaptureFailure)
    }

    public let outcome: Outcome
    /// Places of the command's events in the ledger.
    public let positions: [Int64]
}
