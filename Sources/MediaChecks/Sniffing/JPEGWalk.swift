/// One pass over a JPEG: the frame header, the first EXIF block, and the end marker.
struct JPEGWalk {
    /// As many scans as a picture may have; far more than any encoder makes, few enough to bound a hostile file.
    static let mostScans = 500

    private(set) var frame: JPEGFrame?
    private(set) var exif: [UInt8]?

    /// Returns the offset after the end marker, or nil where the file ends inside a scan or in place of a marker after one.
    mutating func run(_ reader: inout ByteReader, _ limits: MediaLimits) throws(MediaRefusal) -> Int64? {
        var segments = JPEGSegments()
        var scans = 0
        while true {
            guard let segment = try segments.next(&reader) else {
                guard scans > 0 else { throw .truncated(reader.part) }
                return nil
            }
            switch segment.marker {
            case 0xD9:
                guard scans > 0 else { throw .mediaUnreadable("jpeg_scan") }
                return segment.end
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard frame == nil else { throw .mediaUnreadable("jpeg_header") }
                frame = try JPEGFrame.read(
                    &reader, marker: segment.marker, at: segment.body, length: segment.length, limits)
            case 0xE1 where exif == nil && segment.length > 6:
                if try reader.bytes(at: segment.body, count: 6).elementsEqual("Exif\0\0".utf8) {
                    exif = try reader.bytes(at: segment.body + 6, count: segment.length - 6)
                }
            case 0xDA:
                guard frame != nil else { throw .mediaUnreadable("jpeg_header") }
                scans += 1
                guard scans <= Self.mostScans else { throw .mediaUnreadable("jpeg_scan") }
                reader.part = "jpeg_scan"
                guard try segments.skipScan(&reader) != nil else { return nil }
            case 0xD8: throw .mediaUnreadable("jpeg_header")
            default: break
            }
        }
    }
}
