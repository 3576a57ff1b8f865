/// `iloc` (ISO/IEC 14496-12, 8.11.3): whether every piece of every item lies inside the file.
enum HEICLocations {
    static func check(
        _ reader: inout ByteReader, _ box: MediaBox, inline: MediaBox?, primary: UInt32
    ) throws(MediaRefusal) {
        guard box.bodySize >= 8 else { throw .mediaUnreadable("heic_locations") }
        let version = try reader.byte(at: box.body)
        guard version <= 2 else { throw .mediaUnreadable("heic_locations") }
        let sizes = try reader.u16(at: box.body + 4)
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = version > 0 ? sizes & 15 : 0
        var cursor = Cursor(offset: box.body + 6, end: box.end)
        let items = try cursor.take(&reader, version < 2 ? 2 : 4)
        var sawPrimary = false
        for _ in 0..<items {
            let item = try cursor.take(&reader, version < 2 ? 2 : 4)
            let method = version > 0 ? try cursor.take(&reader, 2) & 15 : 0
            _ = try cursor.take(&reader, 2)
            let base = try cursor.take(&reader, baseSize)
            let extents = try cursor.take(&reader, 2)
            // Extents without a size take no room: a few bytes could ask for billions of steps.
            guard extents <= 1 || offsetSize + lengthSize + indexSize > 0 else { throw .mediaUnreadable("heic_locations") }
            if item == UInt64(primary) { sawPrimary = sawPrimary || extents > 0 }
            for _ in 0..<extents {
                _ = try cursor.take(&reader, indexSize)
                let offset = try cursor.take(&reader, offsetSize)
                let length = try cursor.take(&reader, lengthSize)
                let limit: UInt64? =
                    switch method {
                    case 0: UInt64(reader.size)
                    case 1: UInt64(inline?.bodySize ?? 0)
                    default: nil
                    }
                guard let limit else { continue }
                let (start, overflow) = base.addingReportingOverflow(offset)
                guard !overflow, start <= limit, length <= limit - start else { throw .truncated("heic_data") }
            }
        }
        guard sawPrimary else { throw .mediaUnreadable("heic_locations") }
    }

    private struct Cursor {
        var offset: Int64
        let end: Int64

        /// A big-endian number of 0, 2, 4 or 8 bytes.
        mutating func take(_ reader: inout ByteReader, _ size: Int) throws(MediaRefusal) -> UInt64 {
            guard end - offset >= Int64(size) else { throw .mediaUnreadable("heic_locations") }
            defer { offset += Int64(size) }
            switch size {
            case 0: return 0
            case 2: return UInt64(try reader.u16(at: offset))
            case 4: return UInt64(try reader.u32(at: offset))
            case 8: return try reader.u64(at: offset)
            default: throw .mediaUnreadable("heic_locations")
            }
        }
    }
}
