import HTMLPages
import Testing

@Suite struct MarkupTests {
    @Test func `text that is put into markup cannot become markup, in an element or in an attribute`() {
        let hostile = "<script>&\"'\u{0}\u{7F}</script>"
        let markup: Markup = "<p title=\"\(hostile)\">\(hostile)</p>"
        let safe = "&lt;script&gt;&amp;&quot;&#39;\u{FFFD}\u{FFFD}&lt;/script&gt;"
        #expect(markup.text == "<p title=\"\(safe)\">\(safe)</p>")
    }

    @Test func `markup goes into markup as it is`() {
        let rows = ["a", "<"].map { text -> Markup in "<td>\(text)</td>" }
        let table: Markup = "<tr>\(rows.joined(by: "\n"))</tr>"
        #expect(table.text == "<tr><td>a</td>\n<td>&lt;</td></tr>")
    }

    @Test func `a page names nothing that lies outside of it, and its title is text`() {
        let page = Page(title: "<b> & co").text("<p>x</p>")
        #expect(page.contains("<title>&lt;b&gt; &amp; co</title>"))
        #expect(page.contains("default-src 'none'"))
        #expect(!page.contains("http:") && !page.contains("https:") && !page.contains("<script"))
    }
}
