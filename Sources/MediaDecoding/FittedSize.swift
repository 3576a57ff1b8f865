import MediaChecks

extension PixelFit {
    /// The size into which an area is scaled, before any padding.
    func size(of width: Int, _ height: Int) -> (width: Int, height: Int) {
        switch self {
        case .letterbox(let side):
            let geometry = LetterboxGeometry(width: width, height: height, side: side)
            return (geometry.contentWidth, geometry.contentHeight)
        case .stretch(let width, let height): return (width, height)
        case .within(let longest): return Self.within(longest, width, height)
        }
    }

    /// Never larger than it is.
    static func within(_ longest: Int, _ width: Int, _ height: Int) -> (width: Int, height: Int) {
        let longer = max(width, height)
        if longer <= longest { return (width, height) }
        let scale = Double(longest) / Double(longer)
        return (
            max(1, Int((Double(width) * scale).rounded())), max(1, Int((Double(height) * scale).rounded()))
        )
    }

    /// The scaled pixels as they are handed out.
    func finish(_ pixels: [UInt8], width: Int, height: Int, of area: (width: Int, height: Int)) -> RGBImage {
        if case .letterbox(let side) = self {
            return LetterboxGeometry(width: area.width, height: area.height, side: side).padded(pixels)
        }
        return RGBImage(width: width, height: height, bytes: pixels)
    }
}

extension LetterboxGeometry {
    /// The square around scaled pixels: three bytes for each of ``contentWidth`` · ``contentHeight`` pixels.
    func padded(_ pixels: [UInt8]) -> RGBImage {
        let row = 3 * contentWidth
        let before = [UInt8](repeating: Self.padding, count: 3 * left)
        let after = [UInt8](repeating: Self.padding, count: 3 * right)
        var bytes = [UInt8](repeating: Self.padding, count: 3 * side * top)
        bytes.reserveCapacity(3 * side * side)
        for start in stride(from: 0, to: pixels.count, by: row) {
            bytes += before
            bytes += pixels[start..<start + row]
            bytes += after
        }
        bytes += [UInt8](repeating: Self.padding, count: 3 * side * bottom)
        return RGBImage(width: side, height: side, bytes: bytes)
    }
}
