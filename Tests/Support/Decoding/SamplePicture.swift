package import MediaChecks
package import SessionDomain

/// A picture in memory behind the decoder's port. Scales by taking the nearest pixel.
package final class SamplePicture: OpenPicture {
    private let image: RGBImage
    private var isClosed = false

    package var width: Int { image.width }
    package var height: Int { image.height }

    package init(_ image: RGBImage) { self.image = image }

    package func pixels(_ region: NormalizedRect?, _ fit: PixelFit) throws(DecodingRefusal) -> RGBImage {
        try checkOpen()
        let area = area(region)
        switch fit {
        case .stretch(let width, let height): return scaled(area, width, height)
        case .within(let longest):
            let scale = min(1, Double(longest) / Double(max(area.width, area.height)))
            return scaled(area, side(area.width, scale), side(area.height, scale))
        case .letterbox(let side):
            let scale = min(Double(side) / Double(area.width), Double(side) / Double(area.height))
            let content = scaled(area, min(side, self.side(area.width, scale)), min(side, self.side(area.height, scale)))
            return Self.centred(content, side)
        }
    }

    /// A header with the right size and nothing in it.
    package func jpeg(_ region: NormalizedRect?, longestSide: Int) throws(DecodingRefusal) -> [UInt8] {
        let size = try pixels(region, .within(longestSide))
        func big(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }
        return [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8] + big(size.height) + big(size.width)
            + [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 0xFF, 0xD9]
    }

    package func close() { isClosed = true }

    private func checkOpen() throws(DecodingRefusal) {
        if isClosed {
            throw DecodingRefusal(
                .unavailable, detail: "closed", message: "The decoder does not run.", remedy: "Open it again.")
        }
    }

    private func side(_ length: Int, _ scale: Double) -> Int {
        max(1, Int((Double(length) * scale).rounded(.toNearestOrEven)))
    }

    private func area(_ region: NormalizedRect?) -> (x: Int, y: Int, width: Int, height: Int) {
        guard let region else { return (0, 0, width, height) }
        let (x, right) = Self.span(region.x, region.width, width)
        let (y, bottom) = Self.span(region.y, region.height, height)
        return (x, y, right - x, bottom - y)
    }

    private static func span(_ start: Double, _ length: Double, _ size: Int) -> (Int, Int) {
        let from = min(size - 1, max(0, Int((start * Double(size)).rounded())))
        return (from, min(size, max(from + 1, Int(((start + length) * Double(size)).rounded()))))
    }

    private func scaled(_ area: (x: Int, y: Int, width: Int, height: Int), _ width: Int, _ height: Int) -> RGBImage {
        .painted(width, height) { x, y in
            let at = 3 * ((area.y + y * area.height / height) * image.width + area.x + x * area.width / width)
            return (image.bytes[at], image.bytes[at + 1], image.bytes[at + 2])
        }
    }

    private static func centred(_ content: RGBImage, _ side: Int) -> RGBImage {
        let (left, top) = ((side - content.width) / 2, (side - content.height) / 2)
        return .painted(side, side) { x, y in
            let (column, row) = (x - left, y - top)
            guard (0..<content.width).contains(column), (0..<content.height).contains(row) else { return (114, 114, 114) }
            let at = 3 * (row * content.width + column)
            return (content.bytes[at], content.bytes[at + 1], content.bytes[at + 2])
        }
    }
}

/// Frames in memory behind the decoder's port.
package final class SampleVideo: OpenVideo {
    private var frames: ArraySlice<VideoFrame>
    package let width: Int
    package let height: Int
    package let durationMilliseconds: Int64?

    init(_ frames: [VideoFrame], width: Int, height: Int) {
        self.frames = frames[...]
        self.width = width
        self.height = height
        durationMilliseconds = frames.last?.timeMilliseconds
    }

    package func frame(atMilliseconds time: Int64, _ fit: PixelFit) throws(DecodingRefusal) -> VideoFrame? {
        guard let index = frames.firstIndex(where: { $0.timeMilliseconds >= time }) else {
            frames = []
            return nil
        }
        let frame = frames[index]
        frames = frames[(index + 1)...]
        return VideoFrame(timeMilliseconds: frame.timeMilliseconds, image: try SamplePicture(frame.image).pixels(nil, fit))
    }

    package func close() { frames = [] }
}
