import EventStorage
import Outbox
import Projections
import SessionDomain

/// Everything that is derived from one session's events.
struct ProjectedSession {
    fileprivate(set) var number: Int64 = 0
    fileprivate(set) var id = SessionID(UUID128(high: 0, low: 0))
    var fold = SessionFold()
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

    fileprivate mutating func apply(_ event: SessionEvent, position: Int64, recordedAtMilliseconds: Int64) {
        fold.apply(event, position: position, recordedAtMilliseconds: recordedAtMilliseconds)
        facts.apply(event, position: position, recordedAtMilliseconds: recordedAtMilliseconds, state: &fold.state)
        deliveries.apply(event, position: position, state: &fold.state)
    }

    fileprivate mutating func applyUnknown(position: Int64, recordedAtMilliseconds: Int64) {
        fold.apply(nil, position: position, recordedAtMilliseconds: recordedAtMilliseconds)
        facts.applyUnknown(position: position, recordedAtMilliseconds: recordedAtMilliseconds)
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
    private var configurations: [Digest256: FrozenConfiguration] = [:]
    private var latest: (digest: Digest256, configuration: FrozenConfiguration)?
    private(set) var events: Int64 = 0

    init(_ context: ReadContext) throws(StorageError) {
        self.context = context
        scan = try EventScan(context.connection)
    }

    /// Hands over the sessions above `first` up to `last`, in order, as they were at `position`. They are passed in place because they
    /// are large.
    ///
    /// - Parameter earlier: where their earlier facts are wanted from, too.
    func project(
        sessionsAbove first: Int64, through last: Int64, at position: Int64, since earlier: Int64? = nil,
        _ body: (inout ProjectedSession) throws(StorageError) -> Void
    ) throws(StorageError) {
        let sessions = try context.events.sessions(after: first, limit: Int(last - first))
        // here and not in the projector: nobody else can look at them, which need not be checked for every event then
        var (next, session) = (0, ProjectedSession())
        var event = SessionEvent.sessionSuspended(SessionSuspended(suspendedAtMilliseconds: 0))
        scan.begin(sessionsAbove: first, through: last, upTo: position)
        defer { scan.end() }
        while try scan.next() {
            if scan.session != session.number {
                try finish(&session, sessions, &next, body)
                session.begin(scan.session)
            }
            if let earlier, scan.position > earlier { session.keepEarlier() }
            let (position, time) = (scan.position, scan.recordedAtMilliseconds)
            if try scan.decode(into: &event, { configuration($0) }) {
                session.apply(event, position: position, recordedAtMilliseconds: time)
            } else {
                session.applyUnknown(position: position, recordedAtMilliseconds: time)
            }
            events += 1
        }
        try finish(&session, sessions, &next, body)
    }

    /// - Parameter next: in `sessions`, which are in the order in which they are folded.
    private func finish(
        _ session: inout ProjectedSession, _ sessions: [EventReader.SessionRow], _ next: inout Int,
        _ body: (inout ProjectedSession) throws(StorageError) -> Void
    ) throws(StorageError) {
        guard session.number > 0 else { return }
        while next < sessions.count, sessions[next].number < session.number { next += 1 }
        guard next < sessions.count, sessions[next].number == session.number else { return }
        session.id = sessions[next].id
        session.conclude()
        try body(&session)
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
