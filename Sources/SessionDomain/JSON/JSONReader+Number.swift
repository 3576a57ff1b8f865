extension JSONReader {
    /// A number that can be kept: a whole one within 64 bits, or one of at most 17 significant digits within a double's range.
    mutating func number(_ bytes: Span<UInt8>) throws(JSONProblem) -> JSONValue {
        let start = position
        var units: [UInt8] = []
        var isWhole = true
        if bytes[position] == UInt8(ascii: "-") { take(bytes, into: &units) }
        let integerStart = units.count
        guard digits(bytes, into: &units) > 0 else { throw JSONProblem(.invalidNumber, at: start) }
        if units[integerStart] == UInt8(ascii: "0"), units.count > integerStart + 1 {
            throw JSONProblem(.invalidNumber, at: start)
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            isWhole = false
            take(bytes, into: &units)
            guard digits(bytes, into: &units) > 0 else { throw JSONProblem(.invalidNumber, at: start) }
        }
        let mantissa = units
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            take(bytes, into: &units)
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                take(bytes, into: &units)
            }
            guard digits(bytes, into: &units) > 0 else { throw JSONProblem(.invalidNumber, at: start) }
        }
        let text = String(decoding: units, as: UTF8.self)
        if isWhole {
            guard let value = Int64(text) else { throw JSONProblem(.inexactNumber, at: start) }
            return .integer(value)
        }
        let significant = Self.significantDigits(mantissa)
        guard significant <= 17, let value = Double(text), value.isFinite, significant == 0 || value != 0 else {
            throw JSONProblem(.inexactNumber, at: start)
        }
        return .double(value)
    }

    private mutating func take(_ bytes: Span<UInt8>, into units: inout [UInt8]) {
        units.append(bytes[position])
        position += 1
    }

    private mutating func digits(_ bytes: Span<UInt8>, into units: inout [UInt8]) -> Int {
        var count = 0
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
            take(bytes, into: &units)
            count += 1
        }
        return count
    }

    private static func significantDigits(_ mantissa: [UInt8]) -> Int {
        let digits = mantissa.filter { (0x30...0x39).contains($0) }
        guard let first = digits.firstIndex(where: { $0 != 0x30 }), let last = digits.lastIndex(where: { $0 != 0x30 }) else {
            return 0
        }
        return last - first + 1
    }
}
