import Glibc
import SessionDomain

/// A square of a picture, turned so that the eyes lie level, as the face mesh wants it.
struct RotatedCrop {
    let centre: Point
    /// In pixels of the picture.
    let side: Double
    /// Radians, clockwise in the picture.
    let angle: Double

    /// Around a detected face with a margin of a quarter on each side (mediapipe takes the same).
    init(around face: FaceCandidate) {
        centre = Point(x: (face.box.x0 + face.box.x1) / 2, y: (face.box.y0 + face.box.y1) / 2)
        side = max(2, 1.5 * max(face.box.width, face.box.height))
        angle = atan2(face.eyes.1.y - face.eyes.0.y, face.eyes.1.x - face.eyes.0.x)
    }

    /// From fractions of the crop to pixels of the picture.
    func place(x: Double, y: Double) -> Point {
        let (u, v) = ((x - 0.5) * side, (y - 0.5) * side)
        return Point(x: centre.x + cos(angle) * u - sin(angle) * v, y: centre.y + sin(angle) * u + cos(angle) * v)
    }

    /// Scaled to `size` pixels. What lies outside of the picture repeats its edge.
    func image(of picture: any OpenPicture, size: Int) throws(CheckFault) -> RGBImage {
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
        var bytes = [UInt8](repeating: 0, count: 3 * size * size)
        for row in 0..<size {
            for column in 0..<size {
                let at = place(x: (Double(column) + 0.5) / Double(size), y: (Double(row) + 0.5) / Double(size))
                source.sample(x: (at.x - left) * scaleX - 0.5, y: (at.y - top) * scaleY - 0.5) { channel, value in
                    bytes[3 * (row * size + column) + channel] = value
                }
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
    func sample(x: Double, y: Double, _ put: (Int, UInt8) -> Void) {
        let (column, row) = (min(Double(width - 1), max(0, x)), min(Double(height - 1), max(0, y)))
        let (x0, y0) = (Int(column), Int(row))
        let (x1, y1) = (min(width - 1, x0 + 1), min(height - 1, y0 + 1))
        let (right, below) = (column - Double(x0), row - Double(y0))
        for channel in 0..<3 {
            func pixel(_ x: Int, _ y: Int) -> Double { Double(bytes[3 * (y * width + x) + channel]) }
            let upper = pixel(x0, y0) * (1 - right) + pixel(x1, y0) * right
            let lower = pixel(x0, y1) * (1 - right) + pixel(x1, y1) * right
            put(channel, UInt8(min(255, (upper * (1 - below) + lower * below).rounded())))
        }
    }
}
