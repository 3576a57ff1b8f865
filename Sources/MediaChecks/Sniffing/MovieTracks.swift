/// The inside of `moov`: duration, and size and rotation of the first video track.
enum MovieTracks {
    /// Longest `moov` that is looked at: tables of a day of video.
    static let largestHeader: Int64 = 64 << 20

    static func parse(
        _ reader: inout ByteReader, _ movie: MediaBox, _ type: MediaType, _ limits: MediaLimits
    ) throws(MediaRefusal) -> SniffedMedia {
        reader.part = "movie_header"
        guard movie.bodySize <= largestHeader else { throw .mediaUnreadable("movie_header") }
        let boxes = try movie.children(&reader)
        guard let header = boxes.first("mvhd") else { throw .mediaUnreadable("movie_header") }
        for track in boxes where track.type == "trak" {
            let parts = try track.children(&reader)
            guard let trackHeader = parts.first("tkhd"), let content = parts.first("mdia") else { continue }
            let inner = try content.children(&reader)
            guard let handler = inner.first("hdlr"), handler.bodySize >= 12,
                try reader.code(at: handler.body + 8) == "vide"
            else { continue }
            var media = try size(&reader, trackHeader, type, limits)
            media.durationMilliseconds = try duration(&reader, header)
            if let information = inner.first("minf") { try checkChunks(&reader, information) }
            return media
        }
        throw .mediaUnreadable("no_video_track")
    }

    /// `tkhd`: sides in 16.16 and the matrix (a, b, u, c, d, v, x, y, w), ISO/IEC 14496-12, 8.3.2.
    private static func size(
        _ reader: inout ByteReader, _ box: MediaBox, _ type: MediaType, _ limits: MediaLimits
    ) throws(MediaRefusal) -> SniffedMedia {
        guard box.bodySize >= 84 else { throw .mediaUnreadable("track_header") }
        let long = try reader.byte(at: box.body) == 1
        let matrix = box.body + (long ? 52 : 40)
        guard box.end >= matrix + 44 else { throw .mediaUnreadable("track_header") }
        let width = Int(try reader.u32(at: matrix + 36) >> 16)
        let height = Int(try reader.u32(at: matrix + 40) >> 16)
        try limits.check(width: width, height: height, part: "track_header")
        var media = SniffedMedia(type: type, width: width, height: height)
        let one: UInt32 = 0x0001_0000
        let minusOne: UInt32 = 0xFFFF_0000
        let terms = (
            try reader.u32(at: matrix), try reader.u32(at: matrix + 4), try reader.u32(at: matrix + 12),
            try reader.u32(at: matrix + 16)
        )
        switch terms {
        case (one, 0, 0, one): media.rotate(0)
        case (0, one, minusOne, 0): media.rotate(90)
        case (minusOne, 0, 0, minusOne): media.rotate(180)
        case (0, minusOne, one, 0): media.rotate(270)
        default:
            media.rotate(0)
            media.flag(.unusualMatrix)
        }
        return media
    }

    /// `mvhd`: nil where the header gives none (a fragmented file, or all ones).
    private static func duration(_ reader: inout ByteReader, _ box: MediaBox) throws(MediaRefusal) -> Int64? {
        guard box.bodySize >= 20 else { throw .mediaUnreadable("movie_header") }
        let long = try reader.byte(at: box.body) == 1
        guard !long || box.bodySize >= 32 else { throw .mediaUnreadable("movie_header") }
        let scale = UInt64(try reader.u32(at: box.body + (long ? 20 : 12)))
        let length = long ? try reader.u64(at: box.body + 24) : UInt64(try reader.u32(at: box.body + 16))
        guard scale > 0 else { throw .mediaUnreadable("movie_header") }
        guard length > 0, length != (long ? UInt64.max : UInt64(UInt32.max)) else { return nil }
        let (seconds, rest) = length.quotientAndRemainder(dividingBy: scale)
        guard seconds < 1 << 32 else { return nil }
        return Int64(seconds * 1000 + rest * 1000 / scale)
    }

    /// Every chunk of the track starts inside the file (`stco`, `co64`).
    private static func checkChunks(_ reader: inout ByteReader, _ information: MediaBox) throws(MediaRefusal) {
        guard let table = try information.children(&reader).first("stbl") else { throw .mediaUnreadable("sample_table") }
        let boxes = try table.children(&reader)
        guard let box = boxes.first("stco") ?? boxes.first("co64"), box.bodySize >= 8 else {
            throw .mediaUnreadable("sample_table")
        }
        let width: Int64 = box.type == "stco" ? 4 : 8
        let count = Int64(try reader.u32(at: box.body + 4))
        guard count <= (box.bodySize - 8) / width else { throw .mediaUnreadable("sample_table") }
        for index in 0..<count {
            let at = box.body + 8 + index * width
            let offset = width == 4 ? UInt64(try reader.u32(at: at)) : try reader.u64(at: at)
            guard offset < UInt64(reader.size) else { throw .truncated("movie_data") }
        }
    }
}
