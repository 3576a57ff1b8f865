import SessionDomain

/// Reads the fields of a stored event, columns and facts, and says which one is missing or wrong.
struct FactsReader {
    let stored: EncodedEvent
    let type: EventType
    /// Today's facts: those stored, upcast where they are older.
    private let facts: String
    private let index: FactsIndex

    init(_ stored: EncodedEvent, type: EventType) throws(CodingFailure) {
        self.stored = stored
        self.type = type
        facts = stored.schemaVersion == type.schemaVersion ? stored.facts : try Self.upcast(stored, type)
        guard let index = FactsIndex(facts) else { throw CodingFailure(.notJSON, type: type.name, field: "") }
        self.index = index
    }

    private static func upcast(_ stored: EncodedEvent, _ type: EventType) throws(CodingFailure) -> String {
        let parsed: JSONValue
        do { parsed = try JSONValue.parse(stored.facts) } catch { throw CodingFailure(.notJSON, type: type.name, field: "") }
        return try Upcaster.current(parsed, of: type, from: stored.schemaVersion).canonical
    }

    func missing(_ field: String) -> CodingFailure { CodingFailure(.fieldMissing, type: type.name, field: field) }
    func invalid(_ field: String) -> CodingFailure { CodingFailure(.fieldInvalid, type: type.name, field: field) }

    /// The field read by `read`, which gets the text and the value's place in it; nil when the field is absent.
    private func scalar<Value>(
        _ field: String, _ read: (Span<UInt8>, Int, Int) -> Value?
    ) throws(CodingFailure) -> Value? {
        let units = facts.utf8.span
        guard let found = index.find(field, in: units) else { return nil }
        guard let value = read(units, Int(found.valueStart), Int(found.valueEnd)) else { throw invalid(field) }
        return value
    }

    private func required<Value>(_ field: String, _ value: Value?) throws(CodingFailure) -> Value {
        guard let value else { throw missing(field) }
        return value
    }

    // values by kind; the plain name insists on the field

    func optionalInteger(_ field: String) throws(CodingFailure) -> Int64? { try scalar(field, FactsScalar.integer) }
    func integer(_ field: String) throws(CodingFailure) -> Int64 { try required(field, try optionalInteger(field)) }
    func optionalInt(_ field: String) throws(CodingFailure) -> Int? { try scalar(field, FactsScalar.int) }
    func int(_ field: String) throws(CodingFailure) -> Int { try required(field, try optionalInt(field)) }
    func flag(_ field: String) throws(CodingFailure) -> Bool { try scalar(field, FactsScalar.bool) ?? false }
    func optionalString(_ field: String) throws(CodingFailure) -> String? { try scalar(field, FactsScalar.string) }
    func string(_ field: String) throws(CodingFailure) -> String { try required(field, try optionalString(field)) }
    func optionalDigest(_ field: String) throws(CodingFailure) -> Digest256? { try scalar(field, FactsScalar.digest) }
    func digest(_ field: String) throws(CodingFailure) -> Digest256 { try required(field, try optionalDigest(field)) }
    func optionalUUID(_ field: String) throws(CodingFailure) -> UUID128? { try scalar(field, FactsScalar.uuid) }
    func uuid(_ field: String) throws(CodingFailure) -> UUID128 { try required(field, try optionalUUID(field)) }

    /// A value of several parts, read through a tree.
    func optional<Value>(_ field: String, _ read: (JSONValue) -> Value?) throws(CodingFailure) -> Value? {
        try scalar(field) { units, start, end in
            FactsScalar.json(units, start, end).flatMap(read)
        }
    }

    func required<Value>(_ field: String, _ read: (JSONValue) -> Value?) throws(CodingFailure) -> Value {
        try required(field, try optional(field, read))
    }

    func name<Name: RawRepresentable<String>>(_ field: String, as type: Name.Type) throws(CodingFailure) -> Name {
        guard let name = Name(rawValue: try string(field)) else { throw invalid(field) }
        return name
    }

    func delivery() throws(CodingFailure) -> DeliveryID { DeliveryID(try uuid("delivery")) }
}
