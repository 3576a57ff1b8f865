import MediaChecks
import SessionDomain
import TestSupport
import Testing

@Suite struct PassportDetectionTests {
    typealias Script = PassportScript

    @Test(arguments: YOLOSamples.Layout.allCases, [true, false])
    func `S42 a clean page passes in both layouts and units`(layout: YOLOSamples.Layout, normalized: Bool) throws {
        let report = try Script(layout: layout, normalized: normalized).check()
        #expect(report.failure == nil && report.detections.map(\.name).sorted() == ["mrz", "page", "photo"])
        let page = try #require(report.page)
        #expect(abs(page.x - 0.1) < 1e-5 && abs(page.y - 0.2) < 1e-5 && abs(page.width - 0.8) < 1e-5)
    }

    @Test func `S43 a page with a photo or with an MRZ is a front, and neither alone is`() throws {
        #expect(try Script([Script.page, Script.photo]).check().failure == nil)
        #expect(try Script([Script.page, Script.mrz]).check().failure == nil)
        #expect(try Script([Script.page]).check().failure == .noDocument)
        #expect(try Script([Script.photo, Script.mrz]).check().failure == .noDocument)
        #expect(try Script([]).check().failure == .noDocument)
    }

    @Test func `S43 the rule is named in the finding, with the field that it found`() throws {
        let report = try Script().check()
        let rule = try #require(report.finding("page_with_photo_or_mrz"))
        #expect(rule.passed == true && rule.direction == .atLeast && rule.region != nil && rule.model != nil)
        let missing = try #require(try Script([Script.page]).check().finding("page_with_photo_or_mrz"))
        #expect(missing.passed == false && missing.value == 0)
    }

    @Test func `S43 a photo counts where its centre lies in the page, not where its corner does`() throws {
        // its corner at 0.85 lies in the page, which ends at 0.9; its centre at 0.95 does not
        let outside: Script.Seen = ("photo", 0.9, 0.85, 0.3, 0.2, 0.3)
        #expect(try Script([Script.page, outside]).check().failure == .noDocument)
        // its corner at 0.02 lies outside, its centre at 0.12 lies in it
        let inside: Script.Seen = ("photo", 0.9, 0.02, 0.3, 0.2, 0.3)
        #expect(try Script([Script.page, inside]).check().failure == nil)
    }

    @Test func `S42 every class has its own threshold`() throws {
        var policy = CheckPolicy.standard
        let weak: [Script.Seen] = [("page", 0.55, 0.1, 0.2, 0.8, 0.6), ("photo", 0.45, 0.15, 0.3, 0.2, 0.3)]
        #expect(try Script(weak).check().failure == nil)
        policy.detector.page = 0.6
        #expect(try Script(weak).check(policy: policy).failure == .noDocument)
        policy.detector.page = 0.5
        policy.detector.photo = 0.5
        #expect(try Script(weak).check(policy: policy).failure == .noDocument)
    }

    @Test func `a back is a page, with or without anything on it`() throws {
        #expect(try Script([Script.page]).check(.passportBack).failure == nil)
        #expect(try Script().check(.passportBack).failure == nil)
        #expect(try Script([Script.photo]).check(.passportBack).failure == .noDocument)
        var policy = CheckPolicy.standard
        policy.passport.backPage = .pageWithoutPhoto
        #expect(try Script([Script.page]).check(.passportBack, policy: policy).failure == nil)
        let front = try Script().check(.passportBack, policy: policy)
        #expect(front.failure == .noDocument && front.finding("page_without_photo")?.passed == false)
    }

    @Test(arguments: [Piece.passportFront, .passportBack])
    func `another document is no page, also where the detector half takes it for one`(piece: Piece) throws {
        let other: Script.Seen = ("other_document", 0.9, 0.1, 0.2, 0.8, 0.6)
        #expect(try Script([other]).check(piece).failure == .noDocument)
        let weak: Script.Seen = ("page", 0.6, 0.1, 0.2, 0.8, 0.6)
        #expect(try Script([other, weak, Script.photo]).check(piece).failure == .noDocument)
        let beside: Script.Seen = ("other_document", 0.9, 0.0, 0.85, 0.3, 0.15)
        #expect(try Script(Script.clean + [beside]).check(piece).failure == nil)
    }

    @Test func `of two pages the one that is a front is taken, and doubles of it are one`() throws {
        let better: Script.Seen = ("page", 0.99, 0.0, 0.0, 0.3, 0.15)
        let double: Script.Seen = ("page", 0.8, 0.11, 0.2, 0.8, 0.6)
        let report = try Script(Script.clean + [better, double]).check()
        #expect(report.failure == nil && report.detections.count { $0.name == "page" } == 2)
        #expect(abs((report.page?.x ?? 0) - 0.1) < 1e-5)
    }

    @Test func `S52 K27 fields are normalised to the page, and absent ones stay absent`() throws {
        let fields = try #require(try Script(Script.clean + [Script.signature]).check().fields)
        let photo = try #require(fields.photo)
        #expect(abs(photo.x - 0.0625) < 1e-4 && abs(photo.y - 1.0 / 6) < 1e-4 && abs(photo.width - 0.25) < 1e-4)
        #expect(fields.signature != nil && fields.mrz != nil)
        let less = try #require(try Script([Script.page, Script.mrz]).check().fields)
        #expect(less.photo == nil && less.signature == nil && less.mrz != nil)
    }

    @Test func `K27 page 100,50 to 500,350 and MRZ 120,300 to 480,340`() throws {
        let page = try #require(PixelBox(x0: 100, y0: 50, x1: 500, y1: 350).normalized(width: 600, height: 400))
        let mrz = try #require(PixelBox(x0: 120, y0: 300, x1: 480, y1: 340).normalized(width: 600, height: 400))
        let field = try #require(mrz.within(page))
        for (found, wanted) in zip(
            [field.x, field.y, field.x + field.width, field.y + field.height], [0.05, 0.8333, 0.95, 0.9667])
        {
            #expect(abs(found - wanted) < 1e-4)
        }
        let over = try #require(PixelBox(x0: 450, y0: 300, x1: 600, y1: 400).normalized(width: 600, height: 400))
        let clamped = try #require(over.within(page))
        #expect(abs(clamped.x + clamped.width - 1) < 1e-6 && abs(clamped.y + clamped.height - 1) < 1e-6)
        #expect(PixelBox(x0: 0, y0: 0, x1: 50, y1: 40).normalized(width: 600, height: 400)?.within(page) == nil)
    }

    @Test func `S53 what is measured is the page that the detection found`() throws {
        let picture = PlainPicture(640, 640)
        let report = try Script().check(picture: picture)
        let page = try #require(report.page)
        let first = try #require(picture.requests.first)
        #expect(first.region == nil && first.fit == .letterbox(side: 320))
        #expect(picture.requests.dropFirst().allSatisfy { $0.region == page } && picture.requests.count == 4)
        #expect(picture.requests.contains { $0.fit == .stretch(width: 512, height: 384) })
        // 512 pixels across 125 millimetres
        #expect(abs((report.finding("page_dpi")?.value ?? 0) - 104.04) < 0.01)
    }
}
