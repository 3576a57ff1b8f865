import EventStorage
import SessionDomain

/// How a replay writes events down.
package enum ReplayForm: Sendable {
    /// One object a line, its keys in order.
    case jsonLines
    /// RFC 4180, without its header.
    case csv

    /// The line before all others, where the form has one.
    package var header: [UInt8] {
        switch self {
        case .jsonLines: []
        case .csv: Array((Self.columns.joined(separator: ",") + "\r\n").utf8)
        }
    }

    static let columns = [
        "position", "session_id", "version", "event_id", "type", "schema_version", "recorded_at_ms", "recorded_at",
        "occurred_at_ms", "client_clock_skewed", "command_id", "correlation_id", "causation_position", "actor", "piece",
        "capture_id", "source", "outcome", "reason", "duration_ms", "has_private_half", "facts",
    ]
}

extension JSONWriter {
    /// The object that `EventView` gives as JSON, written without building it first.
    mutating func line(_ row: ReplayRow) {
        let (type, piece, source, reason) = (row.type, row.piece, row.source, row.reason)
        bytes.append(UInt8(ascii: "{"))
        member("actor", row.actor)
        if let capture = row.captureID { member("capture_id", capture) }
        member("causation_position", row.causationPosition)
        if row.flags.contains(.clientClockSkewed) { member("client_clock_skewed", isSo: true) }
        member("command_id", row.commandID)
        member("correlation_id", row.correlationID)
        member("duration_ms", row.durationMilliseconds)
        member("event_id", row.eventID)
        key("facts")
        json(row.facts)
        member("has_private_half", isSo: row.hasPrivateHalf)
        key("occurred_at_ms")
        if let time = row.occurredAtMilliseconds { write(time) } else { bytes.append(contentsOf: "null".utf8) }
        member("outcome", row.outcome)
        member("piece", piece)
        member("position", row.position)
        member("reason", reason)
        member("recorded_at_ms", row.recordedAtMilliseconds)
        member("schema_version", Int64(row.schemaVersion))
        member("session_id", row.session.uuid)
        member("source", source)
        if row.flags.contains(.storeClockBehind) { member("store_clock_behind", isSo: true) }
        member("summary", EventNames.summary(type: type, piece: piece, source: source, reason: reason))
        member("type", type)
        member("version", row.version)
        bytes.append(UInt8(ascii: "}"))
        bytes.append(0x0A)
    }

    private mutating func key(_ name: StaticString) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.description.utf8)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        key(name)
        write(text)
    }

    private mutating func member(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        key(name)
        write(value)
    }

    private mutating func member(_ name: StaticString, _ value: UUID128) {
        key(name)
        write(value)
    }

    private mutating func member(_ name: StaticString, isSo: Bool) {
        key(name)
        bytes.append(contentsOf: (isSo ? "true" : "false").utf8)
    }

    /// Facts are canonical JSON and stand as they are; altered ones become a string, so that the line stays one object.
    private mutating func json(_ facts: String) {
        if Self.looksWhole(facts.utf8) { bytes.append(contentsOf: facts.utf8) } else { write(facts) }
    }

    /// An object whose brackets and quotes match, on one line.
    private static func looksWhole(_ text: String.UTF8View) -> Bool {
        var (depth, isInString, isEscaped, isOver) = (0, false, false, false)
        for unit in text {
            if isOver || unit < 0x20 { return false }
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if unit == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if unit == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch unit {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                isOver = depth == 0
            default: break
            }
            if depth <= 0, !isOver { return false }
        }
        return isOver && text.first == UInt8(ascii: "{")
    }
}
