import MediaChecks
import MediaDecoding
import TestSupport
import Testing

@Suite struct ConformanceTests {
    @Test(arguments: [
        "passport-front.jpg", "selfie.jpg", "selfie-orientation-8.jpg", "formats/orientation-6.png", "documents/one-page.pdf",
    ])
    func `the decoder keeps what a decoder promises`(name: String) throws {
        let first = try open(name)
        let broken = try PictureDecoderConformance.broken((first.width, first.height)) { try open(name) }
        #expect(broken == [])
    }

    @Test func `so does the tests' own decoder`() throws {
        let image = RGBImage.painted(300, 200) { x, y in (UInt8(x % 200), UInt8(y), 50) }
        #expect(try PictureDecoderConformance.broken((300, 200)) { SamplePicture(image) } == [])
    }
}
