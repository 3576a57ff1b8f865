/// PNG (W3C Recommendation, third edition): IHDR with its checksum, a walk over the chunks to IEND, orientation from eXIf.
enum PNGHeader {
    static func parse(_ reader: inout ByteReader, _ limits: MediaLimits) throws(MediaRefusal) -> SniffedMedia {
        reader.part = "png_header"
        guard try reader.u32(at: 8) == 13, try reader.code(at: 12) == "IHDR" else { throw .mediaUnreadable("png_header") }
        let header = try reader.bytes(at: 12, count: 17)
        guard CRC32.of(header) == (try reader.u32(at: 29)) else { throw .mediaUnreadable("png_header") }
        let width = Int(try reader.u32(at: 16))
        let height = Int(try reader.u32(at: 20))
        let colour = try checkColour(header)
        try limits.check(width: width, height: height, part: "png_header")
        var media = SniffedMedia(type: .png, width: width, height: height)
        if colour == 0 || colour == 4 { media.flag(.grey) }
        try walk(&reader, &media)
        return media
    }

    /// Table 11.1 of the recommendation.
    private static func checkColour(_ header: [UInt8]) throws(MediaRefusal) -> UInt8 {
        let (depth, colour) = (header[12], header[13])
        let depths: [UInt8] =
            switch colour {
            case 0: [1, 2, 4, 8, 16]
            case 2, 4, 6: [8, 16]
            case 3: [1, 2, 4, 8]
            default: []
            }
        guard depths.contains(depth), header[14] == 0, header[15] == 0, header[16] <= 1 else {
            throw .mediaUnreadable("png_header")
        }
        return colour
    }

    private static func walk(_ reader: inout ByteReader, _ media: inout SniffedMedia) throws(MediaRefusal) {
        reader.part = "png_chunks"
        var offset: Int64 = 33
        var sawData = false
        while true {
            let length = Int64(try reader.u32(at: offset))
            let name = try reader.code(at: offset + 4)
            guard length <= Int64(Int32.max), name.isPrintable else { throw .mediaUnreadable("png_chunks") }
            guard length <= reader.size - offset - 12 else { throw .truncated("png_chunks") }
            switch name {
            case "IEND":
                guard sawData else { throw .mediaUnreadable("png_chunks") }
                if offset + 12 + length < reader.size { media.flag(.trailingData) }
                return
            case "IDAT": sawData = sawData || length > 0
            case "acTL": media.flag(.animated)
            case "eXIf" where length <= 64 << 10:
                media.orient(byEXIF: try reader.bytes(at: offset + 8, count: Int(length)))
            default: break
            }
            offset += 12 + length
        }
    }
}

/// CRC-32 of ISO 3309, as PNG uses it.
enum CRC32 {
    static func of(_ bytes: [UInt8]) -> UInt32 {
        var value = UInt32.max
        for byte in bytes { value = table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8 }
        return ~value
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }
}
