/// How a picture lies in a square that it was scaled into, and the exact way back.
///
/// The scale is the largest at which both sides fit; both sides are rounded half to even, as the tools round that such models
/// were trained with; an odd rest of padding goes to the right and to the bottom. 1000 × 601 in 640 becomes 640 × 385, 127
/// pixels of padding above and 128 below; 1280 × 721 becomes 640 × 360.
package struct LetterboxGeometry: Sendable, Hashable {
    /// The grey of the padding, in every channel.
    package static let padding: UInt8 = 114

    package let sourceWidth, sourceHeight, side: Int
    /// Size of the scaled picture, at least one pixel each.
    package let contentWidth, contentHeight: Int
    /// Padding in pixels; what is missing to the side lies right and below.
    package let left, top: Int

    package var right: Int { side - contentWidth - left }
    package var bottom: Int { side - contentHeight - top }

    /// - Precondition: all of them are positive.
    package init(width: Int, height: Int, side: Int) {
        precondition(width > 0 && height > 0 && side > 0, "a letterbox needs a picture and a side")
        sourceWidth = width
        sourceHeight = height
        self.side = side
        let scale = min(Double(side) / Double(width), Double(side) / Double(height))
        func scaled(_ length: Int) -> Int { min(side, max(1, Int((Double(length) * scale).rounded(.toNearestOrEven)))) }
        contentWidth = scaled(width)
        contentHeight = scaled(height)
        func before(_ content: Int) -> Int { Int((Double(side - content) / 2 - 0.1).rounded(.toNearestOrEven)) }
        left = before(contentWidth)
        top = before(contentHeight)
    }

    /// From pixels of the picture to pixels of the square.
    package func forward(x: Double, y: Double) -> (x: Double, y: Double) {
        (
            x * Double(contentWidth) / Double(sourceWidth) + Double(left),
            y * Double(contentHeight) / Double(sourceHeight) + Double(top)
        )
    }

    /// From pixels of the square to pixels of the picture; outside of it for places in the padding.
    package func inverse(x: Double, y: Double) -> (x: Double, y: Double) {
        (
            (x - Double(left)) * Double(sourceWidth) / Double(contentWidth),
            (y - Double(top)) * Double(sourceHeight) / Double(contentHeight)
        )
    }

    package func inverse(_ box: PixelBox) -> PixelBox {
        let (x0, y0) = inverse(x: box.x0, y: box.y0)
        let (x1, y1) = inverse(x: box.x1, y: box.y1)
        return PixelBox(x0: x0, y0: y0, x1: x1, y1: y1)
    }
}
