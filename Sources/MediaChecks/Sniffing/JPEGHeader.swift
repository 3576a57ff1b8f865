/// JPEG (ITU-T T.81): the frame header, orientation from APP1, and a streaming walk over every scan to the end marker.
///
/// Inside entropy-coded data 0xFF is always followed by 0x00 or a restart number, so the end marker cannot occur there by
/// chance: a file that was cut has none. When there is none, ``JPEGCompleteness`` decides between a picture that lacks only its last
/// two bytes and one that was cut. A file damaged in the middle that still ends properly is the decoder's to find.
enum JPEGHeader {
    static func parse(_ reader: inout ByteReader, _ limits: MediaLimits) throws(MediaRefusal) -> SniffedMedia {
        reader.part = "jpeg_header"
        var walk = JPEGWalk()
        let end = try walk.run(&reader, limits)
        guard let frame = walk.frame else { throw .mediaUnreadable("jpeg_header") }
        var media = SniffedMedia(type: .jpeg, width: frame.width, height: frame.height)
        if frame.isProgressive { media.flag(.progressive) }
        if frame.components.count == 1 { media.flag(.grey) }
        if frame.components.count == 4 { media.flag(.cmyk) }
        if let block = walk.exif { media.orient(byEXIF: block) }
        if let end {
            if end < reader.size { media.flag(.trailingData) }
        } else {
            guard try JPEGCompleteness.isComplete(&reader, frame) else { throw .truncated("jpeg_scan") }
            media.flag(.missingEndMarker)
        }
        return media
    }
}
