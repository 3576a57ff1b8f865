import MediaChecks
import MediaDecoding
import SessionDomain
import TestSupport
import Testing

@Suite struct FormatTests {
    @Test(arguments: ["jpeg/grey.jpg", "jpeg/grey-progressive.jpg"])
    func `F25 grey becomes three equal channels`(name: String) throws {
        let grey = try pixels(name)
        var unequal = 0
        for at in stride(from: 0, to: grey.bytes.count, by: 3) where Set(grey.bytes[at..<at + 3]).count != 1 { unequal += 1 }
        #expect(unequal == 0)
        #expect(grey.distance(try pixels("jpeg/baseline.jpg")) < 40)
    }

    @Test func `F25 progressive is baseline`() throws {
        #expect(try pixels("jpeg/progressive.jpg").largestDistance(try pixels("jpeg/baseline.jpg")) <= 2)
        #expect(try pixels("jpeg/restart-intervals.jpg").largestDistance(try pixels("jpeg/baseline.jpg")) <= 2)
    }

    @Test func `CMYK is a picture in its colours`() throws {
        let colours = try pixels("jpeg/cmyk.jpg")
        #expect(colours.distance(try pixels("jpeg/baseline.jpg")) < 30)
    }

    /// As every program reads it: who writes CMYK without the marker writes it as Adobe does nevertheless.
    @Test func `CMYK without Adobe's marker is the same picture`() throws {
        let marked = try Fixture.bytes("jpeg/cmyk.jpg")
        let place = try #require(marked.indices.dropLast(6).first { marked[$0..<$0 + 5].elementsEqual("Adobe".utf8) })
        let length = Int(marked[place - 2]) << 8 | Int(marked[place - 1])
        let plain = Array(marked[..<(place - 4)] + marked[(place - 2 + length)...])
        #expect(try open(plain).pixels(nil, .within(100)) == open(marked).pixels(nil, .within(100)))
    }

    @Test(arguments: [
        "formats/portrait.png", "formats/portrait.webp", "formats/portrait.heic", "formats/heic-named.jpg",
        "formats/png-named.jpg",
    ])
    func `S26 the other formats show the same picture`(name: String) throws {
        #expect(try pixels(name).distance(try pixels("jpeg/baseline.jpg")) < 6)
    }

    @Test(arguments: ["formats/orientation-6.png", "formats/orientation-6.webp"])
    func `orientation counts in PNG and WebP too`(name: String) throws {
        let picture = try pixels(name)
        #expect(picture.width == 192 && picture.height == 96)
        let upper = try open("formats/portrait.png").pixels(NormalizedRect(x: 0, y: 0, width: 1, height: 0.5), .within(1000))
        #expect(picture.distance(upper) < 6)
    }

    @Test(arguments: ["one-page", "one-page-turned", "linearized", "one-page-object-streams"])
    func `a page is rendered in two hundred dots an inch`(name: String) throws {
        let bytes = try Fixture.bytes("documents/\(name).pdf")
        let media = try MediaSniffer.sniff(ByteArraySource(bytes), for: .passportFront, declaredType: nil)
        let page = try open(bytes)
        #expect(abs(page.width - media.width * 200 / 72) <= 4 && abs(page.height - media.height * 200 / 72) <= 4)
        let picture = try page.pixels(nil, .within(300))
        #expect(Set(picture.bytes).count > 50, "an empty page")
    }

    @Test func `sixteen bits are eight of them`() throws {
        let wide = try open(
            PNGBuilder.file(8, 8, depth: 16, channels: 3) { x, y, channel in UInt16(x * 8000 + y * 100 + channel * 50) })
        let narrow = try open(
            PNGBuilder.file(8, 8, depth: 8, channels: 3) { x, y, channel in UInt16(x * 8000 + y * 100 + channel * 50) >> 8 })
        #expect(try wide.pixels(nil, .within(8)).largestDistance(try narrow.pixels(nil, .within(8))) <= 1)
    }

    @Test func `what is transparent is grey`() throws {
        let picture = try open(
            PNGBuilder.file(8, 8, depth: 8, channels: 4) { x, _, channel in channel == 3 ? (x < 4 ? 0 : 255) : 200 })
        let image = try picture.pixels(nil, .within(8))
        #expect(image.pixel(0, 3) == [114, 114, 114] && image.pixel(7, 3) == [200, 200, 200])
    }

    @Test func `grey with transparency and grey in sixteen bits have three channels`() throws {
        for (depth, channels, most) in [(8, 2, 255), (16, 2, 65_535), (16, 1, 65_535)] {
            let file = PNGBuilder.file(4, 4, depth: depth, channels: channels) { _, _, channel in
                UInt16(channel == 1 ? most : most / 2)
            }
            let image = try open(file).pixels(nil, .within(4))
            #expect(image.pixel(1, 1).allSatisfy { abs(Int($0) - 127) <= 1 }, "\(depth) \(channels) \(image.pixel(1, 1))")
        }
    }
}
