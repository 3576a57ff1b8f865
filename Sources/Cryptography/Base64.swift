/// Base64 and its form for addresses (RFC 4648 §4, §5).
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var word: UInt32 = 0
            for index in 0..<3 { word = word << 8 | (index < group.count ? UInt32(group[start + index]) : 0) }
            for index in 0..<4 {
                text.append(
                    index <= group.count ? alphabet[Int(word >> UInt32(18 - 6 * index) & 63)] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Two characters for every twelve bits, the first in the low byte.
    private static let pairs = (0..<4096).map { UInt16(alphabet[$0 >> 6]) | UInt16(alphabet[$0 & 63]) << 8 }

    /// Appends the text of `bytes`, padded; there must be room for it. Six bytes at a time: 5 GB/s where a byte at a time does 0.9.
    package static func encode(_ bytes: Span<UInt8>, into output: inout OutputSpan<UInt8>) {
        let length = (bytes.count + 2) / 3 * 4
        precondition(output.freeCapacity >= length, "no room for the text")
        unsafe output.withUnsafeMutableBufferPointer { buffer, count in
            let text = unsafe UnsafeMutableRawPointer(buffer.baseAddress!) + count
            unsafe bytes.withUnsafeBytes { source in
                unsafe pairs.withUnsafeBufferPointer { pairs in unsafe encode(source, into: text, pairs) }
            }
            count += length
        }
    }

    private static func encode(
        _ bytes: UnsafeRawBufferPointer, into text: UnsafeMutableRawPointer, _ pairs: UnsafeBufferPointer<UInt16>
    ) {
        guard let source = bytes.baseAddress, let pairs = pairs.baseAddress else { return }
        var (index, target) = (0, 0)
        while index + 8 <= bytes.count {
            let word = UInt64(bigEndian: unsafe source.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let first = unsafe UInt64(pairs[Int(word >> 52)]) | UInt64(pairs[Int(word >> 40 & 4095)]) << 16
            let second = unsafe UInt64(pairs[Int(word >> 28 & 4095)]) | UInt64(pairs[Int(word >> 16 & 4095)]) << 16
            unsafe text.storeBytes(of: (first | second << 32).littleEndian, toByteOffset: target, as: UInt64.self)
            index += 6
            target += 8
        }
        while index < bytes.count {
            let left = bytes.count - index
            let group =
                unsafe UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
                | (left > 2 ? UInt32(bytes[index + 2]) : 0)
            var four = unsafe UInt32(pairs[Int(group >> 12)]) | UInt32(pairs[Int(group & 4095)]) << 16
            if left < 3 { four = four & 0x00FF_FFFF | UInt32(UInt8(ascii: "=")) << 24 }
            if left < 2 { four = four & 0xFF00_FFFF | UInt32(UInt8(ascii: "=")) << 16 }
            unsafe text.storeBytes(of: four.littleEndian, toByteOffset: target, as: UInt32.self)
            index += 3
            target += 4
        }
    }

    /// Either alphabet, with or without padding; nil for anything else, also for bits that no encoder leaves.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var units = Array(text.utf8)
        if units.count % 4 == 0 { for _ in 0..<2 where units.last == UInt8(ascii: "=") { units.removeLast() } }
        guard units.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        var word: UInt32 = 0
        var bits = 0
        for unit in units {
            guard let value = value(unit) else { return nil }
            word = word << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
                word &= 1 << UInt32(bits) - 1
            }
        }
        return word == 0 ? bytes : nil
    }

    private static func value(_ unit: UInt8) -> UInt8? {
        switch unit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): unit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): unit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): unit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
