import Testing

@testable import CommandLineTool

struct ExpositionTests {
    @Test func `labels and help are escaped as the format says`() {
        var page = Exposition()
        page.add("a_total", .counter, "One\nline \\ \"quoted\".", [([("path", "a\\b\"c\nd"), ("x", "é")], .whole(-0))])
        page.add(
            "b_seconds", .gauge, "Times.", [([], .seconds(milliseconds: 1_007)), ([("n", "")], .seconds(milliseconds: -50))])
        page.add("none", .gauge, "Left out.", [])
        #expect(
            page.text == #"""
                # HELP a_total One\nline \\ "quoted".
                # TYPE a_total counter
                a_total{path="a\\b\"c\nd",x="é"} 0
                # HELP b_seconds Times.
                # TYPE b_seconds gauge
                b_seconds 1.007
                b_seconds{n=""} -0.050

                """#)
    }
}
