package import EventCoding
package import SessionDomain

/// An event on its way into the log. Position and version are given by the writer that appends it.
package struct NewEvent: Sendable {
    package var eventID: UUID128
    package var encoded: EncodedEvent
    /// The client's clock; nil when it gave none or none that can be believed.
    package var occurredAtMilliseconds: Int64?
    package var flags: EventFlags
    package var commandID: String?
    package var correlationID: String?
    package var causationPosition: Int64?
    package var actor: String?
    /// Sealed bytes; nil when there is nothing personal.
    package var sealed: [UInt8]?

    package init(
        eventID: UUID128, encoded: EncodedEvent, occurredAtMilliseconds: Int64?, flags: EventFlags, commandID: String?,
        correlationID: String?, causationPosition: Int64?, actor: String?, sealed: [UInt8]?
    ) {
        self.eventID = eventID
        self.encoded = encoded
        self.occurredAtMilliseconds = occurredAtMilliseconds
        self.flags = flags
        self.commandID = commandID
        self.correlationID = correlationID
        self.causationPosition = causationPosition
        self.actor = actor
        self.sealed = sealed
    }
}

/// What is remarkable about an event's times.
package struct EventFlags: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The client's clock was before 2020 or more than a day ahead: its time was not kept.
    package static let clientClockSkewed = Self(rawValue: 1)
    /// The store's clock stood behind an earlier event: `recorded_at_ms` repeats that event's time.
    package static let storeClockBehind = Self(rawValue: 2)
}

/// An event as it is in the log.
package struct StoredEvent: Sendable {
    package let position: Int64
    package let sessionNumber: Int64
    package let version: Int64
    package let eventID: UUID128
    package let recordedAtMilliseconds: Int64
    package let occurredAtMilliseconds: Int64?
    package let flags: EventFlags
    package let commandID: String?
    package let correlationID: String?
    package let causationPosition: Int64?
    package let actor: String?
    package let encoded: EncodedEvent
    package let sealed: [UInt8]?
}
