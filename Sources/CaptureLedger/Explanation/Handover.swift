import EventCoding
import EventStorage
import Outbox
import SQLite
import SchemaFiles
import SessionDomain

/// What happened since a time, as whoever takes over a shift wants to know it. Counts and codes alone.
package struct Handover: Sendable {
    /// How often something happened to one destination for one reason.
    package struct Trouble: Sendable, Hashable {
        package let destination: String
        /// A code.
        package let code: String
        package let count: Int
        package let lastAtMilliseconds: Int64
    }

    /// A destination that was paused or resumed.
    package struct Pause: Sendable, Hashable {
        package let destination: String
        package let atMilliseconds: Int64
        /// `by_operator`, or why the worker paused it.
        package let reason: String
        package let isResumption: Bool
    }

    package let sinceMilliseconds: Int64
    /// By event type.
    package fileprivate(set) var events: [String: Int] = [:]
    /// Media that was not taken in, by code.
    package fileprivate(set) var refused: [String: Int] = [:]
    /// Captures that failed their checks, by code.
    package fileprivate(set) var failedChecks: [String: Int] = [:]
    package fileprivate(set) var verified: [String: Int] = [:]
    /// By piece.
    package fileprivate(set) var rejected: [String: Int] = [:]
    /// By cause.
    package fileprivate(set) var parked: [String: Int] = [:]
    /// What attempts came to other than a delivery.
    package fileprivate(set) var troubles: [Trouble] = []
    package fileprivate(set) var pauses: [Pause] = []

    package init(sinceMilliseconds: Int64) { self.sinceMilliseconds = sinceMilliseconds }

    package func count(_ type: String) -> Int { events[type] ?? 0 }

    fileprivate mutating func take(_ event: EventView) {
        events[event.type, default: 0] += 1
        let (piece, reason) = (event.piece ?? "", event.reason ?? "")
        switch event.type {
        case "capture_refused": refused[reason, default: 0] += 1
        case "piece_checked" where event.outcome == OutcomeCode.checksFailed.name: failedChecks[reason, default: 0] += 1
        case "piece_verified": verified[piece, default: 0] += 1
        case "piece_rejected": rejected[piece, default: 0] += 1
        case "piece_delivery_parked": parked[reason, default: 0] += 1
        case "destination_paused", "destination_resumed":
            guard let facts = try? JSONValue.parse(event.facts), let name = facts["destination"]?.asString else { return }
            pauses.append(
                Pause(
                    destination: name, atMilliseconds: event.recordedAtMilliseconds, reason: reason,
                    isResumption: event.type == "destination_resumed"))
        default: break
        }
    }
}

extension Ledger {
    /// Reads the log from that time on, in pages.
    package func handover(since time: Int64) throws(LedgerError) -> Handover {
        var handover = Handover(sinceMilliseconds: time)
        var position = try firstPosition(atOrAfter: time) - 1
        while true {
            let page = try events(after: position)
            guard let last = page.last else { break }
            for event in page { handover.take(event) }
            position = last.position
        }
        // what the worker paused is state and no event
        for (destination, pause) in try pauses() where pause.sinceMilliseconds >= time {
            if pause.reason == OutboxWriter.pausedByOperator { continue }
            handover.pauses.append(
                .init(
                    destination: destination, atMilliseconds: pause.sinceMilliseconds, reason: pause.reason.rawValue,
                    isResumption: false))
        }
        handover.pauses.sort { $0.atMilliseconds < $1.atMilliseconds }
        handover.troubles = try troubles(since: time)
        return handover
    }

    private func troubles(since time: Int64) throws(LedgerError) -> [Handover.Trouble] {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                try stored { () throws(SQLiteError) in
                    let row = try Statement(context.connection, SchemaFiles.attemptErrorsSince)
                    row.bind(time, at: 1)
                    var troubles: [Handover.Trouble] = []
                    while try row.step() {
                        troubles.append(
                            Handover.Trouble(
                                destination: row.text(0), code: row.text(1), count: row.int(2), lastAtMilliseconds: row.int64(3)
                            ))
                    }
                    return troubles
                }
            }
        }
    }
}
