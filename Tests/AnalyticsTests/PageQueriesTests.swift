import SQLite
import SessionDomain
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedger

/// docs/analytics.md: its queries are taken from the page and run.
@Suite(.timeLimit(.minutes(2))) struct PageQueriesTests {
    private static func queries() throws -> [String] {
        let bytes = try FileDescriptor(readingFile: Fixture.root + "/docs/analytics.md").readToEnd(limit: 1 << 20)
        return String(decoding: bytes, as: UTF8.self).split(separator: "```sql\n").dropFirst().compactMap {
            $0.split(separator: "```").first.map(String.init)
        }
    }

    @Test func `the ten queries of the page run, and nearly all find something in a lively ledger`() throws {
        let history = try AnalyticsHistory(seed: 2_026, sessions: 24)
        let report = try history.ledger.report()
        let connection = try Connection(path: history.temporary.path + "/analytics.sqlite", mode: .read)
        let queries = try Self.queries()
        #expect(queries.count == 10)
        var found: [Int] = []
        for query in queries {
            let statement = try Statement(connection, query)
            var rows = 0
            while try statement.step() { rows += 1 }
            found.append(rows)
        }
        #expect(found.filter { $0 == 0 }.isEmpty, "rows found by each: \(found)")
        // the first one says what the report says
        let first = try Statement(connection, queries[0])
        var (started, completed): (Int64, Int64) = (0, 0)
        while try first.step() { (started, completed) = (started + first.int64(2), completed + first.int64(3)) }
        let funnel = report.json["funnel"]?.asArray ?? []
        #expect(started == funnel.first?["sessions"]?.asInteger && completed == funnel.last?["sessions"]?.asInteger)
    }

    @Test func `the page has every section of the report, and the report every section of the page`() throws {
        let temporary = try AnalyticsLedger()
        let keys = try temporary.ledger.report().tables.map(\.key)
        let bytes = try FileDescriptor(readingFile: Fixture.root + "/docs/analytics.md").readToEnd(limit: 1 << 20)
        let named = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("| `") }
            .compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
        for key in keys { #expect(named.contains(key), "docs/analytics.md does not define \(key)") }
        for what in CountQuestion.What.allCases {
            #expect(String(decoding: bytes, as: UTF8.self).contains("`\(what.rawValue)`"), "\(what.rawValue)")
        }
    }
}
