/// A 256-bit digest or keyed digest, kept as four words so that it costs no allocation.
package struct Digest256: Hashable, Sendable {
    package let words: (UInt64, UInt64, UInt64, UInt64)

    package init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// Thirty-two bytes, most significant first; nil when the count is another.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        func word(_ start: Int) -> UInt64 {
            var word: UInt64 = 0
            for index in start..<start + 8 { word = word << 8 | UInt64(bytes[index]) }
            return word
        }
        self.init(words: (word(0), word(8), word(16), word(24)))
    }

    /// Sixty-four hexadecimal digits, any letter case; nil for anything else.
    package init?(hex: String) {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        var index = 0
        for unit in hex.utf8 {
            guard let digit = Self.nibble(unit) else { return nil }
            switch index >> 4 {
            case 0: words.0 = words.0 << 4 | UInt64(digit)
            case 1: words.1 = words.1 << 4 | UInt64(digit)
            case 2: words.2 = words.2 << 4 | UInt64(digit)
            case 3: words.3 = words.3 << 4 | UInt64(digit)
            default: return nil
            }
            index += 1
        }
        guard index == 64 else { return nil }
        self.init(words: words)
    }

    /// The same from 64 units of UTF-8 that start at `start`.
    package init?(hex units: Span<UInt8>, at start: Int) {
        guard start >= 0, start + 64 <= units.count else { return nil }
        func word(_ from: Int) -> UInt64? {
            var word: UInt64 = 0
            for index in from..<from + 16 {
                guard let digit = Self.nibble(units[index]) else { return nil }
                word = word << 4 | UInt64(digit)
            }
            return word
        }
        guard let first = word(start), let second = word(start + 16), let third = word(start + 32),
            let fourth = word(start + 48)
        else { return nil }
        self.init(words: (first, second, third, fourth))
    }

    package var bytes: [UInt8] {
        var result: [UInt8] = []
        result.append(addingCapacity: 32) { output in
            func append(_ word: UInt64) {
                for index: UInt64 in 0..<8 { output.append(UInt8(truncatingIfNeeded: word &>> (56 &- 8 &* index))) }
            }
            append(words.0)
            append(words.1)
            append(words.2)
            append(words.3)
        }
        return result
    }

    /// Lower-case hexadecimal.
    package var hex: String {
        var units: [UInt8] = []
        units.reserveCapacity(64)
        appendHex(to: &units)
        return String(decoding: units, as: UTF8.self)
    }

    /// Appends the 64 digits of ``hex``.
    package func appendHex(to units: inout [UInt8]) {
        units.append(addingCapacity: 64) { output in
            func append(_ word: UInt64) {
                output.appendHex(UInt32(truncatingIfNeeded: word >> 32))
                output.appendHex(UInt32(truncatingIfNeeded: word))
            }
            append(words.0)
            append(words.1)
            append(words.2)
            append(words.3)
        }
    }

    package static func == (left: Self, right: Self) -> Bool { left.words == right.words }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }

    static func nibble(_ unit: UInt8) -> UInt8? {
        switch unit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): unit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): unit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): unit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10 }
}
