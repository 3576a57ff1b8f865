public import SessionDomain

/// What a host wants to be told about one session.
///
/// Each call comes after the commit that it reports, on a thread of the ledger's own, one at a time for a session. It may take as long
/// as it likes and may call the flow again: no writer waits for it. Within a process a call comes once; after a crash it may come
/// again, with the same session, captures and positions.
public struct CaptureCallbacks: Sendable {
    /// Every remaining piece is verified. Comes after a restart too, also when another process delivered the last answer.
    public var onComplete: @Sendable (_ results: [Piece: CaptureResult], _ payloads: [Piece: Payload]) -> Void
    /// The user backed out.
    public var onExit: @Sendable () -> Void
    /// "You may go": nothing is left to capture, while verification may still wait. Comes again when a piece had to be captured again.
    public var onNothingLeftToCapture: @Sendable () -> Void

    public init(
        onComplete: @escaping @Sendable (_ results: [Piece: CaptureResult], _ payloads: [Piece: Payload]) -> Void,
        onExit: @escaping @Sendable () -> Void = {}, onNothingLeftToCapture: @escaping @Sendable () -> Void = {}
    ) {
        self.onComplete = onComplete
        self.onExit = onExit
        self.onNothingLeftToCapture = onNothingLeftToCapture
    }
}
