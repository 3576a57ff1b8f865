package import SessionDomain

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral
{
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .members(elements.map { Member($0.0, $0.1) })
    }

    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    static func whole(_ value: some BinaryInteger) -> JSONValue { .integer(Int64(clamping: value)) }
    static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    static func whole(_ value: Int64?) -> JSONValue { value.map { .integer($0) } ?? .null }

    /// The same object with one more member, unless it is nil.
    func adding(_ key: String, _ value: JSONValue?) -> JSONValue {
        guard let value, case .object(let members) = self else { return self }
        return .members(members + [Member(key, value)])
    }

    /// The same object with another value for a member that it has.
    func replacing(_ key: String, _ value: JSONValue) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .members(members.map { $0.key == key ? Member(key, value) : $0 })
    }
}
