/// HEIC (ISO/IEC 23008-12): size, rotation and mirroring of the primary item from `meta`, and whether its data is all there.
///
/// The container's own `irot` and `imir` are what a decoder applies; an EXIF block inside is not looked at.
enum HEICHeader {
    static func parse(_ reader: inout ByteReader, _ limits: MediaLimits) throws(MediaRefusal) -> SniffedMedia {
        reader.part = "heic_boxes"
        let (meta, trailing) = try walk(&reader)
        let boxes = try meta.children(&reader, skipping: 4)
        guard let primary = boxes.first("pitm"), let properties = boxes.first("iprp"), let locations = boxes.first("iloc")
        else {
            throw .mediaUnreadable("heic_boxes")
        }
        let wide = try reader.byte(at: primary.body) > 0
        guard primary.bodySize >= (wide ? 8 : 6) else { throw .mediaUnreadable("heic_boxes") }
        let item = wide ? try reader.u32(at: primary.body + 4) : UInt32(try reader.u16(at: primary.body + 4))
        var media = try HEICProperties.apply(&reader, properties, item, limits)
        try HEICLocations.check(&reader, locations, inline: boxes.first("idat"), primary: item)
        if trailing { media.flag(.trailingData) }
        return media
    }

    private static func walk(_ reader: inout ByteReader) throws(MediaRefusal) -> (meta: MediaBox, trailing: Bool) {
        var meta: MediaBox?
        var offset: Int64 = 0
        var count = 0
        while offset < reader.size {
            count += 1
            guard count <= 4096 else { throw .mediaUnreadable("heic_boxes") }
            if let meta, offset > meta.end {
                guard reader.size - offset >= 8, try reader.code(at: offset + 4).isPrintable else { return (meta, true) }
            }
            let box = try MediaBox.read(&reader, at: offset, limit: reader.size)
            if box.type == "meta", meta == nil { meta = box }
            offset = box.end
        }
        guard let meta else { throw .truncated("heic_boxes") }
        return (meta, false)
    }
}
