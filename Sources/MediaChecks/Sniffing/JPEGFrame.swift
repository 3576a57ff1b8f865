/// The frame header (SOF0, SOF1, SOF2), T.81 B.2.2.
struct JPEGFrame: Equatable {
    struct Component: Equatable {
        let id: UInt8
        /// Sampling factors, 1 to 4.
        let horizontal: Int
        let vertical: Int
    }

    let isProgressive: Bool
    let width: Int
    let height: Int
    let components: [Component]

    var largestHorizontal: Int { components.map(\.horizontal).max() ?? 1 }
    var largestVertical: Int { components.map(\.vertical).max() ?? 1 }

    /// Reads the segment body at `offset`, whose length without the two length bytes is `length`.
    static func read(
        _ reader: inout ByteReader, marker: UInt8, at offset: Int64, length: Int, _ limits: MediaLimits
    ) throws(MediaRefusal) -> JPEGFrame {
        switch marker {
        case 0xC0, 0xC1, 0xC2: break
        case 0xC3: throw .unsupportedFormat("jpeg_lossless")
        case 0xC5...0xC7: throw .unsupportedFormat("jpeg_hierarchical")
        default: throw .unsupportedFormat("jpeg_arithmetic")
        }
        guard length >= 6 else { throw .mediaUnreadable("jpeg_header") }
        let precision = try reader.byte(at: offset)
        let height = try reader.u16(at: offset + 1)
        let width = try reader.u16(at: offset + 3)
        let count = Int(try reader.byte(at: offset + 5))
        try limits.check(width: width, height: height, part: "jpeg_header")
        guard precision == 8 else { throw .unsupportedFormat("jpeg_12_bit") }
        guard (1...4).contains(count), length == 6 + 3 * count else { throw .mediaUnreadable("jpeg_header") }
        var components: [Component] = []
        for index in 0..<count {
            let at = offset + 6 + 3 * Int64(index)
            let id = try reader.byte(at: at)
            let sampling = try reader.byte(at: at + 1)
            let (horizontal, vertical) = (Int(sampling >> 4), Int(sampling & 15))
            guard (1...4).contains(horizontal), (1...4).contains(vertical), !components.contains(where: { $0.id == id }) else {
                throw .mediaUnreadable("jpeg_header")
            }
            components.append(Component(id: id, horizontal: horizontal, vertical: vertical))
        }
        return JPEGFrame(isProgressive: marker == 0xC2, width: width, height: height, components: components)
    }
}
