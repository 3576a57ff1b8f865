/// WebP (RFC 9649): the RIFF size against the file, the frame header of VP8 or VP8L, the canvas of VP8X, orientation from EXIF.
enum WebPHeader {
    static func parse(_ reader: inout ByteReader, _ limits: MediaLimits) throws(MediaRefusal) -> SniffedMedia {
        reader.part = "webp_chunks"
        let end = Int64(try reader.littleU32(at: 4)) + 8
        let first = try reader.code(at: 12)
        let (width, height) = try size(&reader, chunk: first, at: 12)
        try limits.check(width: width, height: height, part: "webp_header")
        guard end <= reader.size else { throw .truncated("webp_chunks") }
        guard end >= 20 else { throw .mediaUnreadable("webp_header") }
        var media = SniffedMedia(type: .webp, width: width, height: height)
        if first == "VP8X", try reader.byte(at: 20) & 0x02 != 0 { media.flag(.animated) }
        if end < reader.size { media.flag(.trailingData) }
        try walk(&reader, &media, end, limits)
        return media
    }

    private static func size(
        _ reader: inout ByteReader, chunk: FourCC, at offset: Int64
    ) throws(MediaRefusal) -> (width: Int, height: Int) {
        let body = offset + 8
        switch chunk {
        case "VP8 ":
            // A key frame: bit 0 of the tag clear, then the start code and two 14-bit sides (RFC 6386, 9.1).
            guard try reader.byte(at: body) & 1 == 0, try reader.littleU24(at: body + 3) == 0x2A_019D else {
                throw .mediaUnreadable("webp_header")
            }
            return (try reader.littleU16(at: body + 6) & 0x3FFF, try reader.littleU16(at: body + 8) & 0x3FFF)
        case "VP8L":
            guard try reader.byte(at: body) == 0x2F else { throw .mediaUnreadable("webp_header") }
            let bits = try reader.littleU32(at: body + 1)
            guard bits >> 29 == 0 else { throw .mediaUnreadable("webp_header") }
            return (Int(bits & 0x3FFF) + 1, Int(bits >> 14 & 0x3FFF) + 1)
        case "VP8X":
            return (try reader.littleU24(at: body + 4) + 1, try reader.littleU24(at: body + 7) + 1)
        default:
            throw .mediaUnreadable("webp_header")
        }
    }

    private static func walk(
        _ reader: inout ByteReader, _ media: inout SniffedMedia, _ end: Int64, _ limits: MediaLimits
    ) throws(MediaRefusal) {
        var offset: Int64 = 12
        var sawImage = false
        while offset + 8 <= end {
            let name = try reader.code(at: offset)
            let length = Int64(try reader.littleU32(at: offset + 4))
            guard length <= end - offset - 8 else { throw .truncated("webp_chunks") }
            switch name {
            case "VP8 ", "VP8L":
                let (width, height) = try size(&reader, chunk: name, at: offset)
                try limits.check(width: width, height: height, part: "webp_header")
                sawImage = true
            case "ANMF": sawImage = true
            case "EXIF" where length <= 64 << 10:
                var block = try reader.bytes(at: offset + 8, count: Int(length))
                if block.starts(with: "Exif\0\0".utf8) { block.removeFirst(6) }
                media.orient(byEXIF: block)
            default: break
            }
            offset += 8 + length + (length & 1)
        }
        guard sawImage else { throw .mediaUnreadable("webp_chunks") }
    }
}
