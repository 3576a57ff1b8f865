import Audit
import EventStorage
import Projections
import SessionDomain

/// An event of a session among the others, as a person reads it.
package struct TimelineStep: Sendable, Equatable {
    package let event: EventView
    /// What happened, in one sentence.
    package let sentence: String
    /// Since the event before, by the store's clock; nil for the first.
    package let elapsedMilliseconds: Int64?
    /// Something was not accepted.
    package let isRefusal: Bool
    /// It came for a capture that did not count any more, and changed nothing.
    package let isLate: Bool
    /// The version of the event that put another capture in this one's place.
    package internal(set) var supersededByVersion: Int64?

    /// The client's clock minus the store's: when it happened against when it was recorded. Offline clients report late.
    package var clockDifferenceMilliseconds: Int64? {
        event.occurredAtMilliseconds.map { $0 - event.recordedAtMilliseconds }
    }
}

extension Ledger {
    /// A session's events in order, in words.
    ///
    /// - Throws: `no_such_session`.
    package func story(_ id: SessionID) throws(LedgerError) -> [TimelineStep] {
        try read { (context) throws(LedgerError) in
            let row = try translated { () throws(StorageError) in try context.events.session(id) }
            guard let row, row.number != 0 else { throw .noSession() }
            var steps: [TimelineStep] = []
            var captures: [CaptureID: Int] = [:]
            try translated { () throws(StorageError) in
                try context.events.forEachEvent(ofSession: row.number) { (stored) throws(StorageError) in
                    let (event, isReadable) = context.decoded(stored)
                    let view = EventView(stored, session: id)
                    steps.append(
                        TimelineStep(
                            event: view,
                            sentence: event?.sentence
                                ?? (isReadable
                                    ? "Something happened that only a newer version knows (type \(view.type))."
                                    : "What happened cannot be read: the event is altered. Run audit verify."),
                            elapsedMilliseconds: steps.last.map {
                                stored.recordedAtMilliseconds - $0.event.recordedAtMilliseconds
                            },
                            isRefusal: event?.isRefusal ?? false, isLate: event?.isLate ?? false))
                    if case .pieceCaptured(let captured) = event {
                        if let older = captured.supersedes, let index = captures[older] {
                            steps[index].supersededByVersion = stored.version
                        }
                        captures[captured.captureID] = steps.count - 1
                    }
                    return true
                }
            }
            return steps
        }
    }
}

extension ReadContext {
    /// An altered event does not keep the others from being read.
    fileprivate func decoded(_ stored: StoredEvent) -> (event: SessionEvent?, isReadable: Bool) {
        do { return (try configurations.decode(stored.encoded), true) } catch { return (nil, false) }
    }
}
