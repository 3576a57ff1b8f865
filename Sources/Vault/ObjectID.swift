/// The 16 bytes of a session's, capture's, event's, delivery's or evidence's identifier, as two words.
package struct ObjectID: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The name that `text` gives, and nothing else.
    package init?(fileName: String) {
        guard fileName.utf8.count == 36 else { return nil }
        let digits = fileName.utf8.filter { $0 != UInt8(ascii: "-") }
        guard digits.count == 32, let words = String(decoding: digits, as: UTF8.self).splitWords else { return nil }
        self.init(high: words.0, low: words.1)
        guard text == fileName else { return nil }
    }

    package var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(16)
        append(to: &result)
        return result
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: 16) { output in
            for index: UInt64 in 0..<8 { output.append(UInt8(truncatingIfNeeded: high &>> (56 &- 8 &* index))) }
            for index: UInt64 in 0..<8 { output.append(UInt8(truncatingIfNeeded: low &>> (56 &- 8 &* index))) }
        }
    }

    /// Lower-case 8-4-4-4-12: the name of the object's file.
    package var text: String {
        var units: [UInt8] = []
        units.reserveCapacity(36)
        for (index, byte) in bytes.enumerated() {
            if index == 4 || index == 6 || index == 8 || index == 10 { units.append(UInt8(ascii: "-")) }
            for nibble in [byte >> 4, byte & 15] {
                units.append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
            }
        }
        return String(decoding: units, as: UTF8.self)
    }

    /// The last two hexadecimal digits: the folder of the object's file.
    var shard: String { String(text.suffix(2)) }
}

extension String {
    fileprivate var splitWords: (UInt64, UInt64)? {
        guard let high = UInt64(prefix(16), radix: 16), let low = UInt64(suffix(16), radix: 16) else { return nil }
        return (high, low)
    }
}
