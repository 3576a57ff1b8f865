package import SessionDomain

/// One of the six events, as an export hands it to a reporter.
package struct ReportedEvent: Sendable, Hashable {
    /// The same at every repetition, so that a reporter can leave out what it has.
    package let id: String
    package let name: String
    package let position: Int64
    package let recordedAtMilliseconds: Int64
    /// `session_id`, `host_context` and what the event has; a parameter that is missing is left out (S31).
    package let parameters: JSONValue

    package var json: JSONValue {
        .members([
            .init("event_id", .string(id)), .init("name", .string(name)), .init("position", .integer(position)),
            .init("recorded_at_ms", .integer(recordedAtMilliseconds)), .init("parameters", parameters),
        ])
    }
}

extension ReportedEvent {
    /// nil for an event that is not told to reporters.
    init?(_ event: AnalyticsEvent) {
        guard let (name, parameters) = event.report else { return nil }
        id = event.eventID
        self.name = name
        position = event.position
        recordedAtMilliseconds = event.recordedAtMilliseconds
        self.parameters = .members(
            parameters.compactMap { key, value in
                switch value {
                case let text as String: .init(key, .string(text))
                case let number as Int: .init(key, .integer(Int64(number)))
                case let number as Int64: .init(key, .integer(number))
                case let number as Double: .init(key, .double(number))
                default: nil
                }
            })
    }
}

/// What goes to a reporter at once.
package struct ReportedBatch: Sendable {
    package let ledgerID: UUID128
    /// Changes when the ledger is restored from a backup: positions after that are numbered anew.
    package let epoch: UUID128
    /// At least one, rising by position.
    package let events: [ReportedEvent]

    /// One event a line.
    package var lines: [UInt8] {
        var writer = JSONWriter()
        for event in events {
            writer.write(event.json)
            writer.bytes.append(0x0A)
        }
        return writer.bytes
    }

    /// One document with all of them.
    package var json: JSONValue {
        .members([
            .init("format", .string("capture-ledger analytics v1")), .init("ledger_id", .string(ledgerID.text)),
            .init("epoch", .string(epoch.text)), .init("events", .array(events.map(\.json))),
        ])
    }
}
