import MediaChecks
import TestSupport
import Testing

@Suite struct RotatedCropTests {
    /// Red is the column, green the row.
    private let picture = PlainPicture(240, 200) { (UInt8($0), UInt8($1), 0) }

    /// A face of 40 x 40 around 120, 100, with its eyes turned by quarter turns: a crop of 60 x 60 pixels.
    private func crop(eyes: (x: Double, y: Double), centre: (x: Double, y: Double) = (120, 100))
        -> RotatedCrop
    {
        RotatedCrop(
            around: FaceCandidate(
                score: 1, box: PixelBox(centreX: centre.x, centreY: centre.y, width: 40, height: 36),
                rightEye: Point(x: centre.x - eyes.x, y: centre.y - eyes.y),
                leftEye: Point(x: centre.x + eyes.x, y: centre.y + eyes.y)))
    }

    private func pixel(_ image: RGBImage, _ x: Int, _ y: Int) -> (x: Int, y: Int) {
        let index = 3 * (y * image.width + x)
        return (Int(image.bytes[index]), Int(image.bytes[index + 1]))
    }

    @Test func `an upright face is cut with a quarter of its size on each side`() throws {
        let image = try crop(eyes: (8, 0)).image(of: picture, size: 60)
        for (x, y) in [(0, 0), (59, 0), (30, 30), (0, 59), (59, 59)] {
            #expect(pixel(image, x, y) == (90 + x, 70 + y))
        }
    }

    @Test func `a face on its side is turned so that its eyes lie level`() throws {
        // the left eye lies below the right one: the crop's columns run down the picture
        let image = try crop(eyes: (0, 8)).image(of: picture, size: 60)
        for (x, y) in [(0, 0), (59, 0), (30, 30), (0, 59)] {
            let found = pixel(image, x, y)
            #expect(abs(found.x - (149 - y)) <= 1 && abs(found.y - (70 + x)) <= 1)
        }
    }

    @Test func `what lies outside of the picture repeats its edge`() throws {
        let image = try crop(eyes: (8, 0), centre: (10, 190)).image(of: picture, size: 60)
        #expect(
            pixel(image, 0, 0) == (0, 160) && pixel(image, 40, 59) == (20, 199)
                && pixel(image, 0, 59) == (0, 199))
    }

    @Test func `places of the crop lead back into the picture`() {
        let place = crop(eyes: (0, 8)).place(x: 1, y: 0.5)
        #expect(abs(place.x - 120) < 1e-9 && abs(place.y - 130) < 1e-9)
    }

    @Test func `a face far outside, or without size, gives a crop all the same`() throws {
        for (x, y, size) in [(-500.0, 900.0, 40.0), (120, 100, 0), (1e7, 1e7, 1e6)] {
            let face = FaceCandidate(
                score: 1, box: PixelBox(centreX: x, centreY: y, width: size, height: size),
                rightEye: Point(x: x, y: y),
                leftEye: Point(x: x, y: y))
            #expect(try RotatedCrop(around: face).image(of: picture, size: 8).bytes.count == 192)
        }
    }
}
