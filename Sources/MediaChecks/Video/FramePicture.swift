package import SessionDomain

/// One frame of a video as a picture that the pipeline can look at.
package final class FramePicture: OpenPicture {
    package let image: RGBImage
    package var width: Int { image.width }
    package var height: Int { image.height }

    package init(_ image: RGBImage) { self.image = image }

    package func pixels(_ region: NormalizedRect?, _ fit: PixelFit) throws(DecodingRefusal) -> RGBImage {
        let (width, height) = size(of: region)
        switch fit {
        case .stretch(let width, let height): return image.scaled(region, width: width, height: height)
        case .within(let longest):
            let scale = min(1, Double(longest) / max(width, height))
            return image.scaled(
                region, width: max(1, Int((width * scale).rounded())), height: max(1, Int((height * scale).rounded())))
        case .letterbox(let side):
            let geometry = LetterboxGeometry(width: max(1, Int(width)), height: max(1, Int(height)), side: side)
            return image.scaled(region, width: geometry.contentWidth, height: geometry.contentHeight).padded(geometry)
        }
    }

    /// - Throws: always; a frame is written as PNG (``PNGFile``).
    package func jpeg(_ region: NormalizedRect?, longestSide: Int) throws(DecodingRefusal) -> [UInt8] {
        throw DecodingRefusal(
            .unavailable, detail: "frame", message: "A frame of a video is not written as JPEG.", remedy: "Write it as PNG.")
    }

    package func close() {}

    /// In whole pixels, at least one.
    private func size(of region: NormalizedRect?) -> (Double, Double) {
        guard let region else { return (Double(width), Double(height)) }
        return (
            max(1, (min(1, max(0, region.width)) * Double(width)).rounded()),
            max(1, (min(1, max(0, region.height)) * Double(height)).rounded())
        )
    }
}

extension RGBImage {
    /// The picture in its letterbox.
    fileprivate func padded(_ geometry: LetterboxGeometry) -> RGBImage {
        let side = geometry.side
        var bytes = [UInt8](repeating: LetterboxGeometry.padding, count: 3 * side * side)
        for row in 0..<height {
            let to = 3 * ((geometry.top + row) * side + geometry.left)
            bytes.replaceSubrange(to..<to + 3 * width, with: self.bytes[3 * row * width..<3 * (row + 1) * width])
        }
        return RGBImage(width: side, height: side, bytes: bytes)
    }
}
