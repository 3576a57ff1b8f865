import CaptureLedger
import SessionDomain

extension EventView {
    var json: JSONValue {
        let object: JSONValue = [
            "position": .integer(position), "session_id": .string(session.text), "version": .integer(version),
            "event_id": .string(eventID.text), "type": .string(type), "schema_version": .whole(schemaVersion),
            "recorded_at_ms": .integer(recordedAtMilliseconds), "occurred_at_ms": .whole(occurredAtMilliseconds),
            "summary": .string(summary), "facts": factsJSON, "has_private_half": .bool(hasPrivateHalf),
        ]
        return object.adding("command_id", commandID.map { .string($0) }).adding("actor", actor.map { .string($0) })
            .adding("correlation_id", correlationID.map { .string($0) })
            .adding("causation_position", causationPosition.map { .integer($0) }).adding("piece", piece.map { .string($0) })
            .adding("capture_id", captureID.map { .string($0.text) }).adding("source", source.map { .string($0) })
            .adding("outcome", outcome.map { .string($0) }).adding("reason", reason.map { .string($0) })
            .adding("duration_ms", durationMilliseconds.map { .integer($0) })
            .adding("client_clock_skewed", isClientClockSkewed ? true : nil)
    }

    private var factsJSON: JSONValue { (try? JSONValue.parse(facts)) ?? .string(facts) }

    /// One line for a person, such as `passport_front captured (camera)`.
    var summary: String {
        let what = type.hasPrefix("piece_") && piece != nil ? String(type.dropFirst(6)) : type
        var words = [piece.flatMap { type.hasPrefix($0) ? nil : $0 }, Words.plain(what)].compactMap { $0 }
        let more = [source, reason.map { Words.plain($0) }].compactMap { $0 }
        if !more.isEmpty { words.append("(\(more.joined(separator: ", ")))") }
        return words.joined(separator: " ")
    }

    var row: [String] { [String(position), "v\(version)", Words.time(recordedAtMilliseconds), summary] }
}
