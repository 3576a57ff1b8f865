/// Upright pixels: three bytes each (red, green, blue), sRGB, row after row without padding.
package struct RGBImage: Sendable, Hashable {
    package let width: Int
    package let height: Int
    /// `3 · width · height` bytes.
    package var bytes: [UInt8]

    package init(width: Int, height: Int, bytes: [UInt8]) {
        precondition(width > 0 && height > 0 && bytes.count == 3 * width * height, "an image has three bytes a pixel")
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}

/// The size in which pixels are asked for. What is scaled is the whole picture, or the region that was named with it.
package enum PixelFit: Sendable, Hashable {
    /// Scaled to fit into a square of `side` pixels and padded to it with grey 114, as ``LetterboxGeometry`` says.
    case letterbox(side: Int)
    /// Stretched to exactly this size.
    case stretch(width: Int, height: Int)
    /// Scaled down until the longer side has at most this many pixels; never up.
    case within(Int)
}
