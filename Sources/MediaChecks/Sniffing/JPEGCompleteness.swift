/// Decides, for a JPEG without an end marker, whether its picture is nevertheless all there: every code of every block of
/// every scan is read, and no pixel is made.
///
/// Complete means that the last scan's last block ends with the file (a lone 0xFF may follow), that every component was sent
/// and, for a progressive picture, that every coefficient was sent down to its last bit. So a picture whose encoder left
/// coefficients out on purpose *and* lacks its end marker is refused; none of the usual encoders does that. Memory: for
/// progressive pictures one bit a coefficient (12 MB for 100 megapixels in grey, up to 50 MB with four full components), for
/// others none.
struct JPEGCompleteness {
    /// Blocks that may be visited; 100 megapixels in ten full scans need fewer.
    static let mostBlocks = 40_000_000

    let frame: JPEGFrame
    var dcTables = [JPEGHuffmanTable?](repeating: nil, count: 4)
    var acTables = [JPEGHuffmanTable?](repeating: nil, count: 4)
    var restartInterval = 0
    /// For each component and coefficient the bit position that was sent last; 255 where none was.
    var sent: [[UInt8]]
    /// For each component and block of a progressive picture the coefficients known not to be zero.
    var significant: [[UInt64]]
    var visited = 0

    static func isComplete(_ reader: inout ByteReader, _ frame: JPEGFrame) throws(MediaRefusal) -> Bool {
        var walk = JPEGCompleteness(frame: frame)
        return try walk.run(&reader)
    }

    private init(frame: JPEGFrame) {
        self.frame = frame
        sent = Array(repeating: Array(repeating: 255, count: 64), count: frame.components.count)
        significant = Array(repeating: [], count: frame.components.count)
    }

    private mutating func run(_ reader: inout ByteReader) throws(MediaRefusal) -> Bool {
        var segments = JPEGSegments()
        while let lead = try reader.byteIfAny(at: segments.offset) {
            guard lead == 0xFF else { return false }
            guard let segment = try segments.next(&reader) else { break }
            switch segment.marker {
            case 0xC4: guard try readTables(&reader, segment) else { return false }
            case 0xDD:
                guard segment.length == 2 else { return false }
                restartInterval = try reader.u16(at: segment.body)
            case 0xDA:
                guard let scan = try JPEGScan.read(&reader, segment, frame) else { return false }
                guard let end = try walkScan(&reader, scan, from: segment.end) else { return false }
                segments.offset = end
                for part in scan.parts {
                    for coefficient in scan.first...scan.last { sent[part.component][coefficient] = UInt8(scan.low) }
                }
            default: break
            }
        }
        return sent.allSatisfy { $0.allSatisfy { $0 == 0 } }
    }

    private mutating func readTables(
        _ reader: inout ByteReader, _ segment: JPEGSegments.Segment
    ) throws(MediaRefusal) -> Bool {
        var at = segment.body
        while at < segment.end {
            guard segment.end - at >= 17 else { return false }
            let target = try reader.byte(at: at)
            let counts = try reader.bytes(at: at + 1, count: 16)
            let total = counts.reduce(0) { $0 + Int($1) }
            guard target & 15 < 4, target >> 4 < 2, total <= 256, segment.end - at - 17 >= Int64(total) else { return false }
            guard let table = JPEGHuffmanTable(counts: counts, values: try reader.bytes(at: at + 17, count: total)) else {
                return false
            }
            if target >> 4 == 0 { dcTables[Int(target & 15)] = table } else { acTables[Int(target & 15)] = table }
            at += 17 + Int64(total)
        }
        return true
    }
}
