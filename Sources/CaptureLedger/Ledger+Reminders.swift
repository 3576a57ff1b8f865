import EventCoding
import EventStorage
import Projections
package import SessionDomain

/// A person who wants to be reminded to come back (S25).
package struct DueReminder: Sendable, Hashable {
    package let session: SessionID
    /// What was missing then.
    package let piece: Piece?
    package let requestedAtMilliseconds: Int64
    /// nil: as soon as the host likes.
    package let remindAtMilliseconds: Int64?

    /// From when on it is due.
    package var moment: Int64 { remindAtMilliseconds ?? requestedAtMilliseconds }
}

extension Ledger {
    /// Reminders whose time has come by `time` in sessions that are still open, and whose piece was not captured since: the latest wish of a
    /// session counts. In the order in which they came due.
    ///
    /// - Parameter time: Unix milliseconds.
    package func remindersDue(by time: Int64) throws(LedgerError) -> [DueReminder] {
        var due: [DueReminder] = []
        for status in [FlowView.Status.active, .suspended] {
            var below = Int64.max
            while true {
                let page = try sessions(status: status.rawValue, before: below, limit: 256)
                guard let last = page.last else { break }
                for listed in page {
                    guard let reminder = try reminder(of: listed.session, listed.row.sessionNumber) else { continue }
                    if reminder.moment <= time { due.append(reminder) }
                }
                below = last.row.sessionNumber
            }
        }
        return due.sorted { ($0.moment, $0.session.text) < ($1.moment, $1.session.text) }
    }

    private func reminder(of session: SessionID, _ number: Int64) throws(LedgerError) -> DueReminder? {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                var wish: DueReminder?
                try context.events.forEachEvent(ofSession: number) { (stored) throws(StorageError) in
                    let type = stored.encoded.type
                    if type == EventType.pieceCaptured.code, wish?.piece == nil || wish?.piece?.code == stored.encoded.piece {
                        wish = nil
                    }
                    guard type == EventType.interactionRecorded.code,
                        stored.encoded.reason == Interaction.reminderRequested.rawValue,
                        case .interactionRecorded(let event) = try context.configurations.decode(stored.encoded)
                    else { return true }
                    wish = DueReminder(
                        session: session, piece: event.piece, requestedAtMilliseconds: stored.recordedAtMilliseconds,
                        remindAtMilliseconds: event.remindAtMilliseconds)
                    return true
                }
                return wish
            }
        }
    }
}
