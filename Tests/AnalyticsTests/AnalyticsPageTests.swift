import SessionDomain
import TestSupport
import Testing

@testable import CaptureLedger

/// The page in a real browser; its pictures are kept below `.build/pages`.
@Suite(.enabled(if: PageViewer.isThere, "\(PageViewer.needed)"), .timeLimit(.minutes(5))) struct AnalyticsPageTests {
    @Test func `the page is self-contained with charts, for a lively ledger, an empty one, one session and hostile names`()
        throws
    {
        let lively = try AnalyticsHistory(seed: 77, sessions: 24)
        let empty = try AnalyticsLedger()
        let single = try AnalyticsLedger()
        let hostile = try AnalyticsLedger()
        try Self.start(nil, in: single)
        let names = [
            "<script>alert(1)</script>", "\"><img src=http://127.0.0.1:1/x onerror=alert(1)>", "'; DROP TABLE session; --",
            String(repeating: "a very long name without an end ", count: 12), String(repeating: "x", count: 300),
            "\u{202E}backwards", "漢字 ünïcode 🙂", "]]></svg><script>alert(2)</script>",
        ]
        for name in names { try Self.start(name, in: hostile) }
        let byContext = ReportRequest(sinceMilliseconds: nil, untilMilliseconds: nil, grouping: .context)
        let pages = try [
            ("analytics", try lively.ledger.report().page(of: "branch.ledger")),
            ("analytics-by-context", try lively.ledger.report(byContext).page(of: "branch.ledger")),
            ("analytics-empty", try empty.ledger.report().page(of: "empty.ledger")),
            ("analytics-one-session", try single.ledger.report().page(of: "one.ledger")),
            ("analytics-hostile", try hostile.ledger.report(byContext).page(of: "<b>hostile</b>.ledger")),
        ].map { name, html in try PageViewer.look(at: html, name: name) }
        for page in pages {
            #expect(page.problems == [], "\(page.screenshot)")
            #expect(page.title == "Analytics" && page.text.contains("True for position"))
        }
        for title in ["Funnel", "Outcome classes", "Time per step", "Deliveries", "Hologram"] {
            #expect(pages[0].text.contains(title))
        }
        for name in names.prefix(3) { #expect(pages[4].text.contains(name), "it is shown as text: \(name)") }
        #expect(pages[2].text.contains("n/a"))
    }

    private static func start(_ context: String?, in temporary: AnalyticsLedger) throws {
        var configuration = CaptureConfiguration(pieces: [.selfie], flowTitle: "x", analyticsContext: context)
        configuration.checks = .off
        _ = try temporary.ledger.start(StartRequest(configuration: configuration))
    }
}
