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
            .adding("store_clock_behind", isStoreClockBehind ? true : nil)
    }

    private var factsJSON: JSONValue { (try? JSONValue.parse(facts)) ?? .string(facts) }

    var row: [String] { [String(position), "v\(version)", Words.time(recordedAtMilliseconds), summary] }
}

extension TimelineStep {
    var json: JSONValue {
        event.json.replacing("summary", .string(sentence))
            .adding("elapsed_ms", elapsedMilliseconds.map { .integer($0) }).adding("refused", isRefusal ? true : nil)
            .adding("late", isLate ? true : nil)
            .adding("superseded_by_version", supersededByVersion.map { .integer($0) })
            .adding("clock_difference_ms", clockDifferenceMilliseconds.map { .integer($0) })
    }

    /// Version, when, how long after the one before, what happened with what is remarkable about it.
    var row: [String] {
        ["v\(event.version)", Words.preciseTime(event.recordedAtMilliseconds), elapsed, mark, sentence + remarks]
    }

    private var elapsed: String { elapsedMilliseconds.map { "+" + Words.duration($0) } ?? "" }

    /// Where something was not accepted, the eye finds it.
    private var mark: String { isLate ? "late" : isRefusal ? "refused" : supersededByVersion == nil ? "" : "replaced" }

    private var remarks: String {
        var notes: [String] = []
        if let version = supersededByVersion { notes.append("replaced by v\(version)") }
        if event.isClientClockSkewed {
            notes.append("the client's clock could not be believed")
        } else if let difference = clockDifferenceMilliseconds, abs(difference) >= 1_000 {
            let side = difference < 0 ? "earlier" : "later"
            notes.append("by the client's clock \(Words.duration(abs(difference))) \(side)")
        }
        if event.isStoreClockBehind { notes.append("the store's clock stood behind") }
        return notes.isEmpty ? "" : " [\(notes.joined(separator: "; "))]"
    }
}
