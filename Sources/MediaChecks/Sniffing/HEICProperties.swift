/// The properties of an item: `ipma` says which of `ipco` belong to it, in the order they are applied.
enum HEICProperties {
    static func apply(
        _ reader: inout ByteReader, _ box: MediaBox, _ item: UInt32, _ limits: MediaLimits
    ) throws(MediaRefusal) -> SniffedMedia {
        let parts = try box.children(&reader)
        guard let container = parts.first("ipco") else { throw .mediaUnreadable("heic_properties") }
        let properties = try container.children(&reader)
        var media: SniffedMedia?
        var turn = QuarterTurn()
        for association in parts where association.type == "ipma" {
            for index in try indices(&reader, association, item) where index > 0 {
                guard index <= properties.count else { throw .mediaUnreadable("heic_properties") }
                let property = properties[index - 1]
                switch property.type {
                case "ispe":
                    guard property.bodySize >= 12 else { throw .mediaUnreadable("heic_properties") }
                    let width = Int(try reader.u32(at: property.body + 4))
                    let height = Int(try reader.u32(at: property.body + 8))
                    try limits.check(width: width, height: height, part: "heic_properties")
                    media = SniffedMedia(type: .heic, width: width, height: height)
                case "irot" where property.bodySize >= 1:
                    turn.rotate(clockwise: -Int(try reader.byte(at: property.body) & 3))
                case "imir" where property.bodySize >= 1:
                    if try reader.byte(at: property.body) & 1 == 1 { turn.mirrorLeftRight() } else { turn.mirrorTopBottom() }
                default: break
                }
            }
        }
        guard var media else { throw .mediaUnreadable("heic_properties") }
        media.orient(turn.orientation)
        return media
    }

    /// The property indices (1-based) of one item, ISO/IEC 14496-12, 8.11.14.
    private static func indices(
        _ reader: inout ByteReader, _ box: MediaBox, _ item: UInt32
    ) throws(MediaRefusal) -> [Int] {
        guard box.bodySize >= 8 else { throw .mediaUnreadable("heic_properties") }
        let wideItems = try reader.byte(at: box.body) > 0
        let wideIndices = try reader.byte(at: box.body + 3) & 1 == 1
        var offset = box.body + 8
        for _ in 0..<(try reader.u32(at: box.body + 4)) {
            guard box.end - offset >= (wideItems ? 5 : 3) else { throw .mediaUnreadable("heic_properties") }
            let id = wideItems ? try reader.u32(at: offset) : UInt32(try reader.u16(at: offset))
            offset += wideItems ? 4 : 2
            let count = Int64(try reader.byte(at: offset))
            offset += 1
            guard box.end - offset >= count * (wideIndices ? 2 : 1) else { throw .mediaUnreadable("heic_properties") }
            if id == item {
                var found: [Int] = []
                for index in 0..<count {
                    // The highest bit says "essential".
                    found.append(
                        wideIndices
                            ? try reader.u16(at: offset + index * 2) & 0x7FFF : Int(try reader.byte(at: offset + index) & 0x7F))
                }
                return found
            }
            offset += count * (wideIndices ? 2 : 1)
        }
        return []
    }
}

/// One of the eight ways to lay a picture down: mirrored left to right or not, then turned clockwise.
struct QuarterTurn {
    private var mirrored = false
    private var turns = 0

    mutating func rotate(clockwise quarters: Int) { turns = (turns + quarters + 8) & 3 }

    mutating func mirrorLeftRight() {
        mirrored.toggle()
        turns = (4 - turns) & 3
    }

    mutating func mirrorTopBottom() {
        mirrorLeftRight()
        turns = (turns + 2) & 3
    }

    /// The EXIF number of what has to be done to see the picture upright.
    var orientation: Int {
        switch (mirrored, turns) {
        case (false, 0): 1
        case (true, 0): 2
        case (false, 2): 3
        case (true, 2): 4
        case (true, 3): 5
        case (false, 1): 6
        case (true, 1): 7
        default: 8
        }
    }
}
