import HTMLPages
import SystemCalls
import TestSupport
import Testing

/// The viewer itself: what it must notice, it notices.
@Suite(.enabled(if: PageViewer.isThere, "\(PageViewer.needed)")) struct PageViewerTests {
    @Test func `a page that logs, asks for something or is too wide is noticed, and one of ours is not`() throws {
        let noisy = """
            <!DOCTYPE html><html><head><title>Noisy</title></head><body>
            <img src="http://127.0.0.1:1/picture.png"><p style="width: 3000px">wide</p>
            <script>console.error("spoken"); missingFunction()</script></body></html>
            """
        let guarded = """
            <!DOCTYPE html><html><head><title>Guarded</title><link rel="icon" href="data:,">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'"></head>
            <body><script>document.title = "ran"</script></body></html>
            """
        let ours = Page(title: "A page of ours").text("<p>\("<script>alert(1)</script>")</p>")
        let pages = try PageViewer.look(at: [("noisy", noisy), ("guarded", guarded), ("ours", ours)])

        #expect(pages[0].requests == ["http://127.0.0.1:1/picture.png"])
        #expect(pages[0].console.contains { $0.contains("spoken") })
        #expect(pages[0].console.contains { $0.hasPrefix("exception") })
        #expect(pages[0].isTooWide && pages[0].broken == 1)

        #expect(pages[1].title == "Guarded", "the policy keeps scripts from running")
        #expect(pages[1].problems.contains { $0.contains("Content Security Policy") })

        #expect(pages[2].problems == [])
        #expect(pages[2].text.contains("<script>alert(1)</script>"), "it is shown as text")
        #expect(try FileStatus.of(pages[2].screenshot)?.size ?? 0 > 1000)
        #expect(pages[2].printedPages == 1)
    }
}
