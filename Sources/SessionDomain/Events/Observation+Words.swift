extension Observation {
    /// An observation as a person or another program writes it: a kind and fields such as `circle_index=2`.
    ///
    /// - Throws: ``Rejection/unknownObservation(suggestion:)``, or ``Rejection/observationFields(kind:fields:)`` for a field that is
    ///   missing, wrong, given twice or not one of the kind's own.
    package init(kind: String, fields: [(name: String, value: String)]) throws(Rejection) {
        let names = Self.kinds.map(\.name)
        guard let known = Self.kinds.first(where: { $0.name == kind }) else {
            throw .unknownObservation(suggestion: Spelling.nearest(to: kind, in: names))
        }
        let isTwice = fields.enumerated().contains { index, field in fields[..<index].contains { $0.name == field.name } }
        let members = fields.map { JSONValue.Member($0.name, Self.value($0.value)) }
        guard !isTwice, !fields.contains(where: { $0.name == "kind" }),
            let observation = Observation(json: .members(members + [.init("kind", .string(kind))]))
        else { throw .observationFields(kind: kind, fields: known.fields) }
        self = observation
    }

    private static func value(_ text: String) -> JSONValue {
        switch text {
        case "true": .bool(true)
        case "false": .bool(false)
        default: Int64(text).map { .integer($0) } ?? .string(text)
        }
    }
}
