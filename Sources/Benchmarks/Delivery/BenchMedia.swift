/// Media of an exact size that the ledger takes in: real headers around noise, no two alike.
enum BenchMedia {
    /// A PNG of 64 by 64 grey pixels by its header.
    ///
    /// - Parameter bytes: 100 or more.
    static func picture(bytes: Int, number: Int) -> [UInt8] {
        let head: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + word(13) + Array("IHDR".utf8)
            + word(64) + word(64) + [8, 0, 0, 0, 0, 0x8F, 0x02, 0x2E, 0x02]
        let tail = word(0) + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
        let noise = bytes - head.count - tail.count - 12
        var random = Noise(state: UInt64(truncatingIfNeeded: number) &+ 1)
        return head + word(noise) + Array("IDAT".utf8) + random.bytes(noise) + word(0) + tail
    }

    /// What stands in front of the noise in an MP4 with one track and no samples.
    ///
    /// - Parameter bytes: of the noise.
    static func movieHead(noiseBytes bytes: Int64) -> [UInt8] {
        let matrix = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000].flatMap { word($0) }
        let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
        let track = box(
            "trak",
            box("tkhd", word(7) + zeros(36) + matrix + word(1280 << 16) + word(720 << 16))
                + box(
                    "mdia",
                    box("hdlr", zeros(8) + Array("vide".utf8) + zeros(13))
                        + box("minf", box("stbl", box("stco", zeros(8))))))
        let movie = box("moov", box("mvhd", zeros(12) + word(1000) + word(10_000) + zeros(80)) + track)
        return box("ftyp", Array("isom".utf8) + word(512) + Array("isommp42".utf8)) + movie + word(1) + Array("mdat".utf8)
            + word(Int((bytes + 16) >> 32)) + word(Int((bytes + 16) & 0xFFFF_FFFF))
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        word(content.count + 8) + Array(name.utf8) + content
    }

    private static func word(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

/// Bytes that do not compress: SplitMix64, which is seeded and costs less than writing them.
struct Noise {
    var state: UInt64

    mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            word ^= word >> 31
            for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
