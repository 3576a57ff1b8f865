package import MediaChecks
import SessionDomain

/// What every decoder promises about a picture, as checks that name what broke.
package enum PictureDecoderConformance {
    /// - Parameters:
    ///   - open: opens the same picture anew; upright 200 to 2000 pixels a side, not square.
    ///   - size: its upright size.
    /// - Returns: the promises that were broken; none for a conforming decoder.
    package static func broken(_ size: (width: Int, height: Int), _ open: () throws -> any OpenPicture) throws -> [String] {
        var broken: [String] = []
        func check(_ holds: Bool, _ promise: String) { if !holds { broken.append(promise) } }

        let picture = try open()
        check(picture.width == size.width && picture.height == size.height, "the size is the upright one")
        let boxed = try picture.pixels(nil, .letterbox(side: 96))
        check(boxed.width == 96 && boxed.height == 96, "a letterbox is a square of its side")
        check(boxed.bytes[..<3] == [114, 114, 114], "what the picture does not fill is grey 114")
        let middle = 3 * (48 * 96 + 48)
        check(boxed.bytes[middle..<middle + 3] != [114, 114, 114], "the picture is in the middle")

        let stretched = try picture.pixels(nil, .stretch(width: 40, height: 70))
        check(stretched.width == 40 && stretched.height == 70, "stretched is exactly the size that was asked for")
        let within = try picture.pixels(nil, .within(50))
        check(max(within.width, within.height) == 50, "within: the longer side")
        let ratio = Double(within.width) / Double(within.height) * Double(size.height) / Double(size.width)
        check((0.95...1.05).contains(ratio), "within: the picture keeps its shape")
        let whole = try picture.pixels(nil, .within(100_000))
        check(whole.width == size.width && whole.height == size.height, "within never enlarges")
        check(try picture.pixels(nil, .within(50)) == within, "asked again, the same")

        let half = NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 0.5)
        let quarter = try picture.pixels(half, .within(100_000))
        check(abs(quarter.width - size.width / 2) <= 1 && abs(quarter.height - size.height / 2) <= 1, "a region has its size")
        let corner = 3 * (size.width - quarter.width)
        check(quarter.bytes[..<3] == whole.bytes[corner..<corner + 3], "a region lies where it was named")
        let outside = try picture.pixels(NormalizedRect(x: -1, y: -1, width: 3, height: 3), .within(100_000))
        check(outside == whole, "a region is clamped to the picture")
        let speck = try picture.pixels(NormalizedRect(x: 1, y: 1, width: 0, height: 0), .within(9))
        check(speck.width == 1 && speck.height == 1, "an empty region is one pixel")

        let jpeg = try picture.jpeg(half, longestSide: 60)
        check(jpeg.starts(with: [0xFF, 0xD8]) && jpeg.suffix(2) == [0xFF, 0xD9], "a JPEG from its beginning to its end")
        picture.close()
        picture.close()
        check((try? picture.pixels(nil, .within(9))) == nil, "a closed picture has no pixels")
        return broken
    }
}
