extension ByteReader {
    mutating func u16(at offset: Int64) throws(MediaRefusal) -> Int {
        Int(try byte(at: offset)) << 8 | Int(try byte(at: offset + 1))
    }

    mutating func u32(at offset: Int64) throws(MediaRefusal) -> UInt32 {
        UInt32(try u16(at: offset)) << 16 | UInt32(try u16(at: offset + 2))
    }

    mutating func u64(at offset: Int64) throws(MediaRefusal) -> UInt64 {
        UInt64(try u32(at: offset)) << 32 | UInt64(try u32(at: offset + 4))
    }

    mutating func littleU16(at offset: Int64) throws(MediaRefusal) -> Int {
        Int(try byte(at: offset)) | Int(try byte(at: offset + 1)) << 8
    }

    mutating func littleU24(at offset: Int64) throws(MediaRefusal) -> Int {
        try littleU16(at: offset) | Int(try byte(at: offset + 2)) << 16
    }

    mutating func littleU32(at offset: Int64) throws(MediaRefusal) -> UInt32 {
        UInt32(try littleU16(at: offset)) | UInt32(try littleU16(at: offset + 2)) << 16
    }

    mutating func code(at offset: Int64) throws(MediaRefusal) -> FourCC { FourCC(try u32(at: offset)) }
}

/// Four characters that name a box or a chunk.
struct FourCC: Equatable, Hashable, ExpressibleByStringLiteral {
    let value: UInt32

    init(_ value: UInt32) { self.value = value }

    init(stringLiteral text: StaticString) {
        var value: UInt32 = 0
        for scalar in "\(text)".unicodeScalars { value = value << 8 | (scalar.value & 0xFF) }
        self.value = value
    }

    /// Whether all four are visible ASCII or a space, or the copyright sign of QuickTime.
    var isPrintable: Bool {
        for shift: UInt32 in [0, 8, 16, 24] {
            let unit = value >> shift & 0xFF
            guard (0x20...0x7E).contains(unit) || unit == 0xA9 else { return false }
        }
        return true
    }
}
