import MediaChecks
import Testing

@Suite struct OrientationTests {
    @Test(arguments: 1...8)
    func `F22 one picture stored in eight ways is 40 by 20 upright`(orientation: Int) throws {
        let bytes = try Fixture.bytes("orientation/corners-\(orientation).jpg")
        let media = try #require(Verdict.of(bytes, for: .selfie).media)
        #expect(media.orientation == orientation)
        #expect(media.width == 40 && media.height == 20)
        #expect([media.storedWidth, media.storedHeight] == (orientation < 5 ? [40, 20] : [20, 40]))
        #expect(media.flags == [])
        #expect(media.bytes == Int64(bytes.count))
    }

    @Test func `F22 both byte orders are read`() throws {
        let media = try #require(try Verdict.of(fixture: "orientation/corners-6-little-endian.jpg").media)
        #expect(media.orientation == 6 && media.width == 40)
    }

    @Test(arguments: [
        ("orientation/out-of-range-9.jpg", ["orientation_invalid"]), ("orientation/exif-directory-loop.jpg", []),
        ("orientation/exif-offset-beyond-end.jpg", []),
    ])
    func `F22 a hostile EXIF block leaves the picture as stored`(name: String, flags: [String]) throws {
        let media = try #require(try Verdict.of(fixture: name).media)
        #expect(media.orientation == 1 && media.width == 40 && media.height == 20)
        #expect(media.flags == flags)
    }

    @Test(arguments: ["formats/orientation-6.png", "formats/orientation-6.webp"])
    func `F22 PNG and WebP carry an orientation too`(name: String) throws {
        let media = try #require(try Verdict.of(fixture: name).media)
        #expect(media.orientation == 6)
        #expect([media.width, media.height] == [192, 96])
        #expect([media.storedWidth, media.storedHeight] == [96, 192])
    }

    /// `irot` counts anti-clockwise; `imir` 1 swaps left and right, 0 top and bottom (ISO/IEC 23008-12, 6.5.10 and 6.5.12).
    @Test(
        arguments: [
            ([], 1), ([.mirror(1)], 2), ([.turn(2)], 3), ([.mirror(0)], 4), ([.turn(3), .mirror(1)], 5), ([.turn(3)], 6),
            ([.turn(1), .mirror(1)], 7), ([.turn(1)], 8), ([.turn(1), .turn(3)], 1), ([.mirror(0), .turn(2)], 2),
        ] as [([HEICBuilder.Change], Int)])
    func `F22 HEIC rotation and mirroring become an orientation`(changes: [HEICBuilder.Change], orientation: Int) throws {
        let media = try #require(Verdict.of(HEICBuilder.picture(width: 40, height: 20, changes)).media)
        #expect(media.type == .heic && media.orientation == orientation)
        #expect([media.width, media.height] == (orientation < 5 ? [40, 20] : [20, 40]))
    }

    @Test func `photographs as phones write them are recognised upright`() throws {
        let front = try #require(try Verdict.of(fixture: "passport-front.jpg", declared: "image/jpeg").media)
        #expect(front.orientation == 6 && [front.width, front.height] == [1600, 1200] && front.flags == [])
        let selfie = try #require(try Verdict.of(fixture: "selfie.jpg", for: .selfie).media)
        #expect(selfie.orientation == 6 && [selfie.width, selfie.height] == [384, 512])
        let other = try #require(try Verdict.of(fixture: "selfie-orientation-8.jpg", for: .selfie).media)
        #expect(other.orientation == 8 && [other.width, other.height] == [512, 600])
        #expect(front.facts.width == 1600 && front.facts.type == "image/jpeg")
    }
}
