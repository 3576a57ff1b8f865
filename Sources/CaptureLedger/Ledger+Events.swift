import EventCoding
import EventStorage
package import SessionDomain

/// A stored event with its codes spelled out; nothing private.
package struct EventView: Sendable, Equatable {
    package let position: Int64
    package let session: SessionID
    package let version: Int64
    package let eventID: UUID128
    /// The type's name; a number for one that this version does not know.
    package let type: String
    package let schemaVersion: Int
    package let recordedAtMilliseconds: Int64
    package let occurredAtMilliseconds: Int64?
    package let isClientClockSkewed: Bool
    /// The store's clock stood behind an earlier event: the recorded time repeats that event's.
    package let isStoreClockBehind: Bool
    package let commandID: String?
    package let correlationID: String?
    package let causationPosition: Int64?
    package let actor: String?
    package let piece: String?
    package let captureID: CaptureID?
    package let source: String?
    package let outcome: String?
    package let reason: String?
    package let durationMilliseconds: Int64?
    /// Canonical JSON.
    package let facts: String
    package let hasPrivateHalf: Bool

    init(_ stored: StoredEvent, session: SessionID) {
        position = stored.position
        self.session = session
        version = stored.version
        eventID = stored.eventID
        type = EventType(rawValue: stored.encoded.type)?.name ?? String(stored.encoded.type)
        schemaVersion = stored.encoded.schemaVersion
        recordedAtMilliseconds = stored.recordedAtMilliseconds
        occurredAtMilliseconds = stored.occurredAtMilliseconds
        isClientClockSkewed = stored.flags.contains(.clientClockSkewed)
        isStoreClockBehind = stored.flags.contains(.storeClockBehind)
        commandID = stored.commandID
        correlationID = stored.correlationID
        causationPosition = stored.causationPosition
        actor = stored.actor
        piece = stored.encoded.piece.flatMap { Piece(code: $0)?.rawValue }
        captureID = stored.encoded.captureID.map(CaptureID.init)
        source = stored.encoded.source.flatMap { code in CaptureSource.allCases.first { $0.code == code }?.rawValue }
        outcome = stored.encoded.outcome.flatMap { OutcomeCode(rawValue: $0)?.name }
        reason = stored.encoded.reason
        durationMilliseconds = stored.encoded.durationMilliseconds
        facts = stored.encoded.facts
        hasPrivateHalf = stored.sealed != nil
    }

    init(_ row: ReplayRow) {
        position = row.position
        session = row.session
        version = row.version
        eventID = row.eventID
        type = row.type
        schemaVersion = row.schemaVersion
        recordedAtMilliseconds = row.recordedAtMilliseconds
        occurredAtMilliseconds = row.occurredAtMilliseconds
        isClientClockSkewed = row.flags.contains(.clientClockSkewed)
        isStoreClockBehind = row.flags.contains(.storeClockBehind)
        commandID = row.commandID
        correlationID = row.correlationID
        causationPosition = row.causationPosition
        actor = row.actor
        piece = row.piece
        captureID = row.captureID.map(CaptureID.init)
        source = row.source
        outcome = row.outcome
        reason = row.reason
        durationMilliseconds = row.durationMilliseconds
        facts = row.facts
        hasPrivateHalf = row.hasPrivateHalf
    }

    /// A few words for a line of many, such as `passport_front captured (camera)`.
    package var summary: String { EventNames.summary(type: type, piece: piece, source: source, reason: reason) }
}

extension Ledger {
    /// How many transactions have appended.
    package func commitCount() throws(LedgerError) -> Int64 {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.events.commitCount() }
        }
    }

    /// A session's events in order.
    package func timeline(_ id: SessionID) throws(LedgerError) -> [EventView] {
        try read { (context) throws(LedgerError) in
            let events: [StoredEvent]? = try translated { () throws(StorageError) in
                guard let row = try context.events.session(id), row.number != 0 else { return nil }
                return try context.events.events(ofSession: row.number)
            }
            guard let events else { throw .noSession() }
            return events.map { EventView($0, session: id) }
        }
    }

    /// A page of the whole ledger's events, from position `after + 1` on; an empty one is the end. Pages keep snapshots short and
    /// memory constant.
    package func events(after position: Int64, limit: Int = 1000) throws(LedgerError) -> [EventView] {
        var views: [EventView] = []
        _ = try scan(ReplayFilter(), after: position, limit: limit) { views.append(EventView($0)) }
        return views
    }

    /// How many sessions there are, erased ones among them.
    package func sessionCount() throws(LedgerError) -> Int64 {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.events.lastSessionNumber() }
        }
    }

    package func lastPosition() throws(LedgerError) -> Int64 {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.events.lastPosition() }
        }
    }
}
