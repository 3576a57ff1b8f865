/// PNG files without compression.
enum PNGBuilder {
    /// - Parameter sample: of a pixel's channel, in the depth that is asked for. Two and four channels end with alpha.
    static func file(
        _ width: Int, _ height: Int, depth: Int, channels: Int, profile: [UInt8]? = nil,
        _ sample: (_ x: Int, _ y: Int, _ channel: Int) -> UInt16
    ) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width {
                for channel in 0..<channels {
                    let value = sample(x, y, channel)
                    if depth == 16 { rows.append(UInt8(value >> 8)) }
                    rows.append(UInt8(truncatingIfNeeded: value))
                }
            }
        }
        let type: UInt8 = [1: 0, 2: 4, 3: 2, 4: 6][channels]!
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", big(UInt32(width)) + big(UInt32(height)) + [UInt8(depth), type, 0, 0, 0])
            + (profile.map { chunk("iCCP", Array("icc".utf8) + [0, 0] + stored($0)) } ?? [])
            + chunk("IDAT", stored(rows)) + chunk("IEND", [])
    }

    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return big(UInt32(data.count)) + body + big(crc(body))
    }

    static func big(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32($0))) } }

    /// zlib in stored blocks.
    private static func stored(_ data: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: data.count, by: 65_535) {
            let block = data[start..<min(data.count, start + 65_535)]
            let count = UInt16(block.count)
            bytes.append(start + block.count == data.count ? 1 : 0)
            for number in [count, ~count] { bytes += [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)] }
            bytes += block
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in data {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return bytes + big(high << 16 | low)
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
        }
    }
}
