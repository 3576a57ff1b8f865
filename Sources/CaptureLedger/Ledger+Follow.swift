import EventCoding
import EventStorage
public import SessionDomain

extension Ledger {
    /// An event, as a follower sees it.
    public struct Delivered: Sendable, Hashable {
        /// 1, 2, 3 … without gaps, over the whole ledger.
        public let position: Int64
        /// The ledger's own id for events that concern no session.
        public let sessionID: String
        /// Such as `piece_verified`; a newer version may add types.
        public let type: String
        public let piece: Piece?
        public let captureID: String?
        /// By the store's clock.
        public let recordedAtMilliseconds: Int64
        /// The event's readable half, canonical JSON; nothing personal is in it.
        public let facts: String
    }

    /// Hands over every event in order, those of other processes too, from where the follower of this name stopped: a new name begins
    /// with the first event. Returns when its task is cancelled or the ledger is closed.
    ///
    /// The cursor moves, durably, when `handle` returns: after a crash the event that was being handled is handed over again, and no
    /// other.
    ///
    /// - Parameters:
    ///   - name: 1 to 64 of a–z, A–Z, 0–9, hyphen, underscore and dot, beginning with a letter.
    ///   - handle: called with one event after the other.
    /// - Throws: `handler_failed` (retryable) when `handle` threw something that is no ``LedgerError``; the cursor stays before that
    ///   event. `follower_in_use` while another reader has the name; `cursor_damaged`.
    public func follow(
        as name: String, handle: @Sendable (Delivered) async throws -> Void
    ) async throws(LedgerError) {
        let cursor = try await hosting.work.run { [self] () throws(LedgerError) in try FollowerCursor(name, of: self) }
        defer { cursor.close() }
        var position = try await hosting.work.run { [self] () throws(LedgerError) in
            try hosting.feed.start(self)
            return try cursor.position(in: self) ?? 0
        }
        while !Task.isCancelled, !hosting.feed.isStopped {
            let after = position
            let page = try await hosting.work.run { [self] () throws(LedgerError) in try events(after: after, limit: 64) }
            if page.isEmpty { await hosting.feed.waitForEvent(above: position) }
            for event in page {
                if Task.isCancelled || hosting.feed.isStopped { return }
                do { try await handle(Delivered(event)) } catch let error as LedgerError { throw error } catch {
                    if error is CancellationError, Task.isCancelled { return }
                    throw .handlerFailed
                }
                try await hosting.work.run { () throws(LedgerError) in try cursor.move(to: event.position) }
                position = event.position
            }
        }
    }

    /// Where the ledger's last restore is in its log; nil when it was never restored.
    func restoredAt() throws(LedgerError) -> Int64? {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                try context.events.events(ofSession: 0).last { $0.encoded.type == EventType.ledgerRestored.rawValue }?.position
            }
        }
    }
}

extension Ledger.Delivered {
    init(_ event: EventView) {
        self.init(
            position: event.position, sessionID: event.session.text, type: event.type,
            piece: event.piece.flatMap(Piece.init(rawValue:)), captureID: event.captureID?.text,
            recordedAtMilliseconds: event.recordedAtMilliseconds, facts: event.facts)
    }
}

extension LedgerError {
    fileprivate static let handlerFailed = LedgerError(
        code: .init(rawValue: "handler_failed"), message: "What was called with an event threw an error.",
        remedy: "Follow again under the same name: the event is handed over once more.", isRetryable: true)
}
