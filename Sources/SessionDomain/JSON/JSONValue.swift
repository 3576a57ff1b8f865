/// A JSON document as a value, always in canonical order, so that equal documents have equal bytes.
package indirect enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// Never holds a whole number that ``integer(_:)`` can hold exactly: build it with ``double(_:)``.
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// Sorted by the UTF-8 bytes of the keys, each key once: build it with ``members(_:)``.
    case object([Member])

    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: JSONValue
        package init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// The whole numbers that a double holds exactly become integers, so that 1 and 1.0 are one value.
    package static func double(_ value: Double) -> JSONValue {
        if let whole = Int64(exactly: value), whole.magnitude <= 1 << 53 { return .integer(whole) }
        return .number(value)
    }

    /// An object of the members in any order; the last of two equal keys wins.
    package static func members(_ members: [Member]) -> JSONValue {
        if isInOrder(members) { return .object(members) }
        var sorted: [Member] = []
        sorted.reserveCapacity(members.count)
        for member in members.enumerated().sorted(by: { Self.order($0.element.key, $1.element.key) ?? ($0.offset < $1.offset) })
        {
            if let last = sorted.last, Self.order(last.key, member.element.key) == nil { sorted.removeLast() }
            sorted.append(member.element)
        }
        return .object(sorted)
    }

    /// Whether `left` comes before `right` by UTF-8 bytes; nil when they are the same bytes.
    static func order(_ left: String, _ right: String) -> Bool? {
        let (first, second) = (left.utf8.count, right.utf8.count)
        let (left, right) = (left.utf8.span, right.utf8.span)
        var index = 0
        while index < min(first, second), left[index] == right[index] { index += 1 }
        if index < min(first, second) { return left[index] < right[index] }
        return first == second ? nil : first < second
    }

    private static func isInOrder(_ members: [Member]) -> Bool {
        for index in members.indices.dropFirst() where order(members[index - 1].key, members[index].key) != true {
            return false
        }
        return true
    }
}

extension JSONValue {
    /// The member's value; nil for another key and for anything but an object.
    package subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        for member in members where member.key == key { return member.value }
        return nil
    }

    package var asString: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    package var asInteger: Int64? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    package var asInt: Int? { asInteger.flatMap { Int(exactly: $0) } }

    package var asDouble: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    package var asBool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    package var asArray: [JSONValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    package var asMembers: [Member]? {
        guard case .object(let members) = self else { return nil }
        return members
    }
}
