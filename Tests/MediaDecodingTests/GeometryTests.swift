import MediaChecks
import MediaDecoding
import SessionDomain
import Testing

@Suite struct GeometryTests {
    /// White pictures of a size, so that the padding shows.
    private func white(_ width: Int, _ height: Int) throws -> any OpenPicture {
        try open(PNGBuilder.file(width, height, depth: 8, channels: 1) { _, _, _ in 255 })
    }

    @Test(arguments: [
        // K21: one odd row of padding goes below; half a pixel is rounded to even
        (1000, 601, 640, 127, 128), (128, 72, 64, 14, 14), (128, 73, 64, 14, 14), (128, 75, 64, 13, 13), (64, 64, 64, 0, 0),
    ])
    func `K21 the padding lies where a model expects it`(width: Int, height: Int, side: Int, top: Int, bottom: Int) throws {
        let image = try white(width, height).pixels(nil, .letterbox(side: side))
        func isGrey(_ y: Int) -> Bool { image.pixel(side / 2, y) == [114, 114, 114] }
        func isWhite(_ y: Int) -> Bool { image.pixel(0, y) == [255, 255, 255] && image.pixel(side - 1, y) == [255, 255, 255] }
        #expect((0..<side).prefix(while: isGrey).count == top)
        #expect((0..<side).reversed().prefix(while: isGrey).count == bottom)
        #expect((top..<side - bottom).allSatisfy(isWhite))
    }

    @Test func `a tall picture is padded at its sides`() throws {
        let image = try white(50, 100).pixels(nil, .letterbox(side: 65))  // 32 or 33 wide: 32.5 becomes 32
        #expect(image.pixel(15, 32) == [114, 114, 114] && image.pixel(16, 32) == [255, 255, 255])
        #expect(image.pixel(47, 32) == [255, 255, 255] && image.pixel(48, 32) == [114, 114, 114])
    }

    @Test func `a small picture is enlarged to the letterbox and by nothing else`() throws {
        let picture = try white(20, 10)
        #expect(try picture.pixels(nil, .letterbox(side: 64)).pixel(32, 32) == [255, 255, 255])
        #expect(try picture.pixels(nil, .within(64)).width == 20)
        #expect(try picture.pixels(nil, .stretch(width: 64, height: 64)).height == 64)
    }

    @Test func `one row, one column and one pixel are pictures`() throws {
        for (width, height) in [(1, 1), (1, 300), (300, 1)] {
            let picture = try white(width, height)
            #expect(try picture.pixels(nil, .letterbox(side: 32)).width == 32)
            #expect(try picture.jpeg(nil, longestSide: 16).count > 100)
        }
    }
}
