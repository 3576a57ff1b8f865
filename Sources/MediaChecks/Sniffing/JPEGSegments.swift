/// Steps from marker to marker (T.81 B.1.1).
struct JPEGSegments {
    /// A marker and the body of its segment; markers without a segment have a length of 0.
    struct Segment {
        let marker: UInt8
        let body: Int64
        let length: Int
        var end: Int64 { body + Int64(length) }
    }

    /// Where the next marker is looked for.
    var offset: Int64 = 2

    /// The next segment, or nil where the file ends in place of a marker.
    mutating func next(_ reader: inout ByteReader) throws(MediaRefusal) -> Segment? {
        guard let lead = try reader.byteIfAny(at: offset) else { return nil }
        guard lead == 0xFF else { throw .mediaUnreadable(reader.part) }
        var at = offset + 1
        var marker: UInt8 = 0xFF
        while marker == 0xFF {
            guard let byte = try reader.byteIfAny(at: at) else { return nil }
            marker = byte
            at += 1
        }
        if marker == 0xD8 || marker == 0xD9 || (0xD0...0xD7).contains(marker) || marker == 0x01 {
            offset = at
            return Segment(marker: marker, body: at, length: 0)
        }
        guard marker != 0 else { throw .mediaUnreadable(reader.part) }
        let length = try reader.u16(at: at)
        guard length >= 2 else { throw .mediaUnreadable(reader.part) }
        let segment = Segment(marker: marker, body: at + 2, length: length - 2)
        guard segment.end <= reader.size else { throw .truncated(reader.part) }
        offset = segment.end
        return segment
    }

    /// Steps over entropy-coded data to the marker that ends it; nil where the file ends first.
    mutating func skipScan(_ reader: inout ByteReader) throws(MediaRefusal) -> Int64? {
        var at = offset
        while let lead = try reader.firstIndex(of: 0xFF, from: at) {
            guard let follower = try reader.byteIfAny(at: lead + 1) else { return nil }
            switch follower {
            case 0x00, 0xD0...0xD7: at = lead + 2
            case 0xFF: at = lead + 1
            default:
                offset = lead
                return lead
            }
        }
        return nil
    }
}
