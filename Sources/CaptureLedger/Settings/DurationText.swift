/// A length of time as people write it: `90`, `1.5`, `90s`, `90m`, `2h`, `1h30m`, `1d`, `250ms`. A bare number is seconds.
package enum DurationText {
    private static let units: [(name: String, milliseconds: Double)] = [
        ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]
    /// Thirty years and some.
    private static let limit = 1e12

    /// In milliseconds; nil for what is no length of time, or none that anybody means.
    package static func milliseconds(_ text: String) -> Int64? {
        if let seconds = number(text[...]) { return bounded(seconds * 1_000) }
        var rest = text[...]
        var total = 0.0
        var above = Double.infinity
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            rest = rest.dropFirst(digits.count)
            let name = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(name.count)
            guard let value = number(digits), let unit = units.first(where: { $0.name == name }), unit.milliseconds < above
            else {
                return nil
            }
            above = unit.milliseconds
            total += value * unit.milliseconds
        }
        return text.isEmpty ? nil : bounded(total)
    }

    /// Digits with at most one point between them.
    private static func number(_ text: Substring) -> Double? {
        guard let first = text.utf8.first, (0x30...0x39).contains(first),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), text.utf8.count <= 20
        else { return nil }
        return Double(text)
    }

    private static func bounded(_ milliseconds: Double) -> Int64? {
        milliseconds.isFinite && milliseconds <= limit ? Int64(milliseconds.rounded()) : nil
    }
}
