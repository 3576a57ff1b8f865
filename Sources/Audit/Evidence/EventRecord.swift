package import Cryptography
package import EventCoding
package import SessionDomain

/// A stored event as its canonical bytes give it: what is exported about it is made from the bytes that its proof is about.
package struct EventRecord: Sendable {
    static let columns = 21

    package let row: [UInt8]
    package let position: Int64
    /// The ledger's own id for an event of its stream.
    package let session: UUID128
    package let version: Int64
    package let eventID: UUID128
    package let typeCode: Int
    package let recordedAtMilliseconds: Int64
    package let occurredAtMilliseconds: Int64?
    package let actor: String?
    package let pieceCode: Int?
    package let captureID: UUID128?
    package let sourceCode: Int?
    package let outcomeCode: Int?
    package let reason: String?
    package let durationMilliseconds: Int64?
    package let facts: JSONValue
    /// The private half as it is stored.
    package let sealed: [UInt8]?
    private let cells: CanonicalRow

    /// nil when the bytes are no event's.
    package init?(row: [UInt8]) {
        guard let cells = CanonicalRow(row, columns: Self.columns), let position = cells.integer(0),
            let session = cells.blob(1).flatMap({ UUID128(bytes: $0) }), let version = cells.integer(2),
            let eventID = cells.blob(3).flatMap({ UUID128(bytes: $0) }), let type = cells.integer(4),
            let recorded = cells.integer(6), let text = cells.text(19), let facts = try? JSONValue.parse(text)
        else { return nil }
        self.row = row
        self.cells = cells
        self.position = position
        self.session = session
        self.version = version
        self.eventID = eventID
        typeCode = Int(clamping: type)
        recordedAtMilliseconds = recorded
        occurredAtMilliseconds = cells.integer(7)
        actor = cells.text(12)
        pieceCode = cells.integer(13).map { Int(clamping: $0) }
        captureID = cells.blob(14).flatMap { UUID128(bytes: $0) }
        sourceCode = cells.integer(15).map { Int(clamping: $0) }
        outcomeCode = cells.integer(16).map { Int(clamping: $0) }
        reason = cells.text(17)
        durationMilliseconds = cells.integer(18)
        self.facts = facts
        sealed = cells.blob(20)
    }

    package var type: EventType? { EventType(rawValue: typeCode) }
    package var typeName: String { type?.name ?? String(typeCode) }
    package var piece: Piece? { pieceCode.flatMap { Piece(code: $0) } }
    package var sourceName: String? {
        sourceCode.map { code in CaptureSource.allCases.first { $0.code == code }?.rawValue ?? String(code) }
    }
    package var outcomeName: String? { outcomeCode.map { OutcomeCode(rawValue: $0)?.name ?? String($0) } }

    /// The leaf hash of RFC 6962 §2.1.
    package var leaf: Digest {
        var hash = SHA256()
        return hash.digest(prefix: 0, row.span)
    }

    /// Every column but the private half, with its codes spelled out.
    package var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("position", .integer(position)), .init("session_id", .string(session.text)),
            .init("version", .integer(version)), .init("event_id", .string(eventID.text)), .init("type", .string(typeName)),
            .init("type_code", .integer(Int64(typeCode))),
            .init("schema_version", cells.integer(5).map { .integer($0) } ?? .null),
            .init("recorded_at_ms", .integer(recordedAtMilliseconds)),
            .init("flags", cells.integer(8).map { .integer($0) } ?? .null), .init("facts", facts),
        ]
        func add(_ name: String, _ value: JSONValue?) { if let value { members.append(.init(name, value)) } }
        add("occurred_at_ms", occurredAtMilliseconds.map { .integer($0) })
        add("command_id", cells.text(9).map { .string($0) })
        add("correlation_id", cells.text(10).map { .string($0) })
        add("causation_position", cells.integer(11).map { .integer($0) })
        add("actor", actor.map { .string($0) })
        add("piece", pieceCode.map { .string(piece?.rawValue ?? String($0)) })
        add("capture_id", captureID.map { .string($0.text) })
        add("source", sourceName.map { .string($0) })
        add("outcome", outcomeName.map { .string($0) })
        add("reason", reason.map { .string($0) })
        add("duration_ms", durationMilliseconds.map { .integer($0) })
        return .members(members)
    }
}
