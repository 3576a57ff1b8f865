import SessionDomain
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedger

/// Reports against figures that Python computes from the raw events.
@Suite(.timeLimit(.minutes(5))) struct ReportTests {
    /// Rows without the columns that the oracle does not compute, as a set.
    private static func rows(_ json: JSONValue?) -> Set<String> { Set((json?.asArray ?? []).map(\.canonical)) }

    private static func compare(_ report: JSONValue, _ oracle: JSONValue, _ keys: [String], _ named: String = "") {
        for key in keys {
            let (ours, theirs) = (rows(report[key]), rows(oracle[key]))
            #expect(
                ours == theirs, "\(named) \(key): only here \(ours.subtracting(theirs)), only there \(theirs.subtracting(ours))"
            )
        }
    }

    private static let counted = ["deliveries", "errors", "checks", "hologram_tilt", "hologram_guidance"]

    /// A percentile is the end of its bucket: not below the value itself, and less than a sixteenth above it.
    private static func compareTimes(_ report: JSONValue, _ oracle: JSONValue, _ keys: [String]) {
        let percentiles = ["p50_ms", "p90_ms", "p99_ms"]
        func parts(_ row: JSONValue) -> (rest: JSONValue, times: [Int64]) {
            let members = row.asMembers ?? []
            return (
                .members(members.filter { !percentiles.contains($0.key) }),
                percentiles.map { row[$0]?.asInteger ?? -1 }
            )
        }
        for key in keys {
            let (ours, theirs) = ((report[key]?.asArray ?? []).map(parts), (oracle[key]?.asArray ?? []).map(parts))
            #expect(Set(ours.map(\.rest)) == Set(theirs.map(\.rest)), "\(key)")
            for row in theirs {
                let told = ours.first { $0.rest == row.rest }?.times ?? []
                let isTrue = zip(told, row.times).allSatisfy { $0 >= $1 && $0 - $1 <= $1 / 16 }
                #expect(told.count == 3 && isTrue, "\(key) \(row.rest.canonical): \(told) for \(row.times)")
            }
        }
    }

    @Test func `F30 every figure equals the one that Python computes from the raw log`() throws {
        let history = try AnalyticsHistory(seed: SeededRandom.seed(for: "figures"), sessions: 30)
        let ledger = history.ledger
        var oracle = try history.temporary.oracle()
        // an empty table compares nothing
        func isVaried() -> Bool {
            (Self.counted + ["steps", "requests"]).allSatisfy { oracle[$0]?.asArray?.isEmpty == false }
                && (oracle["deliveries"]?.asArray ?? []).contains { $0["answer"]?.asString == "parked" }
        }
        for _ in 0..<20 where !isVaried() {
            try history.go(on: 10)
            oracle = try history.temporary.oracle()
        }
        #expect(isVaried())
        let report = try ledger.report()
        #expect(report.position == oracle["position"]?.asInteger)
        #expect((oracle["ended"]?["expired"]?.asInteger ?? 0) > 0)
        Self.compare(report.json, oracle, ["funnel", "pieces", "refusals", "attempts"] + Self.counted)
        Self.compareTimes(report.json, oracle, ["steps", "requests"])
        Self.compareOutcomes(report, oracle)

        func grouped(_ grouping: ReportRequest.Grouping) throws -> Set<String> {
            let request = ReportRequest(sinceMilliseconds: nil, untilMilliseconds: nil, grouping: grouping)
            return Self.rows(try ledger.report(request).json["funnel"])
        }
        #expect(try grouped(.context) == Self.rows(oracle["by_context"]))
        #expect(try grouped(.day) == Self.rows(oracle["by_day"]))

        // some days of it
        let days = report.days.compactMap { CivilDay($0.day) }
        let (first, end) = (days[days.count / 3], days[days.count * 2 / 3])
        let zone = NamedTimeZone.utc
        let part = try ledger.report(
            ReportRequest(sinceMilliseconds: zone.start(of: first) + 5, untilMilliseconds: zone.start(of: end)))
        let partly = try history.temporary.oracle(["--since-day", first.text, "--end-day", end.text])
        Self.compare(
            part.json, partly, ["funnel", "pieces", "refusals", "attempts"] + Self.counted, "\(first.text) to \(end.text)")
        Self.compareTimes(part.json, partly, ["steps", "requests"])
        Self.compareOutcomes(part, partly)
        try Self.isTrue(report)
        try Self.isTrue(part)
    }

    private static func compareOutcomes(_ report: AnalyticsReport, _ oracle: JSONValue) {
        var ended: [String: Int64] = [:]
        var running: Int64 = 0
        for row in report.json["outcomes"]?.asArray ?? [] {
            let sessions = row["sessions"]?.asInteger ?? 0
            if row["state"]?.asString == "runs" { running += sessions } else { ended[row["class"]?.asString ?? ""] = sessions }
        }
        let theirs = Dictionary(
            uniqueKeysWithValues: (oracle["ended"]?.asMembers ?? []).map { ($0.key, $0.value.asInteger ?? 0) })
        #expect(ended == theirs)
        for row in report.json["outcomes"]?.asArray ?? [] {
            let whole = row["state"]?.asString == "runs" ? running : theirs.values.reduce(0, +)
            #expect(row["of"]?.asInteger == whole, "the rate of \(row.canonical)")
        }
        #expect(running == oracle["running"]?.asInteger)
    }

    /// What holds of every report: each session in one class, no step above the one before, no rate without a whole.
    private static func isTrue(_ report: AnalyticsReport) throws {
        let funnel = try #require(report.json["funnel"]?.asArray)
        let started = funnel.first?["sessions"]?.asInteger ?? 0
        let classes = (report.json["outcomes"]?.asArray ?? []).reduce(0) { $0 + ($1["sessions"]?.asInteger ?? 0) }
        #expect(classes == started, "every session has exactly one outcome class")
        let chain = ["started", "asked", "captured", "confirmed", "verified", "completed"]
        let pieces = Dictionary(grouping: report.json["pieces"]?.asArray ?? [], by: { $0["piece"] }).values
        for rows in [funnel] + pieces {
            let steps = rows.filter { chain.contains($0["step"]?.asString ?? "") }
            let counts = steps.compactMap { $0["sessions"]?.asInteger }
            #expect(counts == counts.sorted(by: >), "\(rows)")
            let checked = rows.first { $0["step"]?.asString == "checked" }?["sessions"]?.asInteger ?? 0
            let captured = rows.first { $0["step"]?.asString == "captured" }?["sessions"]?.asInteger ?? 0
            #expect(checked <= captured)
        }
        for table in report.tables {
            #expect(!table.definition.isEmpty)
            for case .rate(let rate) in table.rows.flatMap({ $0 }) {
                #expect(rate.part >= 0 && rate.part <= rate.whole, "\(table.key): \(rate.part) of \(rate.whole)")
                if rate.whole == 0 { #expect(rate.value == nil && rate.text == "n/a") }
            }
        }
    }

    @Test func `an empty ledger has a report, in which nothing is a number that is not one`() throws {
        let temporary = try AnalyticsLedger()
        let report = try temporary.ledger.report()
        #expect(report.position == 0 && report.recordedAtMilliseconds == nil)
        let json = report.json.canonical
        #expect(!json.contains("nan") && !json.contains("inf"))
        #expect(report.json["funnel"]?.asArray?.first?["rate"] == .null)
        #expect(ReportTable.words(report.tables[0].rows[0][3]) == "n/a")
        try Self.isTrue(report)
        #expect(report.page(of: "empty").contains("nothing was recorded yet"))
        #expect(try temporary.ledger.count(CountQuestion(.captured)).number == 0)
    }

    @Test func `S33 reports, counts and rebuilding write no event and export nothing`() throws {
        let history = try AnalyticsHistory(seed: 4, sessions: 4)
        let ledger = history.ledger
        var request = AnalyticsExportRequest()
        request.checkpoint = "quiet"
        _ = try ledger.exportAnalytics(request) { _ in }
        let before = try ledger.lastPosition()
        for _ in 0..<3 {
            _ = try ledger.rebuild()
            _ = try ledger.report()
            _ = try ledger.count(CountQuestion(.captured))
        }
        #expect(try ledger.lastPosition() == before)
        var told = 0
        _ = try ledger.exportAnalytics(request) { batch in told += batch.events.count }
        #expect(told == 0)
    }
}
