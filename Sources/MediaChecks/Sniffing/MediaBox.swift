/// One box of the ISO base media file format (ISO/IEC 14496-12, 4.2).
struct MediaBox {
    let type: FourCC
    /// Offset of the first byte of its content.
    let body: Int64
    /// Offset after its last byte.
    let end: Int64

    var bodySize: Int64 { end - body }

    /// The box that starts at `offset` within a parent that ends at `limit`.
    ///
    /// - Throws: `truncated` when it goes past a parent that is the file, `media_unreadable` when it goes past another box.
    static func read(_ reader: inout ByteReader, at offset: Int64, limit: Int64) throws(MediaRefusal) -> MediaBox {
        let overrun: MediaRefusal = limit == reader.size ? .truncated(reader.part) : .mediaUnreadable(reader.part)
        guard limit - offset >= 8 else { throw overrun }
        let short = try reader.u32(at: offset)
        let type = try reader.code(at: offset + 4)
        var header: Int64 = 8
        var length = UInt64(short)
        if short == 1 {
            guard limit - offset >= 16 else { throw overrun }
            length = try reader.u64(at: offset + 8)
            header = 16
        } else if short == 0 {
            guard limit == reader.size else { throw .mediaUnreadable(reader.part) }
            length = UInt64(limit - offset)
        }
        guard length >= UInt64(header) else { throw .mediaUnreadable(reader.part) }
        guard length <= UInt64(limit - offset) else { throw overrun }
        return MediaBox(type: type, body: offset + header, end: offset + Int64(length))
    }

    /// The boxes inside, from `skipping` bytes into the content (4 for a full box), at most 4,096.
    func children(_ reader: inout ByteReader, skipping: Int64 = 0) throws(MediaRefusal) -> [MediaBox] {
        var found: [MediaBox] = []
        var offset = body + skipping
        while end - offset >= 8 {
            // A QuickTime list may end in a 32-bit zero.
            if end < reader.size, try reader.u32(at: offset) == 0 { break }
            guard found.count < 4096 else { throw .mediaUnreadable(reader.part) }
            let child = try MediaBox.read(&reader, at: offset, limit: end)
            found.append(child)
            offset = child.end
        }
        return found
    }
}

extension [MediaBox] {
    func first(_ type: FourCC) -> MediaBox? { first { $0.type == type } }
}
