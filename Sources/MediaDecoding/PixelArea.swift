import SessionDomain

/// A rectangle in whole pixels.
struct PixelArea: Hashable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
}

extension PixelArea {
    /// Every pixel that the region touches, clamped to the picture; at least one pixel.
    init(_ region: NormalizedRect?, width: Int, height: Int) {
        guard let region else {
            self.init(x: 0, y: 0, width: width, height: height)
            return
        }
        let (left, right) = Self.span(region.x, region.width, width)
        let (top, bottom) = Self.span(region.y, region.height, height)
        self.init(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Rounded to the nearest pixel edge; what is no number is 0.
    private static func span(_ start: Double, _ length: Double, _ size: Int) -> (Int, Int) {
        let from = edge(start, size)
        let to = edge(start + length, size)
        if to > from { return (from, to) }
        return from < size ? (from, from + 1) : (size - 1, size)
    }

    private static func edge(_ fraction: Double, _ size: Int) -> Int {
        fraction > 0 ? Int((min(1, fraction) * Double(size)).rounded()) : 0
    }

    /// The same pixels in the picture as it is stored. `width` and `height` are of the upright picture.
    ///
    /// - Parameter orientation: EXIF's 1 to 8: where row 0 and column 0 of the stored picture lie in the upright one.
    func stored(orientation: Int, width: Int, height: Int) -> PixelArea {
        let (mirrorX, mirrorY) = (width - x - self.width, height - y - self.height)
        switch orientation {
        case 2: return PixelArea(x: mirrorX, y: y, width: self.width, height: self.height)
        case 3: return PixelArea(x: mirrorX, y: mirrorY, width: self.width, height: self.height)
        case 4: return PixelArea(x: x, y: mirrorY, width: self.width, height: self.height)
        case 5: return PixelArea(x: y, y: x, width: self.height, height: self.width)
        case 6: return PixelArea(x: y, y: mirrorX, width: self.height, height: self.width)
        case 7: return PixelArea(x: mirrorY, y: mirrorX, width: self.height, height: self.width)
        case 8: return PixelArea(x: mirrorY, y: x, width: self.height, height: self.width)
        default: return self
        }
    }
}
