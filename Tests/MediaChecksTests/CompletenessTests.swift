import MediaChecks
import Testing

@Suite struct CompletenessTests {
    @Test(arguments: ["baseline", "progressive"])
    func `F24 a JPEG cut in half is truncated`(kind: String) throws {
        #expect(try Verdict.of(fixture: "damaged/\(kind)-cut-in-half.jpg").refusal == "truncated(jpeg_scan)")
    }

    @Test(arguments: ["baseline", "progressive"])
    func `F24 a JPEG without its last two bytes is accepted and flagged`(kind: String) throws {
        let media = try #require(try Verdict.of(fixture: "damaged/\(kind)-end-marker-missing.jpg").media)
        #expect(media.has(.missingEndMarker))
        #expect([media.width, media.height] == [192, 192])
    }

    @Test(arguments: [
        "tiny-baseline", "tiny-progressive", "tiny-grey-progressive", "tiny-restart-intervals", "tiny-cmyk-progressive",
    ])
    func `F24 at every length a JPEG is whole, lacks its end marker or is truncated`(name: String) throws {
        let bytes = try Fixture.bytes("jpeg/\(name).jpg")
        for length in 4..<bytes.count {
            let verdict = Verdict.of(bytes.prefix(length))
            if length >= bytes.count - 2 {
                #expect(verdict.media?.has(.missingEndMarker) == true, "\(length) of \(bytes.count)")
            } else {
                #expect(verdict.refusal?.hasPrefix("truncated") == true, "\(length) of \(bytes.count): \(verdict)")
            }
        }
        #expect(Verdict.of(bytes).media?.has(.missingEndMarker) == false)
    }

    @Test(arguments: [
        "jpeg/baseline.jpg", "jpeg/progressive.jpg", "jpeg/grey.jpg", "jpeg/grey-progressive.jpg", "jpeg/cmyk.jpg",
        "jpeg/restart-intervals.jpg", "jpeg/full-colour.jpg", "selfie.jpg",
    ])
    func `F24 photographs lose two bytes unharmed and three bytes not`(name: String) throws {
        let bytes = try Fixture.bytes(name)
        #expect(Verdict.of(bytes).media != nil)
        #expect(Verdict.of(bytes.dropLast(2)).media?.has(.missingEndMarker) == true)
        #expect(Verdict.of(bytes.dropLast(3)).refusal == "truncated(jpeg_scan)")
        #expect(Verdict.of(bytes.dropLast(bytes.count / 20)).refusal == "truncated(jpeg_scan)")
    }

    @Test func `F24 a copy whose tail is still zeros is truncated`() throws {
        #expect(try Verdict.of(fixture: "damaged/zero-filled-tail.jpg").refusal == "truncated(jpeg_scan)")
    }

    @Test(arguments: [
        ("damaged/cut-in-half.png", "truncated(png_chunks)"), ("damaged/cut-in-half.heic", "truncated(heic_boxes)"),
        ("damaged/cut-in-half.pdf", "truncated(pdf_end)"),
    ])
    func `F24 other formats cut in half are truncated`(name: String, label: String) throws {
        #expect(try Verdict.of(fixture: name).refusal == label)
    }

    @Test func `F24 a WebP shorter than its container says is truncated`() throws {
        let bytes = try Fixture.bytes("formats/portrait.webp")
        #expect(Verdict.of(bytes.dropLast(1)).refusal == "truncated(webp_chunks)")
    }

    @Test(arguments: ["jpeg/baseline.jpg", "formats/portrait.png", "formats/portrait.webp", "documents/one-page.pdf"])
    func `bytes after the end are flagged`(name: String) throws {
        let bytes = try Fixture.bytes(name)
        #expect(Verdict.of(bytes).media?.has(.trailingData) == false)
        #expect(Verdict.of(bytes + Array("PK\u{3}\u{4}!".utf8)).media?.has(.trailingData) == true)
        #expect(try Verdict.of(fixture: "damaged/trailing-data.jpg").media?.flags == ["trailing_data"])
    }

    @Test(arguments: [
        ("baseline", []), ("progressive", ["progressive"]), ("grey", ["grey"]), ("cmyk", ["cmyk"]),
        ("grey-progressive", ["grey", "progressive"]), ("restart-intervals", []), ("full-colour", []),
    ])
    func `F25 grey, four-channel and progressive pictures are recognised`(name: String, flags: [String]) throws {
        let media = try #require(try Verdict.of(fixture: "jpeg/\(name).jpg").media)
        #expect(media.flags == flags)
        #expect([media.width, media.height] == [192, 192])
    }
}
