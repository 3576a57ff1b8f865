/// Pixels that are drawn on. Everything is clipped to the picture.
struct Canvas {
    private(set) var image: RGBImage

    init(_ image: RGBImage) { self.image = image }

    init(width: Int, height: Int, _ ink: Ink) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 * width * height)
        for _ in 0..<width * height { bytes.append(contentsOf: [ink.red, ink.green, ink.blue]) }
        image = RGBImage(width: width, height: height, bytes: bytes)
    }

    mutating func fill(_ area: PixelArea, _ ink: Ink) {
        let area = area.clipped(width: image.width, height: image.height)
        for y in area.top..<area.bottom {
            for x in area.left..<area.right {
                let at = 3 * (y * image.width + x)
                image.bytes[at] = ink.red
                image.bytes[at + 1] = ink.green
                image.bytes[at + 2] = ink.blue
            }
        }
    }

    /// The area's edge, `thickness` pixels inwards.
    mutating func frame(_ area: PixelArea, _ ink: Ink, thickness: Int) {
        let inner = area.inset(thickness)
        guard inner.left < inner.right, inner.top < inner.bottom else { return fill(area, ink) }
        fill(PixelArea(left: area.left, top: area.top, right: area.right, bottom: inner.top), ink)
        fill(PixelArea(left: area.left, top: inner.bottom, right: area.right, bottom: area.bottom), ink)
        fill(PixelArea(left: area.left, top: inner.top, right: inner.left, bottom: inner.bottom), ink)
        fill(PixelArea(left: inner.right, top: inner.top, right: area.right, bottom: inner.bottom), ink)
    }

    /// - Parameters:
    ///   - left: of the first glyph.
    ///   - top: of a capital letter.
    ///   - scale: pixels of the picture for one of the font.
    mutating func write(_ text: String, left: Int, top: Int, scale: Int, _ ink: Ink) {
        var at = left
        for character in text {
            for row in 0..<BitmapFont.height {
                for column in 0..<BitmapFont.width where BitmapFont.hasInk(character, column: column, row: row) {
                    let (x, y) = (at + column * scale, top + row * scale)
                    // half a pixel more to the right: thin strokes are hard to read on a photograph
                    fill(PixelArea(left: x, top: y, right: x + scale + scale / 2, bottom: y + scale), ink)
                }
            }
            at += (BitmapFont.width + 1) * scale
        }
    }

    static func textWidth(_ text: String, scale: Int) -> Int {
        text.isEmpty ? 0 : (text.count * (BitmapFont.width + 1) - 1) * scale
    }

    /// Copies a picture whose top left corner comes to lie there.
    mutating func place(_ other: RGBImage, left: Int, top: Int) {
        for y in 0..<other.height where (0..<image.height).contains(top + y) {
            for x in 0..<other.width where (0..<image.width).contains(left + x) {
                let from = 3 * (y * other.width + x)
                let to = 3 * ((top + y) * image.width + left + x)
                for channel in 0..<3 { image.bytes[to + channel] = other.bytes[from + channel] }
            }
        }
    }
}

/// Pixels from the left and top edge up to the right and bottom one, which are outside.
struct PixelArea: Hashable {
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int

    func inset(_ by: Int) -> PixelArea {
        PixelArea(left: left + by, top: top + by, right: right - by, bottom: bottom - by)
    }

    func moved(right: Int = 0, down: Int = 0) -> PixelArea {
        PixelArea(left: left + right, top: top + down, right: self.right + right, bottom: bottom + down)
    }

    func clipped(width: Int, height: Int) -> PixelArea {
        let left = min(max(0, left), width)
        let top = min(max(0, top), height)
        return PixelArea(left: left, top: top, right: min(max(left, right), width), bottom: min(max(top, bottom), height))
    }

    func overlaps(_ other: PixelArea) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }
}

/// A colour to draw with.
struct Ink: Hashable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8

    init(_ code: UInt32) {
        red = UInt8(truncatingIfNeeded: code >> 16)
        green = UInt8(truncatingIfNeeded: code >> 8)
        blue = UInt8(truncatingIfNeeded: code)
    }

    /// 0 to 255 (BT.601): who does not tell the hues apart sees them by this.
    var lightness: Double { 0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue) }

    /// What is read best on it.
    var reading: Ink { lightness > 128 ? .night : .paper }
}

extension Ink {
    static let night = Ink(0x14_18_1F)
    static let paper = Ink(0xF7_F8_FA)
    static let muted = Ink(0x9A_A4_B2)
    static let passed = Ink(0x86_E5_B1)
    static let failed = Ink(0xD6_38_2F)

    /// Of a class of the detectors; those that are not known share one.
    static func named(_ name: String) -> Ink { classes[name] ?? Ink(0xA0_A0_A0) }

    static let classes: [String: Ink] = [
        "page": Ink(0xFF_E0_66), "photo": Ink(0x6F_D3_FF), "face": Ink(0x8C_E6_C4), "signature": Ink(0xD5_A6_FF),
        "mrz": Ink(0xF5_9A_3C), "finger": Ink(0xE2_4A_8D), "other_document": Ink(0x4C_6F_B5),
    ]
}
