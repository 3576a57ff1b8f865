import SessionDomain

extension JSON5Reader {
    /// A string in either kind of quotes; the position stands on the first.
    mutating func string() throws(SettingsProblem) -> String {
        let start = position
        let quote = next
        advance()
        var units: [UInt8] = []
        while let unit = next {
            switch unit {
            case quote:
                advance()
                return String(decoding: units, as: UTF8.self)
            case UInt8(ascii: "\\"):
                advance()
                try escape(into: &units)
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                throw problem("a text is not closed on its line")
            default:
                units.append(unit)
                advance()
            }
        }
        position = start
        throw problem("a text is not closed")
    }

    private mutating func escape(into units: inout [UInt8]) throws(SettingsProblem) {
        guard let unit = next else { throw problem("a text is not closed") }
        advance()
        switch unit {
        case UInt8(ascii: "b"): units.append(0x08)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "v"): units.append(0x0B)
        case UInt8(ascii: "f"): units.append(0x0C)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "0"): units.append(0)
        case UInt8(ascii: "x"): try append(try hexadecimal(2), to: &units)
        case UInt8(ascii: "u"):
            var value = try hexadecimal(4)
            if (0xD800..<0xDC00).contains(value), next == UInt8(ascii: "\\"), next(after: 1) == UInt8(ascii: "u") {
                advance(2)
                let low = try hexadecimal(4)
                guard (0xDC00..<0xE000).contains(low) else { throw problem("an escape is not a character") }
                value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
            }
            try append(value, to: &units)
        case UInt8(ascii: "\r"): if next == UInt8(ascii: "\n") { advance() }
        case UInt8(ascii: "\n"): break
        case UInt8(ascii: "1")...UInt8(ascii: "9"): throw problem("an escape with a digit is not known")
        default: units.append(unit)
        }
    }

    private func append(_ value: UInt32, to units: inout [UInt8]) throws(SettingsProblem) {
        guard let scalar = Unicode.Scalar(value) else { throw problem("an escape is not a character") }
        units.append(contentsOf: String(Character(scalar)).utf8)
    }

    private mutating func hexadecimal(_ count: Int) throws(SettingsProblem) -> UInt32 {
        let start = position
        advance(count)
        guard next(after: -1) != nil, let value = UInt32(text(from: start), radix: 16) else {
            position = start
            throw problem("an escape needs \(count) hexadecimal digits")
        }
        return value
    }

    mutating func number() throws(SettingsProblem) -> JSONValue {
        let start = position
        while let unit = next, Self.belongsToNumber(unit) {
            _ = unit
            advance()
        }
        var text = self.text(from: start)
        let isNegative = text.hasPrefix("-")
        if isNegative || text.hasPrefix("+") { text.removeFirst() }
        let value: JSONValue? =
            if text.hasPrefix("0x") || text.hasPrefix("0X") {
                UInt32(text.dropFirst(2), radix: 16).map { .integer(isNegative ? -Int64($0) : Int64($0)) }
            } else if text.utf8.count > 1, text.hasPrefix("0"),
                text.utf8.dropFirst().first.map({ (0x30...0x39).contains($0) }) == true
            {
                nil
            } else if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
                Int64((isNegative ? "-" : "") + text).map { .integer($0) }
            } else {
                Self.decimal(text).map { .double(isNegative ? -$0 : $0) }
            }
        guard let value else {
            position = start
            throw problem("a number cannot be read")
        }
        return value
    }

    /// `.5` and `5.` are numbers here.
    private static func decimal(_ text: String) -> Double? {
        var text = text
        guard text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
        if text.hasPrefix(".") { text = "0" + text }
        if text.hasSuffix(".") { text += "0" }
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    private static func belongsToNumber(_ unit: UInt8) -> Bool {
        switch unit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
