/// The smallest files that the ledger takes in: real formats, made of nothing, of nobody.
enum SampleMedia {
    /// A PNG of 48 by 32 grey pixels (W3C Recommendation, third edition). `number` makes it different from the others.
    static func picture(_ number: Int) -> [UInt8] {
        let (width, height) = (48, 32)
        var rows: [UInt8] = []
        for row in 0..<height {
            rows.append(0)
            for column in 0..<width { rows.append(UInt8(truncatingIfNeeded: row * 5 + column * 3 + number * 7)) }
        }
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        bytes += chunk("IHDR", word(width) + word(height) + [8, 0, 0, 0, 0])
        bytes += chunk("tEXt", Array("Comment".utf8) + [0] + Array("sample \(number)".utf8))
        return bytes + chunk("IDAT", stored(rows)) + chunk("IEND", [])
    }

    /// An MP4 with one video track and no sample that decodes (ISO/IEC 14496-12).
    static func video(_ number: Int) -> [UInt8] {
        let head = box("ftyp", Array("isom".utf8) + word(0x200) + Array("isommp42".utf8))
        let data = box("mdat", Array("sample \(number)".utf8))
        let unit =
            word(0x1_0000) + word(0) + word(0) + word(0) + word(0x1_0000) + word(0) + word(0) + word(0) + word(0x4000_0000)
        let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
        let movieHeader = box(
            "mvhd", zeros(12) + word(1_000) + word(3_000) + word(0x1_0000) + zeros(12) + unit + zeros(24) + word(2))
        let trackHeader = box(
            "tkhd",
            [0, 0, 0, 3] + zeros(8) + word(1) + zeros(4) + word(3_000) + zeros(16) + unit + word(640 << 16) + word(480 << 16))
        let handler = box("hdlr", zeros(8) + Array("vide".utf8) + zeros(13))
        let chunks = box("stco", zeros(4) + word(1) + word(head.count + 8))
        let track = box(
            "trak", trackHeader + box("mdia", handler + box("minf", box("stbl", chunks))))
        return head + data + box("moov", movieHeader + track)
    }

    private static func box(_ name: String, _ body: [UInt8]) -> [UInt8] { word(body.count + 8) + Array(name.utf8) + body }

    private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + body
        return word(body.count) + named + word(Int(checksum(named)))
    }

    /// zlib without compression: RFC 1950 around one stored block of RFC 1951.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        let lengths = [UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)]
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return [0x78, 0x01, 0x01] + lengths + bytes + word(Int(high << 16 | low))
    }

    /// CRC-32 of ISO 3309.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value = UInt32.max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
        }
        return ~value
    }

    private static func word(_ value: Int) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
