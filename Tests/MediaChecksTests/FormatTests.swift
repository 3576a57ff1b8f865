import MediaChecks
import SessionDomain
import Testing

@Suite struct FormatTests {
    @Test(arguments: [
        ("formats/portrait.png", MediaType.png, 192, 192), ("formats/portrait.webp", .webp, 192, 192),
        ("formats/lossless.webp", .webp, 64, 64), ("formats/portrait.heic", .heic, 192, 192),
        ("formats/tiny.heic", .heic, 40, 20), ("documents/one-page.pdf", .pdf, 354, 249),
        ("documents/linearized.pdf", .pdf, 354, 249), ("documents/one-page-object-streams.pdf", .pdf, 354, 249),
    ])
    func `S26 HEIC, PNG, WebP and a one-page PDF are taken in`(name: String, type: MediaType, width: Int, height: Int) throws {
        let media = try #require(try Verdict.of(fixture: name, declared: type.rawValue).media)
        #expect(media.type == type && [media.width, media.height] == [width, height])
        #expect(media.pages == (type == .pdf ? 1 : nil))
        #expect(media.flags == [])
    }

    @Test func `S26 a page's rotation is told`() throws {
        let media = try #require(try Verdict.of(fixture: "documents/one-page-turned.pdf").media)
        #expect(media.rotation == 90)
        #expect([media.storedWidth, media.storedHeight] == [249, 354])
        #expect([media.width, media.height] == [354, 249])
    }

    @Test(arguments: [
        ("documents/two-pages.pdf", "pdf_too_many_pages"), ("documents/two-pages-object-streams.pdf", "pdf_too_many_pages"),
        ("documents/encrypted.pdf", "pdf_encrypted"),
    ])
    func `S26 longer and encrypted PDFs are refused by name`(name: String, label: String) throws {
        #expect(try Verdict.of(fixture: name).refusal == label)
    }

    @Test(arguments: [
        "formats/heic-named.jpg", "formats/png-named.jpg", "formats/portrait.webp", "documents/one-page.pdf",
    ])
    func `F26 the bytes decide and a wrong declaration is flagged`(name: String) throws {
        let media = try #require(try Verdict.of(fixture: name, declared: "image/jpeg").media)
        #expect(media.type != .jpeg)
        #expect(media.flags == ["declared_type_differs"])
    }

    @Test func `F26 an MP4 sent as a JPEG is no page, and a hologram with a flag`() throws {
        #expect(try Verdict.of(fixture: "hologram.mp4", declared: "image/jpeg").refusal == "not_allowed_for_piece(mp4)")
        let media = try #require(try Verdict.of(fixture: "hologram.mp4", for: .hologram, declared: "image/jpeg").media)
        #expect(media.type == .mp4 && media.flags == ["declared_type_differs"])
    }

    @Test(arguments: ["image/jpeg", "IMAGE/JPEG; q=1", "image/jpg", "application/octet-stream", "", nil])
    func `F26 aliases and empty declarations are no lie`(declared: String?) throws {
        #expect(try Verdict.of(fixture: "jpeg/baseline.jpg", declared: declared).media?.flags == [])
    }

    @Test(arguments: [
        (Piece.selfie, "documents/one-page.pdf", "not_allowed_for_piece(pdf)"),
        (.hologram, "jpeg/baseline.jpg", "not_allowed_for_piece(jpeg)"),
        (.hologram, "formats/portrait.heic", "not_allowed_for_piece(heic)"),
        (.selfie, "videos/rotated-90.mov", "not_allowed_for_piece(mov)"),
        (.passportBack, "hologram.mp4", "not_allowed_for_piece(mp4)"),
    ])
    func `pieces take their own kinds of media`(piece: Piece, name: String, label: String) throws {
        #expect(try Verdict.of(fixture: name, for: piece).refusal == label)
    }
}
