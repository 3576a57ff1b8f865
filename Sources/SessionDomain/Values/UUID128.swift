/// A 128-bit identifier in the layout of RFC 9562, kept as two words so that it costs no allocation.
package struct UUID128: Hashable, Sendable, Comparable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Sixteen bytes, most significant first; nil when the count is another.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        var index = 0
        for byte in bytes {
            if index < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
            index += 1
        }
        self.init(high: high, low: low)
    }

    /// The 36-character form with hyphens, any letter case; nil for anything else.
    package init?(_ text: some StringProtocol) {
        var digits: [UInt8] = []
        digits.reserveCapacity(16)
        var half: UInt8?
        var index = 0
        for unit in text.utf8 {
            defer { index += 1 }
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard unit == UInt8(ascii: "-") else { return nil }
                continue
            }
            let value: UInt8
            switch unit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = unit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = unit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = unit - UInt8(ascii: "A") + 10
            default: return nil
            }
            if let first = half {
                digits.append(first << 4 | value)
                half = nil
            } else {
                half = value
            }
        }
        guard index == 36 else { return nil }
        self.init(bytes: digits)
    }

    /// Version 7 of RFC 9562: 48 bits of Unix milliseconds, then 74 of the given random bits.
    package init(milliseconds: Int64, random: (UInt64, UInt64)) {
        self.init(
            high: UInt64(truncatingIfNeeded: milliseconds) << 16 | 0x7000 | (random.0 & 0x0FFF),
            low: 0x8000_0000_0000_0000 | (random.1 & 0x3FFF_FFFF_FFFF_FFFF))
    }

    /// The same of an array or a piece of one, without going through a collection's witnesses.
    package init?(bytes: [UInt8]) { self.init(bytes: bytes[...]) }

    package init?(bytes: ArraySlice<UInt8>) {
        guard bytes.count == 16 else { return nil }
        let start = bytes.startIndex
        var high: UInt64 = 0
        var low: UInt64 = 0
        for index in 0..<8 {
            high = high << 8 | UInt64(bytes[start + index])
            low = low << 8 | UInt64(bytes[start + 8 + index])
        }
        self.init(high: high, low: low)
    }

    package var bytes: [UInt8] {
        var result: [UInt8] = []
        append(to: &result)
        return result
    }

    /// Appends the sixteen bytes of ``bytes``.
    package func append(to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: 16) { output in
            for index: UInt64 in 0..<8 { output.append(UInt8(truncatingIfNeeded: high &>> (56 &- 8 &* index))) }
            for index: UInt64 in 0..<8 { output.append(UInt8(truncatingIfNeeded: low &>> (56 &- 8 &* index))) }
        }
    }

    /// Lower-case 8-4-4-4-12.
    package var text: String {
        var units: [UInt8] = []
        units.reserveCapacity(36)
        appendText(to: &units)
        return String(decoding: units, as: UTF8.self)
    }

    /// Appends the 36 characters of ``text``.
    package func appendText(to units: inout [UInt8]) {
        let hyphen = UInt8(ascii: "-")
        units.append(addingCapacity: 36) { output in
            output.appendHex(UInt32(truncatingIfNeeded: high >> 32))
            output.append(hyphen)
            output.appendHex(UInt16(truncatingIfNeeded: high >> 16))
            output.append(hyphen)
            output.appendHex(UInt16(truncatingIfNeeded: high))
            output.append(hyphen)
            output.appendHex(UInt16(truncatingIfNeeded: low >> 48))
            output.append(hyphen)
            output.appendHex(UInt16(truncatingIfNeeded: low >> 32))
            output.appendHex(UInt32(truncatingIfNeeded: low))
        }
    }

    /// The 36-character form in UTF-8 that starts at `start`; nil for anything else.
    package init?(text units: Span<UInt8>, at start: Int) {
        guard start >= 0, start + 36 <= units.count else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        var digits = 0
        for index in 0..<36 {
            let unit = units[start + index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard unit == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Digest256.nibble(unit) else { return nil }
            if digits < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
            digits += 1
        }
        self.init(high: high, low: low)
    }

    /// One word is enough to spread identifiers, which are random in both.
    package func hash(into hasher: inout Hasher) { hasher.combine(high ^ low) }

    package static func < (left: Self, right: Self) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }
}
