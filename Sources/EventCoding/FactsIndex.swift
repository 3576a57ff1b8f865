import SessionDomain

/// Where the members of a flat canonical object lie in its text: found in one pass, read on demand, so that replaying builds no
/// tree and no string that nobody asked for.
struct FactsIndex {
    struct Field {
        /// Of the key, without its quotes.
        let keyStart: Int32, keyEnd: Int32
        /// Of the value, quotes and brackets included.
        let valueStart: Int32, valueEnd: Int32
    }

    private(set) var fields: [Field] = []

    /// nil when `text` is not one object whose keys are plain, in the order of their bytes and each there once.
    init?(_ text: String) {
        let units = text.utf8.span
        guard units.count >= 2, units.count < Int(Int32.max), units[0] == UInt8(ascii: "{") else { return nil }
        if units.count == 2, units[1] == UInt8(ascii: "}") { return }
        fields.reserveCapacity(16)
        var position = 1
        while true {
            let keyStart = position + 1
            guard let keyEnd = Self.endOfString(units, at: position) else { return nil }
            guard keyEnd < units.count, units[keyEnd] == UInt8(ascii: ":") else { return nil }
            let valueStart = keyEnd + 1
            guard let valueEnd = Self.endOfValue(units, at: valueStart), valueEnd < units.count else { return nil }
            let field = Field(
                keyStart: Int32(keyStart), keyEnd: Int32(keyEnd - 1), valueStart: Int32(valueStart), valueEnd: Int32(valueEnd))
            if let last = fields.last, !Self.isAscending(units, last, field) { return nil }
            fields.append(field)
            position = valueEnd + 1
            if units[valueEnd] == UInt8(ascii: ",") { continue }
            guard units[valueEnd] == UInt8(ascii: "}"), position == units.count else { return nil }
            return
        }
    }

    /// The field with this key.
    func find(_ key: String, in units: Span<UInt8>) -> Field? {
        let wanted = key.utf8.span
        for field in fields where Int(field.keyEnd - field.keyStart) == wanted.count {
            var index = 0
            while index < wanted.count, units[Int(field.keyStart) + index] == wanted[index] { index += 1 }
            if index == wanted.count { return field }
        }
        return nil
    }

    private static func isAscending(_ units: Span<UInt8>, _ left: Field, _ right: Field) -> Bool {
        var first = Int(left.keyStart)
        var second = Int(right.keyStart)
        while first < Int(left.keyEnd), second < Int(right.keyEnd) {
            if units[first] != units[second] { return units[first] < units[second] }
            first += 1
            second += 1
        }
        return first == Int(left.keyEnd) && second < Int(right.keyEnd)
    }

    /// Just past the closing quote of the string that opens at `start`; nil when there is none.
    private static func endOfString(_ units: Span<UInt8>, at start: Int) -> Int? {
        guard start < units.count, units[start] == UInt8(ascii: "\"") else { return nil }
        var position = start + 1
        while position < units.count {
            switch units[position] {
            case UInt8(ascii: "\""): return position + 1
            case UInt8(ascii: "\\"): position += 2
            case 0..<0x20: return nil
            default: position += 1
            }
        }
        return nil
    }

    /// Just past the value that begins at `start`. Brackets are matched here and read strictly when the value is asked for.
    private static func endOfValue(_ units: Span<UInt8>, at start: Int) -> Int? {
        guard start < units.count else { return nil }
        var depth = 0
        var position = start
        while position < units.count {
            switch units[position] {
            case UInt8(ascii: "\""):
                guard let end = endOfString(units, at: position) else { return nil }
                position = end
                if depth == 0 { return position }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return position > start ? position : nil }
                depth -= 1
                if depth == 0 { return position + 1 }
            case UInt8(ascii: ","):
                if depth == 0 { return position > start ? position : nil }
            default: break
            }
            position += 1
        }
        return nil
    }
}
