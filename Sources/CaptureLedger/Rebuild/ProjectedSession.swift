import EventStorage
import Outbox
import Projections
import SessionDomain

/// Everything that is derived from one session's events, ready to be written.
struct ProjectedSession: Sendable {
    let number: Int64
    let id: SessionID
    /// nil for a session that never started.
    let flow: FlowRow?
    let deliveries: DeliveryFold
    let facts: SessionFacts
    /// What `facts` were before the events that are new; nil where nothing was asked for or there was nothing.
    let earlierFacts: SessionFacts?
}

/// Folds whole sessions with one connection: the same folds that serve live. It belongs to one thread.
final class SessionProjector {
    private let context: ReadContext
    private let scan: EventScan
    private let jumps: ClockJumps
    private var configurations: [Digest256: FrozenConfiguration] = [:]
    private var latest: (digest: Digest256, configuration: FrozenConfiguration)?
    private(set) var events: Int64 = 0

    init(_ context: ReadContext, jumps: ClockJumps) throws(StorageError) {
        self.context = context
        self.jumps = jumps
        scan = try EventScan(context.connection)
    }

    /// The sessions above `first` up to `last`, in order, as they were at `position`.
    ///
    /// - Parameter earlier: where their earlier facts are wanted from, too.
    func project(
        sessionsAbove first: Int64, through last: Int64, at position: Int64, since earlier: Int64? = nil
    ) throws(StorageError) -> [ProjectedSession] {
        let sessions = try context.events.sessions(after: first, limit: Int(last - first))
        var projected: [ProjectedSession] = []
        projected.reserveCapacity(sessions.count)
        var (next, work) = (0, Work())
        func finish() {
            guard work.number > 0 else { return }
            while next < sessions.count, sessions[next].number < work.number { next += 1 }
            guard next < sessions.count, sessions[next].number == work.number else { return }
            projected.append(work.finish(sessions[next].id, jumps))
        }
        try scan.forEachEvent(ofSessionsAbove: first, through: last, upTo: position) { (row) throws(StorageError) in
            if row.session != work.number {
                finish()
                work = Work(number: row.session)
            }
            if let earlier, row.position > earlier { work.keepEarlier() }
            let event = try row.decode { configuration($0) }
            work.apply(event, position: row.position, recordedAtMilliseconds: row.recordedAtMilliseconds)
            events += 1
        }
        finish()
        return projected
    }

    /// Read once, and found again by its digest.
    private func configuration(_ digits: Span<UInt8>) -> FrozenConfiguration? {
        guard digits.count == 64, let digest = Digest256(hex: digits, at: 0) else { return nil }
        if let latest, latest.digest == digest { return latest.configuration }
        guard let found = configurations[digest] ?? context.configurations.configuration(digest.hex) else { return nil }
        configurations[digest] = found
        latest = (digest, found)
        return found
    }

    /// One session being folded.
    private struct Work {
        var number: Int64 = 0
        private var fold = SessionFold()
        private var deliveries = DeliveryFold()
        private var facts = SessionFacts()
        private var earlier: SessionFacts?

        init(number: Int64 = 0) { self.number = number }

        mutating func apply(_ event: SessionEvent?, position: Int64, recordedAtMilliseconds: Int64) {
            fold.apply(event, position: position, recordedAtMilliseconds: recordedAtMilliseconds)
            facts.apply(event, position: position, recordedAtMilliseconds: recordedAtMilliseconds, state: fold.state)
            if let event { deliveries.apply(event, position: position, state: fold.state) }
        }

        mutating func keepEarlier() {
            guard earlier == nil else { return }
            earlier = facts
            earlier?.conclude(fold.state)
        }

        mutating func finish(_ id: SessionID, _ jumps: ClockJumps) -> ProjectedSession {
            facts.conclude(fold.state)
            return ProjectedSession(
                number: number, id: id,
                flow: FlowRow(fold, sessionNumber: number, jumps: jumps.total(after: fold.firstPosition)),
                deliveries: deliveries, facts: facts, earlierFacts: earlier)
        }
    }
}
