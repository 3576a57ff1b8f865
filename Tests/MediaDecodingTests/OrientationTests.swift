import MediaChecks
import MediaDecoding
import SessionDomain
import Testing

@Suite struct OrientationTests {
    @Test(arguments: 1...8)
    func `F22 a picture is upright whichever of the eight ways it is stored in`(orientation: Int) throws {
        let upright = try pixels("orientation/corners-1.jpg")
        let turned = try pixels("orientation/corners-\(orientation).jpg")
        #expect(turned.width == 40 && turned.height == 20)
        // JPEG's blocks lie elsewhere when the picture is turned, so that its noise does.
        #expect(turned.distance(upright) < 3, "\(turned.distance(upright))")
        for (x, y) in [(2, 2), (37, 2), (2, 17), (37, 17)] {
            #expect(zip(turned.pixel(x, y), upright.pixel(x, y)).allSatisfy { abs(Int($0) - Int($1)) < 40 })
        }
    }

    @Test func `F22 an orientation that does not exist is none`() throws {
        let picture = try open("orientation/out-of-range-9.jpg")
        #expect(picture.width == 40 && picture.height == 20)
    }

    @Test(arguments: ["orientation/corners-6.jpg", "orientation/corners-5.jpg", "passport-front.jpg"])
    func `F22 a derived file is upright and says nothing of an orientation`(name: String) throws {
        let picture = try open(name)
        let derived = try picture.jpeg(nil, longestSide: 400)
        let media = try MediaSniffer.sniff(ByteArraySource(derived), for: .passportFront, declaredType: nil)
        #expect(media.orientation == 1)
        #expect(max(media.width, media.height) == min(400, max(picture.width, picture.height)))
        #expect((media.width > media.height) == (picture.width > picture.height))
        let words = derived.indices.dropLast(3).filter { derived[$0..<$0 + 4].elementsEqual("Exif".utf8) }
        #expect(words.isEmpty, "metadata was kept")
        let again = try open(derived).pixels(nil, .within(200))
        #expect(again.distance(try picture.pixels(nil, .within(200))) < 6)
    }

    @Test(arguments: 1...8)
    func `F22 a region is the same place in every orientation`(orientation: Int) throws {
        let region = NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 0.5)
        let whole = try pixels("orientation/corners-\(orientation).jpg")
        let part = try open("orientation/corners-\(orientation).jpg").pixels(region, .within(100))
        #expect(part.width == 20 && part.height == 10)
        for y in 0..<10 { for x in 0..<20 { #expect(part.pixel(x, y) == whole.pixel(20 + x, y)) } }
    }
}
