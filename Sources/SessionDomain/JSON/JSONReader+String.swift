extension JSONReader {
    /// A string; the position stands on its opening quote.
    mutating func string(_ bytes: Span<UInt8>) throws(JSONProblem) -> String {
        let start = position
        position += 1
        var units: [UInt8] = []
        while true {
            let unit = try peek(bytes)
            position += 1
            switch unit {
            case UInt8(ascii: "\""):
                guard let text = String(validating: units, as: UTF8.self) else { throw JSONProblem(.invalidUTF8, at: start) }
                return text
            case UInt8(ascii: "\\"): try escape(bytes, into: &units)
            case 0..<0x20: throw JSONProblem(.controlCharacter, at: position - 1)
            default: units.append(unit)
            }
        }
    }

    private mutating func escape(_ bytes: Span<UInt8>, into units: inout [UInt8]) throws(JSONProblem) {
        let unit = try peek(bytes)
        position += 1
        switch unit {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(unit)
        case UInt8(ascii: "b"): units.append(0x08)
        case UInt8(ascii: "f"): units.append(0x0C)
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "u"): try unicode(bytes, into: &units)
        default: throw JSONProblem(.invalidEscape, at: position - 2)
        }
    }

    private mutating func unicode(_ bytes: Span<UInt8>, into units: inout [UInt8]) throws(JSONProblem) {
        let start = position - 2
        var value = try hexadecimal(bytes, start: start)
        if (0xD800..<0xDC00).contains(value) {
            guard try peek(bytes) == UInt8(ascii: "\\") else { throw JSONProblem(.invalidEscape, at: start) }
            position += 1
            guard try peek(bytes) == UInt8(ascii: "u") else { throw JSONProblem(.invalidEscape, at: start) }
            position += 1
            let low = try hexadecimal(bytes, start: start)
            guard (0xDC00..<0xE000).contains(low) else { throw JSONProblem(.invalidEscape, at: start) }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw JSONProblem(.invalidEscape, at: start) }
        units.append(contentsOf: String(Character(scalar)).utf8)
    }

    private mutating func hexadecimal(_ bytes: Span<UInt8>, start: Int) throws(JSONProblem) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Digest256.nibble(try peek(bytes)) else { throw JSONProblem(.invalidEscape, at: start) }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
