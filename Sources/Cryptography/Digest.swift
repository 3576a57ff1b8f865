import COpenSSL

/// A SHA-256 digest or an authentication code: 32 bytes without an allocation.
package struct Digest: Hashable, Sendable {
    package private(set) var words: (UInt64, UInt64, UInt64, UInt64)

    /// Overwrites a digest that served as a key.
    mutating func cleanse() { unsafe withUnsafeMutableBytes(of: &words) { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) } }

    init(_ fill: (UnsafeMutablePointer<UInt8>) -> Void) {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        unsafe withUnsafeMutableBytes(of: &words) { unsafe fill($0.assumingMemoryBound(to: UInt8.self).baseAddress!) }
        self.words = words
    }

    /// Nil unless there are 32.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        unsafe self.init { target in
            for index in 0..<32 { unsafe target[index] = bytes[index] }
        }
    }

    /// The same of any other collection.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        unsafe self.init { target in
            var index = 0
            for byte in bytes {
                unsafe target[index] = byte
                index += 1
            }
        }
    }

    package var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(32)
        append(to: &result)
        return result
    }

    package func append(to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: words) { unsafe bytes.append(contentsOf: $0) }
    }

    /// The first `count` bytes, at most 32.
    package func prefix(_ count: Int) -> [UInt8] {
        unsafe withUnsafeBytes(of: words) { unsafe Array($0.prefix(count)) }
    }

    /// Lower-case hexadecimal digits, 64 of them.
    package var hex: String {
        var units: [UInt8] = []
        units.reserveCapacity(64)
        for byte in bytes {
            for nibble in [byte >> 4, byte & 15] {
                units.append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
            }
        }
        return String(decoding: units, as: UTF8.self)
    }

    /// Takes the same time wherever they differ.
    package static func == (left: Self, right: Self) -> Bool {
        (left.words.0 ^ right.words.0) | (left.words.1 ^ right.words.1) | (left.words.2 ^ right.words.2)
            | (left.words.3 ^ right.words.3) == 0
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

/// Compares without telling, by the time that it takes, where two byte strings differ.
package func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
}
