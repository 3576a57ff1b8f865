/// A JSON value that keeps what it was given: members in their order, numbers as they were written.
package enum SandboxJSON: Sendable, Equatable {
    case null
    case bool(Bool)
    /// The number's own text, so that no digit is lost.
    case number(String)
    case string(String)
    case array([SandboxJSON])
    case object([Member])

    package struct Member: Sendable, Equatable {
        package let name: String
        package let value: SandboxJSON

        package init(_ name: String, _ value: SandboxJSON) {
            self.name = name
            self.value = value
        }
    }

    package subscript(name: String) -> SandboxJSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    package var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    package var integer: Int? {
        guard case .number(let digits) = self else { return nil }
        return Int(digits)
    }

    package static func integer(_ value: Int) -> SandboxJSON { .number(String(value)) }

    package static func optional(_ value: String?) -> SandboxJSON { value.map { .string($0) } ?? .null }
}

extension SandboxJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: SandboxJSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, SandboxJSON)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
