import EventCoding
import EventStorage
import Projections
import SessionDomain

/// An event as the analytics export sees it.
struct AnalyticsEvent {
    let position: Int64
    let recordedAtMilliseconds: Int64
    let eventID: String
    let session: SessionID
    /// nil for every type that is never reported, for one that this version does not know, and one that concerns no session.
    let event: SessionEvent?
    let context: String?
}

extension AnalyticsEvent {
    /// The types behind the six names.
    static let reported: Set<EventType> = [
        .sessionStarted, .pieceCaptured, .pieceVerified, .pieceRejected, .sessionCompleted, .sessionExited,
    ]

    /// What a reporter is told: one of six names (S30), and no parameter that is missing (S31). nil for everything else, and for an
    /// answer that came too late to change anything.
    var report: (name: String, parameters: [String: Any?])? {
        var parameters: [String: Any?] = ["event_id": eventID, "session_id": session.text]
        if let context { parameters["host_context"] = context }
        func with(_ more: [(String, (any Sendable)?)]) -> [String: Any?] {
            for (key, value) in more { if let value { parameters[key] = value } }
            return parameters
        }
        switch event {
        case .sessionStarted(let started):
            let pieces = started.configuration.value.pieces.map(\.rawValue).joined(separator: ",")
            return ("identity_capture_started", with([("pieces", pieces)]))
        case .pieceCaptured(let captured):
            return (
                "identity_capture_piece_captured",
                with([
                    ("piece", captured.piece.rawValue), ("capture_id", captured.captureID.text),
                    ("source", captured.source.rawValue), ("attempt", captured.attempt),
                ])
            )
        case .pieceVerified(let verified) where !verified.late:
            return (
                "identity_capture_piece_verified",
                with([
                    ("piece", verified.piece.rawValue), ("capture_id", verified.captureID.text), ("score", verified.score),
                    ("duration_ms", verified.durationMilliseconds),
                ])
            )
        case .pieceRejected(let rejected) where !rejected.late:
            return (
                "identity_capture_piece_rejected",
                with([
                    ("piece", rejected.piece.rawValue), ("capture_id", rejected.captureID.text),
                    ("reason", rejected.failure.rawValue), ("score", rejected.score),
                    ("duration_ms", rejected.durationMilliseconds),
                ])
            )
        case .sessionCompleted(let completed):
            return ("identity_capture_completed", with([("duration_ms", completed.durationMilliseconds)]))
        case .sessionExited(let exited):
            return (
                "identity_capture_exited",
                with([("duration_ms", exited.durationMilliseconds), ("exit_class", exited.exitClass.rawValue)])
            )
        default: return nil
        }
    }
}

extension Ledger {
    /// - Parameter sessions: kept by the caller from page to page, so that a session is looked up once.
    func analyticsEvents(
        after position: Int64, through last: Int64, limit: Int, _ sessions: inout AnalyticsSessions
    ) throws(LedgerError) -> [AnalyticsEvent] {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                var found: [AnalyticsEvent] = []
                for stored in try context.events.events(after: position, through: last, limit: limit) {
                    guard let session = try sessions.session(stored.sessionNumber, context) else { continue }
                    let isReported =
                        stored.sessionNumber != 0
                        && EventType(rawValue: stored.encoded.type).map(AnalyticsEvent.reported.contains) ?? false
                    found.append(
                        AnalyticsEvent(
                            position: stored.position, recordedAtMilliseconds: stored.recordedAtMilliseconds,
                            eventID: stored.eventID.text, session: session.id,
                            event: isReported ? try context.configurations.decode(stored.encoded) : nil,
                            context: session.context))
                }
                return found
            }
        }
    }
}

/// Sessions that were looked up: their events lie near each other in the log, so that a bounded number is enough.
struct AnalyticsSessions {
    struct Known {
        let id: SessionID
        let context: String?
    }

    private static let limit = 8_192
    private var known: [Int64: Known] = [:]
    /// How often the log was asked.
    private(set) var lookUps = 0

    /// nil for a number that the ledger does not have.
    mutating func session(_ number: Int64, _ context: ReadContext) throws(StorageError) -> Known? {
        if let session = known[number] { return session }
        lookUps += 1
        guard let row = try context.events.session(number: number) else { return nil }
        var hostContext: String?
        if number != 0, let first = try context.events.first(ofSession: number),
            case .sessionStarted(let started) = try context.configurations.decode(first.encoded)
        {
            hostContext = started.configuration.value.analyticsContext
        }
        let session = Known(id: row.id, context: hostContext)
        if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
        known[number] = session
        return session
    }
}

extension EventReader {
    fileprivate func first(ofSession number: Int64) throws(StorageError) -> StoredEvent? {
        var first: StoredEvent?
        try forEachEvent(ofSession: number) { (event) throws(StorageError) in
            first = event
            return false
        }
        return first
    }
}
