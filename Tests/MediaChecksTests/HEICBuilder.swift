/// Makes the container of a HEIC picture, with four bytes where its data would be.
enum HEICBuilder {
    enum Change: Sendable {
        /// Quarter turns anti-clockwise.
        case turn(UInt8)
        case mirror(UInt8)
    }

    static func picture(width: UInt32, height: UInt32, _ changes: [Change]) -> [UInt8] {
        let fileType = box("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8))
        // The location needs the size of what comes before the data, and does not change it.
        let draft = meta(width, height, changes, dataOffset: 0)
        let offset = UInt32(fileType.count + draft.count + 8)
        return fileType + meta(width, height, changes, dataOffset: offset) + box("mdat", [1, 2, 3, 4])
    }

    private static func meta(_ width: UInt32, _ height: UInt32, _ changes: [Change], dataOffset: UInt32) -> [UInt8] {
        var properties = box("ispe", [0, 0, 0, 0] + big(width) + big(height))
        for change in changes {
            switch change {
            case .turn(let quarters): properties += box("irot", [quarters])
            case .mirror(let axis): properties += box("imir", [axis])
            }
        }
        let count = UInt8(changes.count + 1)
        let association = box("ipma", [0, 0, 0, 0] + big(1) + [0, 1, count] + (1...count).map { $0 | 0x80 })
        let handler = box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("pict".utf8) + Array(repeating: 0, count: 13))
        let location = box("iloc", [0, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1] + big(dataOffset) + big(4))
        return box(
            "meta",
            [0, 0, 0, 0] + handler + box("pitm", [0, 0, 0, 0, 0, 1]) + location
                + box("iprp", box("ipco", properties) + association))
    }

    static func box(_ type: String, _ body: [UInt8]) -> [UInt8] { big(UInt32(body.count + 8)) + Array(type.utf8) + body }

    static func big(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }
}
