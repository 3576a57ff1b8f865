package import MediaChecks
package import SessionDomain

/// A picture in any size whose pixels are a function of their place, which remembers what was asked of it. Scales by the
/// nearest pixel.
package final class PlainPicture: OpenPicture {
    package typealias Colour = (red: UInt8, green: UInt8, blue: UInt8)

    package let width, height: Int
    private let colour: (Int, Int) -> Colour
    package private(set) var requests: [(region: NormalizedRect?, fit: PixelFit)] = []
    /// Thrown instead of pixels.
    package var refusal: DecodingRefusal?

    /// - Parameter colour: of a pixel, by column and row.
    package init(_ width: Int, _ height: Int, colour: @escaping (Int, Int) -> Colour) {
        self.width = width
        self.height = height
        self.colour = colour
    }

    /// Of one colour.
    package convenience init(_ width: Int, _ height: Int, colour: Colour = (120, 120, 120)) {
        self.init(width, height) { _, _ in colour }
    }

    package func pixels(_ region: NormalizedRect?, _ fit: PixelFit) throws(DecodingRefusal)
        -> RGBImage
    {
        requests.append((region, fit))
        if let refusal { throw refusal }
        let region = region ?? NormalizedRect(x: 0, y: 0, width: 1, height: 1)
        let left = Int((region.x * Double(width)).rounded())
        let top = Int((region.y * Double(height)).rounded())
        let across = max(1, Int((region.width * Double(width)).rounded()))
        let down = max(1, Int((region.height * Double(height)).rounded()))
        let (columns, rows): (Int, Int) =
            switch fit {
            case .letterbox(let side): (side, side)
            case .stretch(let width, let height): (width, height)
            case .within(let longest):
                (
                    min(across, max(1, across * longest / max(across, down))),
                    min(down, max(1, down * longest / max(across, down)))
                )
            }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 * columns * rows)
        for row in 0..<rows {
            for column in 0..<columns {
                let pixel = colour(
                    min(width - 1, left + column * across / columns), min(height - 1, top + row * down / rows)
                )
                bytes.append(pixel.red)
                bytes.append(pixel.green)
                bytes.append(pixel.blue)
            }
        }
        return RGBImage(width: columns, height: rows, bytes: bytes)
    }

    package func jpeg(_ region: NormalizedRect?, longestSide: Int) throws(DecodingRefusal) -> [UInt8] { [] }
    package func close() {}
}
