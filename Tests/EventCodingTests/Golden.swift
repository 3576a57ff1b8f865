import EventCoding
import Foundation
import SessionDomain

/// The golden files: what was once written must be read for ever. A file is added with its version and never edited.
enum Golden {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    static func name(_ event: EncodedEvent) -> String {
        "\(EventType(rawValue: event.type)?.name ?? "unknown").v\(event.schemaVersion).json"
    }

    static func read(_ name: String) throws -> [EncodedEvent] {
        let json = try JSONValue.parse([UInt8](Data(contentsOf: folder.appending(path: name))))
        return try (json.asArray ?? []).map { try event($0) }
    }

    static func text(_ events: [EncodedEvent]) -> String {
        "[\n" + events.map { json($0).canonical }.joined(separator: ",\n") + "\n]\n"
    }

    static func json(_ event: EncodedEvent) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("type", .integer(Int64(event.type))), .init("schema_version", .integer(Int64(event.schemaVersion))),
            .init("facts", .string(event.facts)),
        ]
        if let piece = event.piece { members.append(.init("piece", .integer(Int64(piece)))) }
        if let captureID = event.captureID { members.append(.init("capture_id", .string(captureID.text))) }
        if let source = event.source { members.append(.init("source", .integer(Int64(source)))) }
        if let outcome = event.outcome { members.append(.init("outcome", .integer(Int64(outcome)))) }
        if let reason = event.reason { members.append(.init("reason", .string(reason))) }
        if let duration = event.durationMilliseconds { members.append(.init("duration_ms", .integer(duration))) }
        return .members(members)
    }

    private struct Unreadable: Error {}

    private static func event(_ json: JSONValue) throws -> EncodedEvent {
        guard let type = json["type"]?.asInt, let version = json["schema_version"]?.asInt, let facts = json["facts"]?.asString
        else { throw Unreadable() }
        return EncodedEvent(
            type: type, schemaVersion: version, piece: json["piece"]?.asInt,
            captureID: json["capture_id"]?.asString.flatMap { UUID128($0) }, source: json["source"]?.asInt,
            outcome: json["outcome"]?.asInt, reason: json["reason"]?.asString,
            durationMilliseconds: json["duration_ms"]?.asInteger, facts: facts)
    }
}
