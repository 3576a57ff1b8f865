import SessionDomain
import Synchronization

/// One session: what a phone's screens did, without the screens. It may be used from any thread, and from its own callbacks and
/// verifier.
public final class CaptureFlow: Sendable {
    /// Stays the same for ever.
    public let sessionID: String
    let session: SessionID
    let ledger: Ledger
    let watching = Mutex(Watching())

    /// What this process keeps for a session that it watches.
    struct Watching {
        var callbacks: CaptureCallbacks?
        var verifier: (any Verifier)?
        /// When something of the session is due for a host's verifier; nil: nothing waits for one.
        var hostDueAt: Int64?
        var streams: [Int: Stream] = [:]
        var lastStream = 0
        var isReading = false
        var mustReadAgain = false
        var isClosed = false
        /// What the host was told, or is about to be; nil until it was looked up.
        var told: Milestones?
        var calls: [Call] = []
        var isCalling = false
    }

    struct Stream {
        let continuation: AsyncStream<FlowState>.Continuation
        var last: FlowState?
    }

    init(_ session: SessionID, of ledger: Ledger) {
        self.session = session
        self.ledger = ledger
        sessionID = session.text
    }

    /// - Throws: what keeps the ledger from being read.
    public func state() async throws(LedgerError) -> FlowState {
        let (ledger, session) = (ledger, session)
        return try await ledger.hosting.work.run { () throws(LedgerError) in try ledger.snapshot(of: session).state }
    }

    /// The state now and whenever it changes, also by another process. Ends when the session is finished or the ledger closed. A reader
    /// that is slow misses states in between and never the newest.
    public var states: AsyncStream<FlowState> {
        let (stream, continuation) = AsyncStream.makeStream(of: FlowState.self, bufferingPolicy: .bufferingNewest(64))
        let watched = ledger.hosting.adopt(self)
        watched.add(continuation)
        return stream
    }

    private func add(_ continuation: AsyncStream<FlowState>.Continuation) {
        let key = watching.withLock { watching -> Int? in
            if watching.isClosed { return nil }
            watching.lastStream += 1
            watching.streams[watching.lastStream] = Stream(continuation: continuation)
            return watching.lastStream
        }
        guard let key else { return continuation.finish() }
        continuation.onTermination = { [weak self] _ in self?.drop(stream: key) }
        notice()
    }

    private func drop(stream key: Int) {
        let isIdle = watching.withLock { watching in
            watching.streams[key] = nil
            return watching.streams.isEmpty && watching.callbacks == nil && watching.verifier == nil
        }
        if isIdle { ledger.hosting.forget(self) }
    }

    /// The ledger closes.
    func close() {
        let streams = watching.withLock { watching in
            watching.isClosed = true
            watching.calls.removeAll()
            defer { watching.streams.removeAll() }
            return Array(watching.streams.values)
        }
        for stream in streams { stream.continuation.finish() }
    }
}
