import SessionDomain

/// Single values read straight from the text between `start` and `end`; nil for a value of another kind.
enum FactsScalar {
    static func integer(_ units: Span<UInt8>, _ start: Int, _ end: Int) -> Int64? {
        let isNegative = start < end && units[start] == UInt8(ascii: "-")
        var position = isNegative ? start + 1 : start
        guard position < end, units[position] != UInt8(ascii: "0") || end == position + 1 else { return nil }
        var value: Int64 = 0
        while position < end {
            let unit = units[position]
            guard (0x30...0x39).contains(unit) else { return nil }
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let digit = Int64(unit - 0x30)
            let (next, carries) = isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
            if overflow || carries { return nil }
            value = next
            position += 1
        }
        return value
    }

    static func int(_ units: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
        integer(units, start, end).flatMap { Int(exactly: $0) }
    }

    /// Exact: with up to 15 digits the quotient of two whole numbers is the nearest double (Clinger 1990); others go the long way.
    static func double(_ units: Span<UInt8>, _ start: Int, _ end: Int) -> Double? {
        var position = start < end && units[start] == UInt8(ascii: "-") ? start + 1 : start
        let isNegative = position > start
        var (digits, value, fraction): (Int, Int64, Int?) = (0, 0, nil)
        while position < end {
            let unit = units[position]
            if unit == UInt8(ascii: "."), fraction == nil {
                fraction = 0
            } else if (0x30...0x39).contains(unit) {
                value = value * 10 + Int64(unit - 0x30)
                digits += 1
                fraction = fraction.map { $0 + 1 }
            } else {
                return json(units, start, end)?.asDouble
            }
            if digits > 15 { return json(units, start, end)?.asDouble }
            position += 1
        }
        guard digits > 0, fraction != 0 else { return json(units, start, end)?.asDouble }
        let magnitude = fraction.map { Double(value) / powersOfTen[$0] } ?? Double(value)
        return isNegative ? -magnitude : magnitude
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    static func bool(_ units: Span<UInt8>, _ start: Int, _ end: Int) -> Bool? { json(units, start, end)?.asBool }

    static func string(_ units: Span<UInt8>, _ start: Int, _ end: Int) -> String? {
        guard isQuoted(units, start, end) else { return nil }
        for index in start + 1..<end - 1 where units[index] == UInt8(ascii: "\\") { return json(units, start, end)?.asString }
        guard let text = try? UTF8Span(validating: units.extracting(start + 1..<end - 1)) else { return nil }
        return String(copying: text)
    }

    static func digest(_ units: Span<UInt8>, _ start: Int, _ end: Int) -> Digest256? {
        guard end - start == 66, isQuoted(units, start, end) else { return nil }
        return Digest256(hex: units, at: start + 1)
    }

    static func uuid(_ units: Span<UInt8>, _ start: Int, _ end: Int) -> UUID128? {
        guard end - start == 38, isQuoted(units, start, end) else { return nil }
        return UUID128(text: units, at: start + 1)
    }

    /// A value of any kind, read strictly.
    static func json(_ units: Span<UInt8>, _ start: Int, _ end: Int) -> JSONValue? {
        try? JSONValue.parse(units.extracting(start..<end))
    }

    private static func isQuoted(_ units: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
        end - start >= 2 && units[start] == UInt8(ascii: "\"") && units[end - 1] == UInt8(ascii: "\"")
    }
}
