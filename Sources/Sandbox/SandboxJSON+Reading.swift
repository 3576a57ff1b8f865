extension SandboxJSON {
    /// Where and why a text is no JSON.
    package struct Fault: Error, Sendable, Equatable {
        /// Counted from zero, in bytes.
        package let position: Int
        package let reason: String
    }

    /// Reads RFC 8259 strictly: one value, UTF-8, no member twice, at most 64 levels.
    package init(reading bytes: [UInt8]) throws(Fault) {
        var reader = Reader(bytes: bytes)
        reader.skipSpace()
        self = try reader.value(depth: 0)
        reader.skipSpace()
        if reader.position < bytes.count { throw reader.fault("something follows the value") }
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        var next: UInt8? { position < bytes.count ? bytes[position] : nil }

        func fault(_ reason: String) -> Fault { Fault(position: position, reason: reason) }

        mutating func skipSpace() {
            while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
        }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard next == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        mutating func value(depth: Int) throws(Fault) -> SandboxJSON {
            guard depth < 64 else { throw fault("nested too deeply") }
            switch next {
            case UInt8(ascii: "{"): return try object(depth: depth)
            case UInt8(ascii: "["): return try array(depth: depth)
            case UInt8(ascii: "\""): return .string(try string())
            case UInt8(ascii: "t"): return try word("true", .bool(true))
            case UInt8(ascii: "f"): return try word("false", .bool(false))
            case UInt8(ascii: "n"): return try word("null", .null)
            case nil: throw fault("the text ends too early")
            default: return .number(try number())
            }
        }

        mutating func word(_ text: String, _ value: SandboxJSON) throws(Fault) -> SandboxJSON {
            guard bytes[position...].starts(with: text.utf8) else { throw fault("not a JSON value") }
            position += text.utf8.count
            return value
        }

        mutating func object(depth: Int) throws(Fault) -> SandboxJSON {
            position += 1
            var members: [Member] = []
            var names: Set<String> = []
            skipSpace()
            if take("}") { return .object([]) }
            repeat {
                skipSpace()
                guard next == UInt8(ascii: "\"") else { throw fault("a member's name was expected") }
                let start = position
                let name = try string()
                guard names.insert(name).inserted else { throw Fault(position: start, reason: "a member comes twice") }
                skipSpace()
                guard take(":") else { throw fault("a colon was expected") }
                skipSpace()
                members.append(Member(name, try value(depth: depth + 1)))
                skipSpace()
            } while take(",")
            guard take("}") else { throw fault("a comma or a closing brace was expected") }
            return .object(members)
        }

        mutating func array(depth: Int) throws(Fault) -> SandboxJSON {
            position += 1
            var elements: [SandboxJSON] = []
            skipSpace()
            if take("]") { return .array([]) }
            repeat {
                skipSpace()
                elements.append(try value(depth: depth + 1))
                skipSpace()
            } while take(",")
            guard take("]") else { throw fault("a comma or a closing bracket was expected") }
            return .array(elements)
        }

        mutating func number() throws(Fault) -> String {
            let start = position
            func isDigit(_ byte: UInt8?) -> Bool { byte.map { 48...57 ~= $0 } ?? false }
            _ = take("-")
            guard isDigit(next) else { throw fault("not a JSON value") }
            if !take("0") { while isDigit(next) { position += 1 } }
            if take(".") {
                guard isDigit(next) else { throw fault("a digit was expected") }
                while isDigit(next) { position += 1 }
            }
            if take("e") || take("E") {
                if !take("+") { _ = take("-") }
                guard isDigit(next) else { throw fault("a digit was expected") }
                while isDigit(next) { position += 1 }
            }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }

        mutating func string() throws(Fault) -> String {
            position += 1
            var units: [UInt8] = []
            while let byte = next {
                position += 1
                switch byte {
                case UInt8(ascii: "\""):
                    guard let text = String(validating: units, as: UTF8.self) else { throw fault("not UTF-8") }
                    return text
                case UInt8(ascii: "\\"): units.append(contentsOf: try escape())
                case 0..<0x20: throw fault("a control character in a string")
                default: units.append(byte)
                }
            }
            throw fault("the text ends inside a string")
        }

        mutating func escape() throws(Fault) -> [UInt8] {
            guard let byte = next else { throw fault("the text ends inside a string") }
            position += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
            case UInt8(ascii: "b"): return [8]
            case UInt8(ascii: "f"): return [12]
            case UInt8(ascii: "n"): return [10]
            case UInt8(ascii: "r"): return [13]
            case UInt8(ascii: "t"): return [9]
            case UInt8(ascii: "u"):
                var code = try hex()
                if 0xD800..<0xDC00 ~= code {
                    guard take("\\"), take("u") else { throw fault("half of a surrogate pair") }
                    let low = try hex()
                    guard 0xDC00..<0xE000 ~= low else { throw fault("half of a surrogate pair") }
                    code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
                }
                guard let scalar = Unicode.Scalar(code) else { throw fault("half of a surrogate pair") }
                return Array(String(Character(scalar)).utf8)
            default: throw fault("an unknown escape")
            }
        }

        mutating func hex() throws(Fault) -> UInt32 {
            let digits = bytes[position...].prefix(4)
            guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw fault("four hexadecimal digits were expected") }
            position += 4
            return code
        }
    }
}
