extension JSONValue {
    /// Nesting beyond this is refused, so that a hostile document cannot exhaust the stack.
    package static let depthLimit = 64

    /// Reads one strict RFC 8259 document: valid UTF-8, each key once, numbers that can be kept exactly.
    ///
    /// - Parameter limit: the longest document accepted, in bytes.
    /// - Throws: ``JSONProblem`` with the byte at which reading stopped.
    package static func parse(_ bytes: [UInt8], limit: Int = 16 << 20) throws(JSONProblem) -> JSONValue {
        guard bytes.count <= limit else { throw JSONProblem(.tooLarge, at: limit) }
        var reader = JSONReader(position: 0)
        return try reader.document(bytes.span)
    }

    package static func parse(_ text: String, limit: Int = 16 << 20) throws(JSONProblem) -> JSONValue {
        guard text.utf8.count <= limit else { throw JSONProblem(.tooLarge, at: limit) }
        var reader = JSONReader(position: 0)
        return try reader.document(text.utf8.span)
    }

    package static func parse(_ bytes: Span<UInt8>) throws(JSONProblem) -> JSONValue {
        var reader = JSONReader(position: 0)
        return try reader.document(bytes)
    }
}

/// The place reached in a document; the bytes are passed to every step.
struct JSONReader {
    var position: Int

    mutating func document(_ bytes: Span<UInt8>) throws(JSONProblem) -> JSONValue {
        let value = try value(bytes, depth: 0)
        skipSpace(bytes)
        guard position == bytes.count else { throw JSONProblem(.trailingCharacters, at: position) }
        return value
    }

    private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(JSONProblem) -> JSONValue {
        skipSpace(bytes)
        switch try peek(bytes) {
        case UInt8(ascii: "{"): return try object(bytes, depth: depth + 1)
        case UInt8(ascii: "["): return try array(bytes, depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string(bytes))
        case UInt8(ascii: "t"): return try word(bytes, "true", .bool(true))
        case UInt8(ascii: "f"): return try word(bytes, "false", .bool(false))
        case UInt8(ascii: "n"): return try word(bytes, "null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(bytes)
        default: throw JSONProblem(.unexpectedCharacter, at: position)
        }
    }

    private mutating func object(_ bytes: Span<UInt8>, depth: Int) throws(JSONProblem) -> JSONValue {
        guard depth <= JSONValue.depthLimit else { throw JSONProblem(.tooDeep, at: position) }
        position += 1
        skipSpace(bytes)
        if try peek(bytes) == UInt8(ascii: "}") {
            position += 1
            return .object([])
        }
        var members: [JSONValue.Member] = []
        var isSorted = true
        while true {
            skipSpace(bytes)
            let start = position
            guard try peek(bytes) == UInt8(ascii: "\"") else { throw JSONProblem(.unexpectedCharacter, at: position) }
            let key = try string(bytes)
            if isSorted, let last = members.last {
                guard let inOrder = JSONValue.order(last.key, key) else { throw JSONProblem(.duplicateKey, at: start) }
                isSorted = inOrder
            }
            skipSpace(bytes)
            guard try peek(bytes) == UInt8(ascii: ":") else { throw JSONProblem(.unexpectedCharacter, at: position) }
            position += 1
            members.append(.init(key, try value(bytes, depth: depth)))
            skipSpace(bytes)
            let next = try peek(bytes)
            position += 1
            if next == UInt8(ascii: ",") { continue }
            guard next == UInt8(ascii: "}") else { throw JSONProblem(.unexpectedCharacter, at: position - 1) }
            break
        }
        if isSorted { return .object(members) }
        guard case .object(let sorted) = JSONValue.members(members), sorted.count == members.count else {
            throw JSONProblem(.duplicateKey, at: position - 1)
        }
        return .object(sorted)
    }

    private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws(JSONProblem) -> JSONValue {
        guard depth <= JSONValue.depthLimit else { throw JSONProblem(.tooDeep, at: position) }
        position += 1
        skipSpace(bytes)
        if try peek(bytes) == UInt8(ascii: "]") {
            position += 1
            return .array([])
        }
        var values: [JSONValue] = []
        while true {
            values.append(try value(bytes, depth: depth))
            skipSpace(bytes)
            let next = try peek(bytes)
            position += 1
            if next == UInt8(ascii: ",") { continue }
            guard next == UInt8(ascii: "]") else { throw JSONProblem(.unexpectedCharacter, at: position - 1) }
            return .array(values)
        }
    }

    private mutating func word(_ bytes: Span<UInt8>, _ text: StaticString, _ value: JSONValue) throws(JSONProblem) -> JSONValue
    {
        for unit in text.description.utf8 {
            guard try peek(bytes) == unit else { throw JSONProblem(.unexpectedCharacter, at: position) }
            position += 1
        }
        return value
    }

    func peek(_ bytes: Span<UInt8>) throws(JSONProblem) -> UInt8 {
        guard position < bytes.count else { throw JSONProblem(.unexpectedEnd, at: position) }
        return bytes[position]
    }

    private mutating func skipSpace(_ bytes: Span<UInt8>) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }
}
