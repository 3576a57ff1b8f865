import CaptureLedger
import SessionDomain
import SystemCalls

extension Verb {
    private static let formats = ["table", "json", "csv", "html"]

    static let analyticsReport = Verb(
        path: ["analytics", "report"], summary: "Funnel, outcomes, reasons, times and deliveries of sessions.",
        details: """
            It is about the sessions that began on certain days (UTC): the day of --since is the first, and --until is the moment behind the last day. Every rate says what it is a part of; docs/analytics.md has all definitions.
            """,
        options: [
            .value("since", "T", "only sessions that began then or later: a day, ISO 8601, Unix milliseconds, or such as 7d"),
            .value("until", "T", "only sessions that began before"),
            .value("tz", "ZONE", "whose clock is meant where a time names none (UTC), such as Europe/Istanbul"),
            .choice("by", ["context", "day"], "the funnel and the outcomes for each"),
            .choice("format", formats, "how it is printed (table); html is a page with charts"),
            .value("out", "FILE", "put it into this file, in the place of one that is there"),
        ],
        examples: [
            "capture-ledger analytics report",
            "capture-ledger analytics report --since 2026-10-01 --until 2026-11-01 --by context",
            "capture-ledger analytics report --since 30d --format html --out analytics.html",
            "capture-ledger analytics report --format csv --out analytics.csv",
        ],
        exits: [.notFound, .cannotCreate, .inputOutput, .workLeft],
        run: { invocation, console in
            let format = invocation.text("format") ?? (console.isJSON ? "json" : "table")
            let path = invocation.text("out")
            if console.isJSON, format != "json", path == nil {
                throw Complaint.usage(
                    "--json and --format \(format) were both given.", remedy: "Keep one of them, or name a file with --out.")
            }
            let zone = try invocation.timeZone()
            let ledger = try invocation.openForReading()
            let span = try invocation.span(in: zone, now: ledger.clock.nowMilliseconds())
            let grouping: ReportRequest.Grouping =
                switch invocation.text("by") {
                case "context": .context
                case "day": .day
                default: .overall
                }
            let report = try ledger.report(
                ReportRequest(sinceMilliseconds: span.since, untilMilliseconds: span.until, grouping: grouping))
            guard let path else {
                switch format {
                case "html": try console.say(report.page(of: name(of: invocation.ledgerPath)))
                case "csv": try console.say(report.csv)
                case "json": try console.say(report.json.canonical + "\n")
                default: try console.result(report.json, report.words)
                }
                return .done
            }
            let text =
                switch format {
                case "html": report.page(of: name(of: invocation.ledgerPath))
                case "csv": report.csv
                case "json": report.json.canonical + "\n"
                default: report.words + "\n"
                }
            do throws(SystemError) {
                try FileSystem.replace(path, with: Array(text.utf8), mode: 0o644, isDurable: true)
            } catch {
                throw Complaint(
                    error.code.rawValue, "The report could not be written to that file: \(error.message).",
                    remedy: error.remedy,
                    exit: error.code == .notFound ? .cannotCreate : .inputOutput)
            }
            try console.result(
                [
                    "path": .string(path), "format": .string(format), "bytes": .whole(text.utf8.count),
                    "position": .integer(report.position), "recorded_at_ms": .whole(report.recordedAtMilliseconds),
                ], "Wrote \(Words.bytes(Int64(text.utf8.count))) to \(path), true for position \(report.position).")
            return .done
        })

    /// The folder's own name.
    private static func name(of path: String) -> String {
        let absolute = FileSystem.absolute(path)
        return absolute.split(separator: "/").last.map(String.init) ?? absolute
    }
}

extension AnalyticsReport {
    var words: String {
        var lines = ["\(request.words.prefix(1).uppercased() + request.words.dropFirst())."]
        let time = recordedAtMilliseconds.map { ", recorded at \(Words.time($0))" } ?? ""
        lines.append("True for position \(position)\(time).")
        for table in tables {
            lines += ["", table.title]
            if table.rows.isEmpty {
                lines.append("  nothing")
            } else {
                lines.append(Words.table([table.columns.map(\.title)] + table.rows.map { $0.map(ReportTable.words) }))
            }
            lines.append("  \(table.definition)")
        }
        return lines.joined(separator: "\n")
    }
}
