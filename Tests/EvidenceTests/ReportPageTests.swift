import HTMLPages
import SessionDomain
import TestSupport
import Testing

@testable import CaptureLedger

/// The report as a browser shows it.
@Suite(.enabled(if: PageViewer.isThere, "\(PageViewer.needed)")) struct ReportPageTests {
    @Test func `the report opens without an error or a request, shows what came from outside as text, and prints`() throws {
        let pages = try PageViewer.look(at: [
            ("evidence-report", String(decoding: try Scene.exported.get()["report.html"], as: UTF8.self)),
            (
                "evidence-report-redacted",
                String(decoding: try Scene.redacted.get()["report.html"], as: UTF8.self)
            ),
        ])
        for page in pages {
            #expect(page.problems == [])
            #expect(page.title == "Evidence of a capture session" && page.printedPages > 1)
            #expect(page.text.contains("Passport front rejected") && page.text.contains("≤ 0.5"))
            #expect(page.text.contains("events under a signed tree"))
        }
        #expect(pages[0].pictures >= 5)
        #expect(pages[0].text.contains(Scene.subject) && pages[0].text.contains(Scene.reason), "shown as text, not as markup")
        #expect(pages[0].text.contains(Scene.payload), "what was answered")
        #expect(pages[1].pictures == 0 && Scene.markers.allSatisfy { !pages[1].text.contains($0) })
    }
}
