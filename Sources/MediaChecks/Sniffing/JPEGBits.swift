/// Bits of entropy-coded data (T.81 F.2.2.5): stuffed zeros are dropped, a marker or the end of the file ends them.
struct JPEGBits {
    /// Offset of the first byte that is not taken yet.
    private(set) var offset: Int64
    private var byte: UInt8 = 0
    private var left = 0

    init(at offset: Int64) { self.offset = offset }

    /// One bit, or nil where the data ends.
    mutating func bit(_ reader: inout ByteReader) throws(MediaRefusal) -> Int? {
        if left == 0 {
            guard let next = try reader.byteIfAny(at: offset) else { return nil }
            if next == 0xFF {
                guard try reader.byteIfAny(at: offset + 1) == 0 else { return nil }
                offset += 1
            }
            offset += 1
            byte = next
            left = 8
        }
        left -= 1
        return Int(byte >> UInt8(left) & 1)
    }

    /// `count` bits, 0 to 16, as a number.
    mutating func bits(_ count: Int, _ reader: inout ByteReader) throws(MediaRefusal) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let bit = try bit(&reader) else { return nil }
            value = value << 1 | bit
        }
        return value
    }

    mutating func symbol(_ table: JPEGHuffmanTable, _ reader: inout ByteReader) throws(MediaRefusal) -> Int? {
        var code = 0
        for length in 1...16 {
            guard let bit = try bit(&reader) else { return nil }
            code = code << 1 | bit
            if let value = table.value(of: code, length: length) { return value }
        }
        return nil
    }

    /// Drops the padding and steps over a restart marker; false where there is none.
    mutating func restart(_ reader: inout ByteReader) throws(MediaRefusal) -> Bool {
        left = 0
        guard try reader.byteIfAny(at: offset) == 0xFF, let marker = try reader.byteIfAny(at: offset + 1),
            (0xD0...0xD7).contains(marker)
        else { return false }
        offset += 2
        return true
    }
}
