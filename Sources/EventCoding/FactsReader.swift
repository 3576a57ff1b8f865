import SessionDomain

/// Reads the fields of a stored event, columns and facts, and says which one is missing or wrong.
struct FactsReader {
    let stored: EncodedEvent
    let type: EventType
    private let facts: JSONValue

    init(_ stored: EncodedEvent, type: EventType) throws(CodingFailure) {
        self.stored = stored
        self.type = type
        if stored.facts == "{}", stored.schemaVersion == type.schemaVersion {
            facts = .object([])
        } else {
            let parsed: JSONValue
            do { parsed = try JSONValue.parse(stored.facts) } catch {
                throw CodingFailure(.notJSON, type: type.name, field: "")
            }
            facts = try Upcaster.current(parsed, of: type, from: stored.schemaVersion)
        }
        guard case .object = facts else { throw CodingFailure(.notJSON, type: type.name, field: "") }
    }

    func missing(_ field: StaticString) -> CodingFailure {
        CodingFailure(.fieldMissing, type: type.name, field: field.description)
    }

    func invalid(_ field: StaticString) -> CodingFailure {
        CodingFailure(.fieldInvalid, type: type.name, field: field.description)
    }

    func json(_ field: StaticString) -> JSONValue? { facts[field.description] }

    /// The field read by `read`; nil when it is absent.
    func optional<Value>(_ field: StaticString, _ read: (JSONValue) -> Value?) throws(CodingFailure) -> Value? {
        guard let json = json(field) else { return nil }
        guard let value = read(json) else { throw invalid(field) }
        return value
    }

    func required<Value>(_ field: StaticString, _ read: (JSONValue) -> Value?) throws(CodingFailure) -> Value {
        guard let value = try optional(field, read) else { throw missing(field) }
        return value
    }

    func flag(_ field: StaticString) throws(CodingFailure) -> Bool { try optional(field) { $0.asBool } ?? false }
    func milliseconds(_ field: StaticString) throws(CodingFailure) -> Int64 { try required(field) { $0.asInteger } }
    func int(_ field: StaticString) throws(CodingFailure) -> Int { try required(field) { $0.asInt } }
    func string(_ field: StaticString) throws(CodingFailure) -> String { try required(field) { $0.asString } }
    func digest(_ field: StaticString) throws(CodingFailure) -> Digest256 { try required(field) { Self.digest($0) } }
    func delivery() throws(CodingFailure) -> DeliveryID {
        try required("delivery") { $0.asString.flatMap { DeliveryID($0) } }
    }

    static func digest(_ json: JSONValue) -> Digest256? { json.asString.flatMap { Digest256(hex: $0) } }

    // columns

    func piece() throws(CodingFailure) -> Piece {
        guard let code = stored.piece else { throw missing("piece") }
        guard let piece = Piece(code: code) else { throw invalid("piece") }
        return piece
    }

    func captureID() throws(CodingFailure) -> CaptureID {
        guard let uuid = stored.captureID else { throw missing("capture_id") }
        return CaptureID(uuid)
    }

    func source() throws(CodingFailure) -> CaptureSource {
        guard let code = stored.source else { throw missing("source") }
        guard let source = CaptureSource(code: code) else { throw invalid("source") }
        return source
    }

    func reason() throws(CodingFailure) -> String {
        guard let reason = stored.reason else { throw missing("reason") }
        return reason
    }

    func reason<Name: RawRepresentable<String>>(as name: Name.Type) throws(CodingFailure) -> Name {
        guard let value = Name(rawValue: try reason()) else { throw invalid("reason") }
        return value
    }

    func duration() throws(CodingFailure) -> Int64 {
        guard let duration = stored.durationMilliseconds else { throw missing("duration_ms") }
        return duration
    }
}
