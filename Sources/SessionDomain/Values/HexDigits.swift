/// Lower-case hexadecimal digits of whole words: identifiers and digests are written with every event.
extension OutputSpan<UInt8> {
    /// Appends the eight digits of a word, most significant first.
    @inline(__always)
    mutating func appendHex(_ word: UInt32) { append(Self.digits(word), first: 0, count: 8) }

    /// Appends the four digits of a half word.
    @inline(__always)
    mutating func appendHex(_ half: UInt16) { append(Self.digits(UInt32(half)), first: 4, count: 4) }

    @inline(__always)
    private mutating func append(_ digits: UInt64, first: UInt64, count: UInt64) {
        for index in first..<first + count { append(UInt8(truncatingIfNeeded: digits &>> (56 &- 8 &* index))) }
    }

    /// Eight characters in one word, the first in its highest byte: nibbles are spread to bytes, and all become characters at once.
    @inline(__always)
    private static func digits(_ word: UInt32) -> UInt64 {
        var nibbles = UInt64(word)
        nibbles = (nibbles << 16 | nibbles) & 0x0000_FFFF_0000_FFFF
        nibbles = (nibbles << 8 | nibbles) & 0x00FF_00FF_00FF_00FF
        nibbles = (nibbles << 4 | nibbles) & 0x0F0F_0F0F_0F0F_0F0F
        let isLetter = (nibbles &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return nibbles &+ 0x3030_3030_3030_3030 &+ isLetter &* 39
    }
}
