/// A scan header (T.81 B.2.3).
struct JPEGScan {
    struct Part {
        /// Index of the component in the frame.
        let component: Int
        let dcTable: Int
        let acTable: Int
    }

    let parts: [Part]
    /// First and last coefficient, and the bit position before and after.
    let first: Int
    let last: Int
    let high: Int
    let low: Int

    /// Nil where the header contradicts the frame.
    static func read(
        _ reader: inout ByteReader, _ segment: JPEGSegments.Segment, _ frame: JPEGFrame
    ) throws(MediaRefusal) -> JPEGScan? {
        guard segment.length >= 1 else { return nil }
        let count = Int(try reader.byte(at: segment.body))
        guard (1...4).contains(count), segment.length == 4 + 2 * count else { return nil }
        var parts: [Part] = []
        for index in 0..<count {
            let at = segment.body + 1 + 2 * Int64(index)
            let id = try reader.byte(at: at)
            let tables = try reader.byte(at: at + 1)
            guard let component = frame.components.firstIndex(where: { $0.id == id }), tables & 0x0F < 4, tables >> 4 < 4,
                !parts.contains(where: { $0.component == component })
            else { return nil }
            parts.append(Part(component: component, dcTable: Int(tables >> 4), acTable: Int(tables & 15)))
        }
        let tail = segment.body + 1 + 2 * Int64(count)
        guard frame.isProgressive else { return JPEGScan(parts: parts, first: 0, last: 63, high: 0, low: 0) }
        let first = Int(try reader.byte(at: tail))
        let last = Int(try reader.byte(at: tail + 1))
        let bits = try reader.byte(at: tail + 2)
        let scan = JPEGScan(parts: parts, first: first, last: last, high: Int(bits >> 4), low: Int(bits & 15))
        // DC alone, or AC of one component.
        guard first <= last, last <= 63, first == 0 ? last == 0 : count == 1, scan.low <= 13 else { return nil }
        return scan
    }
}
