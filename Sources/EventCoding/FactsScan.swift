import SessionDomain

/// Walks once over the members of a flat canonical object, without a tree, an index or a string. It takes for granted what the writer
/// guarantees, and gives up where the text is anything else.
struct FactsScan {
    /// Of the member that was found last: the key without its quotes, the value with everything.
    private(set) var keyStart = 0, keyEnd = 0, valueStart = 0, valueEnd = 0
    private var key = FactsKey()
    private var position = 1
    private(set) var isBroken = false

    init(_ units: Span<UInt8>) {
        isBroken = units.count < 2 || units[0] != UInt8(ascii: "{") || units[units.count - 1] != UInt8(ascii: "}")
    }

    /// Finds the next member; false at the end, or where the text is not what it should be (`isBroken`).
    mutating func next(_ units: Span<UInt8>) -> Bool {
        guard !isBroken, position < units.count - 1 else { return false }
        guard units[position] == UInt8(ascii: "\"") else { return broken() }
        keyStart = position + 1
        var (end, key) = (keyStart, FactsKey())
        while end < units.count, units[end] != UInt8(ascii: "\"") {
            key.append(units[end])
            end += 1
        }
        keyEnd = end
        self.key = key
        valueStart = end + 2
        guard valueStart < units.count, units[end + 1] == UInt8(ascii: ":") else { return broken() }
        guard let past = endOfIdentifier(units) ?? Self.end(units, valueStart) else { return broken() }
        valueEnd = past
        switch units[past] {
        case UInt8(ascii: ","): position = past + 1
        case UInt8(ascii: "}"): position = past
        default: return broken()
        }
        return true
    }

    private mutating func broken() -> Bool {
        isBroken = true
        return false
    }

    func isKey(_ key: FactsKey) -> Bool { self.key == key }

    /// Just past the value of a digest or an identifier, whose lengths are known by their keys; nil for others.
    private func endOfIdentifier(_ units: Span<UInt8>) -> Int? {
        let past: Int
        switch (keyEnd - keyStart, units[keyStart]) {
        case (10, UInt8(ascii: "c")), (13, UInt8(ascii: "s")), (8, UInt8(ascii: "e")): past = valueStart + 66
        case (8, UInt8(ascii: "d")), (10, UInt8(ascii: "s")): past = valueStart + 38
        default: return nil
        }
        guard past < units.count, units[past - 1] == UInt8(ascii: "\"") else { return nil }
        return units[past] == UInt8(ascii: ",") || past == units.count - 1 ? past : nil
    }

    /// Just past the value; nil when it has no end. It is inside the text, since that ends with a brace of its own.
    static func end(_ units: Span<UInt8>, _ start: Int) -> Int? {
        let limit = units.count - 1
        switch units[start] {
        case UInt8(ascii: "\""): return endOfString(units, start, limit)
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            var (depth, position) = (0, start)
            while position < limit {
                switch units[position] {
                case UInt8(ascii: "\""):
                    guard let past = endOfString(units, position, limit) else { return nil }
                    position = past
                    continue
                case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "]"), UInt8(ascii: "}"):
                    depth -= 1
                    if depth == 0 { return position + 1 }
                default: break
                }
                position += 1
            }
            return nil
        default:
            var position = start
            while position < limit, units[position] != UInt8(ascii: ",") { position += 1 }
            return position > start ? position : nil
        }
    }

    private static func endOfString(_ units: Span<UInt8>, _ start: Int, _ limit: Int) -> Int? {
        var position = start + 1
        while position < limit {
            switch units[position] {
            case UInt8(ascii: "\""): return position + 1
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        return nil
    }
}
