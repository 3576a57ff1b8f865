/// The 512 bytes before each file of a POSIX ustar archive, in the one form that we write; pubs.opengroup.org, pax, "ustar
/// Interchange Format". A header of any other form (a link, a folder, another mode) is none of ours.
package struct TarHeader: Equatable {
    package static let blockSize = 512

    package let name: String
    package let size: Int64

    /// - Parameter name: at most 99 bytes.
    package var bytes: [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        func put(_ text: some Sequence<UInt8>, _ offset: Int) {
            for (index, unit) in text.enumerated() { block[offset + index] = unit }
        }
        put(name.utf8.prefix(99), 0)
        put("0000600".utf8, 100)
        put("0000000".utf8, 108)
        put("0000000".utf8, 116)
        put(Self.number(size), 124)
        put("00000000000".utf8, 136)
        put("        ".utf8, 148)
        put("0".utf8, 156)
        put("ustar\u{0}00".utf8, 257)
        put("0000000".utf8, 329)
        put("0000000".utf8, 337)
        let sum = block.reduce(0) { $0 + Int($1) }
        put(Self.octal(Int64(sum), digits: 6) + [0], 148)
        return block
    }

    /// How many zeros follow the content, so that the next header begins a block.
    package var padding: Int { Int((512 - size % 512) % 512) }

    package init(name: String, size: Int64) {
        self.name = name
        self.size = size
    }

    /// nil unless the block is exactly what `bytes` gives for its name and size.
    package init?(_ block: some Collection<UInt8>) {
        let block = Array(block)
        guard block.count == Self.blockSize, let size = Self.parse(block[124..<136]) else { return nil }
        self.init(name: String(decoding: block[..<100].prefix { $0 != 0 }, as: UTF8.self), size: size)
        guard bytes == block else { return nil }
    }

    /// Eleven octal digits, or from 8 GiB on a binary number marked by its first bit, as GNU tar and libarchive do.
    private static func number(_ value: Int64) -> [UInt8] {
        if value < 1 << 33 { return octal(value, digits: 11) }
        var field = [UInt8](repeating: 0, count: 12)
        for index in 0..<8 { field[4 + index] = UInt8(truncatingIfNeeded: value >> Int64(56 - 8 * index)) }
        field[0] = 0x80
        return field
    }

    private static func octal(_ value: Int64, digits: Int) -> [UInt8] {
        (0..<digits).map { UInt8(ascii: "0") + UInt8(value >> Int64(3 * (digits - 1 - $0)) & 7) }
    }

    private static func parse(_ field: ArraySlice<UInt8>) -> Int64? {
        let field = Array(field)
        if field[0] == 0x80 {
            guard field[1..<4].allSatisfy({ $0 == 0 }), field[4] < 0x40 else { return nil }
            return field[4...].reduce(0) { $0 << 8 | Int64($1) }
        }
        var value: Int64 = 0
        for digit in field[..<11] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) else { return nil }
            value = value << 3 | Int64(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
