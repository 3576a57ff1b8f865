import EventStorage
import Outbox
import Projections
import SessionDomain

/// Everything that is derived from one session's events.
struct ProjectedSession {
    fileprivate(set) var number: Int64 = 0
    fileprivate(set) var id = SessionID(UUID128(high: 0, low: 0))
    fileprivate(set) var fold = SessionFold()
    fileprivate(set) var deliveries = DeliveryFold()
    fileprivate(set) var facts = SessionFacts()
    /// What `facts` were before the events that are new; nil where nothing was asked for or there was nothing.
    fileprivate(set) var earlierFacts: SessionFacts?

    fileprivate mutating func begin(_ number: Int64) {
        self.number = number
        fold = SessionFold()
        deliveries.removeAll()
        facts.removeAll()
        earlierFacts = nil
    }

    fileprivate mutating func apply(_ event: SessionEvent?, position: Int64, recordedAtMilliseconds: Int64) {
        guard let event else {
            fold.apply(nil, position: position, recordedAtMilliseconds: recordedAtMilliseconds)
            return facts.applyUnknown(position: position, recordedAtMilliseconds: recordedAtMilliseconds)
        }
        fold.apply(event, position: position, recordedAtMilliseconds: recordedAtMilliseconds)
        facts.apply(event, position: position, recordedAtMilliseconds: recordedAtMilliseconds, state: &fold.state)
        deliveries.apply(event, position: position, state: &fold.state)
    }

    fileprivate mutating func keepEarlier() {
        guard earlierFacts == nil else { return }
        var earlier = facts
        earlier.conclude(&fold.state)
        earlierFacts = earlier
    }

    fileprivate mutating func conclude() { facts.conclude(&fold.state) }
}

/// Folds whole sessions with one connection: the same folds that serve live. It belongs to one thread.
final class SessionProjector {
    private let context: ReadContext
    private let scan: EventScan
    private var session = ProjectedSession()
    private var configurations: [Digest256: FrozenConfiguration] = [:]
    private var latest: (digest: Digest256, configuration: FrozenConfiguration)?
    private(set) var events: Int64 = 0

    init(_ context: ReadContext) throws(StorageError) {
        self.context = context
        scan = try EventScan(context.connection)
    }

    /// Hands over the sessions above `first` up to `last`, in order, as they were at `position`.
    ///
    /// - Parameter earlier: where their earlier facts are wanted from, too.
    func project(
        sessionsAbove first: Int64, through last: Int64, at position: Int64, since earlier: Int64? = nil,
        _ body: (ProjectedSession) throws(StorageError) -> Void
    ) throws(StorageError) {
        let sessions = try context.events.sessions(after: first, limit: Int(last - first))
        var next = 0
        session.begin(0)
        scan.begin(sessionsAbove: first, through: last, upTo: position)
        defer { scan.end() }
        while let row = try scan.next() {
            if row.session != session.number {
                try finish(sessions, &next, body)
                session.begin(row.session)
            }
            if let earlier, row.position > earlier { session.keepEarlier() }
            session.apply(
                try row.decode { configuration($0) }, position: row.position,
                recordedAtMilliseconds: row.recordedAtMilliseconds)
            events += 1
        }
        try finish(sessions, &next, body)
    }

    /// - Parameter next: in `sessions`, which are in the order in which they are folded.
    private func finish(
        _ sessions: [EventReader.SessionRow], _ next: inout Int, _ body: (ProjectedSession) throws(StorageError) -> Void
    ) throws(StorageError) {
        guard session.number > 0 else { return }
        while next < sessions.count, sessions[next].number < session.number { next += 1 }
        guard next < sessions.count, sessions[next].number == session.number else { return }
        session.id = sessions[next].id
        session.conclude()
        try body(session)
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
}
