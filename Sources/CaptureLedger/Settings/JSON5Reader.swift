import SessionDomain

/// Reads one JSON5 document (json5.org): comments, trailing commas, bare keys, single quotes, hexadecimal numbers.
///
/// Stricter in two things: a key may appear once, and `Infinity` and `NaN` are refused.
struct JSON5Reader {
    static let depthLimit = 32
    static let byteLimit = 1 << 20

    private let bytes: [UInt8]
    var position = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func read(_ bytes: [UInt8]) throws(SettingsProblem) -> JSONValue {
        guard bytes.count <= byteLimit else {
            throw SettingsProblem(
                .notJSON5, at: "", "The settings file is larger than 1 MiB.",
                remedy: "Settings are a page of text; was another file named?")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw SettingsProblem(.notJSON5, at: "", "The settings file is not UTF-8 text.", remedy: "Save it as UTF-8.")
        }
        var reader = JSON5Reader(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes)
        let value = try reader.value(depth: 0)
        try reader.skip()
        guard reader.next == nil else { throw reader.problem("something follows the end of the object") }
        return value
    }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }
    func next(after offset: Int) -> UInt8? { position + offset < bytes.count ? bytes[position + offset] : nil }
    mutating func advance(_ count: Int = 1) { position += count }
    func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

    /// Line and column, counted from 1, so that an editor can go there.
    func problem(_ reason: String) -> SettingsProblem {
        let before = bytes.prefix(min(position, bytes.count))
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1)
        return SettingsProblem(
            .notJSON5, at: "", "The settings cannot be read at line \(line), column \(column): \(reason).",
            remedy: "Correct that place; the file is JSON5, so comments and trailing commas are fine.")
    }

    /// Passes white space and comments.
    mutating func skip() throws(SettingsProblem) {
        while let unit = next {
            switch unit {
            case 0x20, 0x09...0x0D: advance()
            case 0xC2 where next(after: 1) == 0xA0: advance(2)
            case UInt8(ascii: "/") where next(after: 1) == UInt8(ascii: "/"):
                while let unit = next, unit != UInt8(ascii: "\n") {
                    _ = unit
                    advance()
                }
            case UInt8(ascii: "/") where next(after: 1) == UInt8(ascii: "*"):
                let start = position
                advance(2)
                while next != UInt8(ascii: "*") || next(after: 1) != UInt8(ascii: "/") {
                    if next == nil {
                        position = start
                        throw problem("a comment is not closed")
                    }
                    advance()
                }
                advance(2)
            default: return
            }
        }
    }

    private mutating func value(depth: Int) throws(SettingsProblem) -> JSONValue {
        try skip()
        guard let unit = next else { throw problem("the text ends where a value should be") }
        switch unit {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string())
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."): return try number()
        default:
            let start = position
            switch identifier() {
            case "true": return .bool(true)
            case "false": return .bool(false)
            case "null": return .null
            default:
                position = start
                throw problem("a value was expected; text stands in quotes")
            }
        }
    }

    private mutating func object(depth: Int) throws(SettingsProblem) -> JSONValue {
        guard depth <= Self.depthLimit else { throw problem("values are nested too deep") }
        advance()
        var members: [JSONValue.Member] = []
        while true {
            try skip()
            if next == UInt8(ascii: "}") { break }
            let start = position
            let key = next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") ? try string() : identifier()
            guard !key.isEmpty else { throw problem(next == nil ? "an object is not closed" : "a setting's name was expected") }
            if members.contains(where: { $0.key == key }) {
                position = start
                throw problem("this setting is given twice in one object")
            }
            try skip()
            guard next == UInt8(ascii: ":") else { throw problem("a colon was expected") }
            advance()
            members.append(.init(key, try value(depth: depth)))
            if try !comma(before: UInt8(ascii: "}")) { break }
        }
        advance()
        return .members(members)
    }

    private mutating func array(depth: Int) throws(SettingsProblem) -> JSONValue {
        guard depth <= Self.depthLimit else { throw problem("values are nested too deep") }
        advance()
        var values: [JSONValue] = []
        while true {
            try skip()
            if next == UInt8(ascii: "]") { break }
            values.append(try value(depth: depth))
            if try !comma(before: UInt8(ascii: "]")) { break }
        }
        advance()
        return .array(values)
    }

    /// Whether a comma stands here; stops before `end`.
    private mutating func comma(before end: UInt8) throws(SettingsProblem) -> Bool {
        try skip()
        if next == UInt8(ascii: ",") {
            advance()
            return true
        }
        guard next == end else {
            throw problem("a comma or \(end == UInt8(ascii: "}") ? "}" : "]") was expected")
        }
        return false
    }

    private mutating func identifier() -> String {
        let start = position
        while let unit = next {
            switch unit {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
                UInt8(ascii: "$"):
                advance()
            case UInt8(ascii: "0")...UInt8(ascii: "9") where position > start: advance()
            default: return text(from: start)
            }
        }
        return text(from: start)
    }
}
