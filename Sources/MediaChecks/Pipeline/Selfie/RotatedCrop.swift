import Glibc
import SessionDomain

/// A square of a picture, turned so that the eyes lie level, as the face mesh wants it.
package struct RotatedCrop: Sendable {
    let centre: Point
    /// In pixels of the picture.
    let side: Double
    /// Radians, clockwise in the picture.
    let angle: Double

    /// Around a detected face with a margin of a quarter on each side (mediapipe takes the same).
    package init(around face: FaceCandidate) {
        centre = Point(x: (face.box.x0 + face.box.x1) / 2, y: (face.box.y0 + face.box.y1) / 2)
        side = max(2, 1.5 * max(face.box.width, face.box.height))
        angle = atan2(face.leftEye.y - face.rightEye.y, face.leftEye.x - face.rightEye.x)
    }

    /// From fractions of the crop to pixels of the picture.
    package func place(x: Double, y: Double) -> Point {
        let (u, v) = ((x - 0.5) * side, (y - 0.5) * side)
        return Point(x: centre.x + cos(angle) * u - sin(angle) * v, y: centre.y + sin(angle) * u + cos(angle) * v)
    }

    /// Scaled to `size` pixels. What lies outside of the picture repeats its edge.
    package func image(of picture: any OpenPicture, size: Int) throws(CheckFault) -> RGBImage {
        let reach = side / 2 * (abs(cos(angle)) + abs(sin(angle)))
        let (width, height) = (Double(picture.width), Double(picture.height))
        func pixel(_ value: Double, _ limit: Double) -> Double { min(limit, max(0, value)) }
        let left = pixel((centre.x - reach).rounded(.down), width - 1)
        let top = pixel((centre.y - reach).rounded(.down), height - 1)
        let right = pixel((centre.x + reach).rounded(.up), width)
        let bottom = pixel((centre.y + reach).rounded(.up), height)
        let (spanX, spanY) = (max(1, right - left), max(1, bottom - top))
        let region = NormalizedRect(x: left / width, y: top / height, width: spanX / width, height: spanY / height)
        let longest = Int((max(spanX, spanY) * Double(size) / side).rounded(.up))
        let source = try picture.image(region, .within(min(4096, max(1, longest))))
        let (scaleX, scaleY) = (Double(source.width) / spanX, Double(source.height) / spanY)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 * size * size)
        for row in 0..<size {
            for column in 0..<size {
                let at = place(x: (Double(column) + 0.5) / Double(size), y: (Double(row) + 0.5) / Double(size))
                source.appendSample(x: (at.x - left) * scaleX - 0.5, y: (at.y - top) * scaleY - 0.5, to: &bytes)
            }
        }
        return RGBImage(width: size, height: size, bytes: bytes)
    }
}

extension RGBImage {
    /// Between four pixels (bilinear); beyond the edge the edge repeats.
    ///
    /// - Parameters:
    ///   - x: 0 is the middle of the first column.
    ///   - y: 0 is the middle of the first row.
    func appendSample(x: Double, y: Double, to samples: inout [UInt8]) {
        let (column, row) = (min(Double(width - 1), max(0, x)), min(Double(height - 1), max(0, y)))
        let (x0, y0) = (Int(column), Int(row))
        let (right, below) = (column - Double(x0), row - Double(y0))
        let upper = 3 * (y0 * width + x0)
        let lower = y0 + 1 < height ? upper + 3 * width : upper
        let next = x0 + 1 < width ? 3 : 0
        for channel in 0..<3 {
            let above = Double(bytes[upper + channel]) * (1 - right) + Double(bytes[upper + next + channel]) * right
            let under = Double(bytes[lower + channel]) * (1 - right) + Double(bytes[lower + next + channel]) * right
            samples.append(UInt8(min(255, (above * (1 - below) + under * below).rounded())))
        }
    }
}
