import EventStorage
import Projections
import SessionDomain

/// An event as the analytics export sees it.
struct AnalyticsEvent {
    let position: Int64
    let eventID: String
    let session: SessionID
    /// nil for a type that this version does not know, or one that concerns no session.
    let event: SessionEvent?
    let context: String?
}

extension AnalyticsEvent {
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
    func analyticsEvents(after position: Int64, through last: Int64, limit: Int) throws(LedgerError) -> [AnalyticsEvent] {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                var found: [AnalyticsEvent] = []
                for stored in try context.events.events(after: position, through: last, limit: limit) {
                    guard let row = try context.events.session(number: stored.sessionNumber) else { continue }
                    let isSession = stored.sessionNumber != 0
                    var hostContext: String?
                    if isSession, let first = try context.events.events(ofSession: row.number, upTo: 1).first,
                        case .sessionStarted(let started) = try context.configurations.decode(first.encoded)
                    {
                        hostContext = started.configuration.value.analyticsContext
                    }
                    found.append(
                        AnalyticsEvent(
                            position: stored.position, eventID: stored.eventID.text, session: row.id,
                            event: isSession ? try context.configurations.decode(stored.encoded) : nil, context: hostContext))
                }
                return found
            }
        }
    }
}

extension EventReader {
    /// A session's first events.
    fileprivate func events(ofSession number: Int64, upTo count: Int) throws(StorageError) -> [StoredEvent] {
        var events: [StoredEvent] = []
        try forEachEvent(ofSession: number) { (event) throws(StorageError) in
            events.append(event)
            return events.count < count
        }
        return events
    }
}
