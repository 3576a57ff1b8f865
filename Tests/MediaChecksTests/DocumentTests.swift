import MediaChecks
import Testing

/// Documents written by hand, whose tables are right whatever stands in their objects.
@Suite struct DocumentTests {
    @Test func `S26 pages are counted in the tree and not believed from its count`() {
        let lying = Self.document([
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [ 3 0 R 4 0 R ] /Count 1 >>", Self.page, Self.page,
        ])
        #expect(Verdict.of(lying).refusal == "pdf_too_many_pages")
        let modest = Self.document([
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [ 3 0 R ] /Count 0 >>", Self.page,
        ])
        #expect(Verdict.of(modest).media?.pages == 1)
    }

    @Test func `S26 size and rotation are inherited and scaled`() throws {
        let media = try #require(
            Verdict.of(
                Self.document([
                    "<< /Type /Catalog /Pages 2 0 R >>",
                    "<< /Type /Pages /Kids [ 3 0 R ] /Count 1 /MediaBox [ 10 20 110 70.5 ] /Rotate -90 >>",
                    "<< /Type /Pages /Parent 2 0 R /Kids [ 4 0 R ] /Count 1 >>",
                    "<< /Type /Page /Parent 3 0 R /UserUnit 2 >>",
                ])
            ).media)
        #expect([media.storedWidth, media.storedHeight] == [200, 101])
        #expect(media.rotation == 270 && [media.width, media.height] == [101, 200])
    }

    @Test func `S26 an added section wins over the one it replaces`() {
        let first = Self.document(["<< /Type /Catalog /Pages 2 0 R >>", Self.tree, Self.page])
        let added = first.count
        let update =
            "2 0 obj << /Type /Pages /Kids [ 3 0 R 3 0 R ] /Count 2 >> endobj\n"
            + "xref\n2 1\n\(Self.padded(added)) 00000 n \ntrailer << /Size 4 /Root 1 0 R /Prev \(Self.start(of: first)) >>\n"
        let table = added + "2 0 obj << /Type /Pages /Kids [ 3 0 R 3 0 R ] /Count 2 >> endobj\n".utf8.count
        #expect(Verdict.of(first + Array("\(update)startxref\n\(table)\n%%EOF\n".utf8)).refusal == "pdf_too_many_pages")
    }

    @Test(arguments: [
        ("trees that bite their tail", ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [ 2 0 R ] /Count 1 >>"]),
        ("catalogs without pages", ["<< /Type /Catalog >>"]),
        ("trees without pages", ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [ ] /Count 0 >>"]),
        ("references that bite their tail", ["<< /Type /Catalog /Pages 2 0 R >>", "2 0 R"]),
        ("deep nesting", [String(repeating: "[", count: 100_000)]),
        ("unknown words", ["<< /Type /Catalog /Pages hello >>"]),
    ])
    func `S26 what cannot be told is refused by name`(what: String, objects: [String]) {
        #expect(Verdict.of(Self.document(objects)).refusal?.hasPrefix("pdf_pages_unknown") == true)
    }

    @Test func `S26 encryption is told before anything else of the document`() {
        let bytes = Self.document(["<< /Type /Catalog >>"], trailer: "/Encrypt 9 0 R")
        #expect(Verdict.of(bytes).refusal == "pdf_encrypted")
    }

    @Test func `S26 sections that point at each other are refused`() {
        let plain = Self.document(["<< /Type /Catalog /Pages 2 0 R >>", Self.tree, Self.page])
        let bytes = Self.document(
            ["<< /Type /Catalog /Pages 2 0 R >>", Self.tree, Self.page], trailer: "/Prev \(Self.start(of: plain))")
        #expect(Verdict.of(plain).media != nil)
        #expect(Verdict.of(bytes).refusal == "pdf_pages_unknown(cross_reference)")
    }

    @Test func `F23 a document that unpacks itself again and again is refused when its budget is spent`() throws {
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try Verdict.of(fixture: "damaged/bomb-object-streams.pdf").refusal == "pdf_pages_unknown(effort)")
        #expect(clock.now - start < .seconds(10))
    }

    private static let page = "<< /Type /Page /Parent 2 0 R /MediaBox [ 0 0 354 249 ] >>"
    private static let tree = "<< /Type /Pages /Kids [ 3 0 R ] /Count 1 >>"

    private static func document(_ objects: [String], trailer: String = "") -> [UInt8] {
        var text = "%PDF-1.7\n"
        var table = "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for (index, object) in objects.enumerated() {
            table += "\(padded(text.utf8.count)) 00000 n \n"
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = text.utf8.count
        text += "\(table)trailer\n<< /Size \(objects.count + 1) /Root 1 0 R \(trailer) >>\nstartxref\n\(start)\n%%EOF\n"
        return Array(text.utf8)
    }

    private static func padded(_ number: Int) -> String {
        String(repeating: "0", count: 10 - String(number).count) + String(number)
    }

    private static func start(of document: [UInt8]) -> Int { document.firstOffset(of: "xref\n0") ?? 0 }
}
