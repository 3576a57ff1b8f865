import HTMLPages
import SessionDomain

extension AnalyticsReport {
    /// The report as a page of its own: it names no other address, runs nothing, and prints as it is shown.
    ///
    /// - Parameter ledger: the folder's name, for the heading.
    package func page(of ledger: String) -> String {
        var body: Markup = "<p class=\"soft\"><bdi>\(ledger)</bdi>: \(request.words). True for position \(position)"
        if let time = recordedAtMilliseconds {
            body += ", recorded at \(NamedTimeZone.utc.text(time)) UTC.</p>\n"
        } else {
            body += ": nothing was recorded yet.</p>\n"
        }
        body += headline
        let days = days.compactMap { day in CivilDay(day.day).map { ($0, day.started, day.completed) } }
        if !days.isEmpty { body += DayChart(title: "Sessions by the day on which they started (UTC)", days: days).svg }
        for table in tables {
            body += "<section><h2>\(table.title)</h2>\n<p class=\"soft\">\(table.definition)</p>\n"
            body += chart(of: table)
            body += Self.markup(table)
            body += "</section>\n"
        }
        return Page(title: "Analytics", style: Self.style).text(body)
    }

    private var headline: Markup {
        let steps = table("funnel")?.rows ?? []
        guard request.grouping == .overall, let started = steps.first, case .count(let sessions) = started[1], sessions > 0,
            let last = steps.last, case .count(let completed) = last[1]
        else { return "" }
        return
            "<p class=\"headline\"><strong>\(sessions)</strong> \(sessions == 1 ? "session" : "sessions") started, <strong>\(completed)</strong> completed: <strong>\(Rate(completed, of: sessions).text)</strong>.</p>\n"
    }

    private func chart(of table: ReportTable) -> Markup {
        switch table.key {
        case "funnel" where request.grouping == .overall:
            bars(table, "How many sessions reached each step", name: 0, value: 1, rate: 3, full: table.rows.first)
        case "funnel" where request.grouping == .context: completionByContext(table)
        case "outcomes" where request.grouping == .overall:
            bars(
                table, "Sessions by outcome class (striped: still running)", name: 0, value: 2, rate: 4,
                soft: { $0[1] == .text("runs") })
        case "drop_off": bars(table, "Where sessions stopped", name: 0, value: 2, rate: 4, second: 1)
        case "refusals":
            bars(table, "Pieces and reasons, most frequent first", name: 1, value: 3, rate: 6, second: 2, sorted: true)
        case "steps": times(table)
        case "hologram_tilt": bars(table, "Recordings that got so far", name: 0, value: 1, rate: 3, prefix: "targets passed: ")
        default: ""
        }
    }

    private func bars(
        _ table: ReportTable, _ title: String, name: Int, value: Int, rate: Int, second: Int? = nil,
        full: [ReportTable.Cell]? = nil, sorted: Bool = false, prefix: String = "",
        soft: ([ReportTable.Cell]) -> Bool = { _ in false }
    ) -> Markup {
        func count(_ row: [ReportTable.Cell]) -> Int64 {
            if case .count(let count) = row[value] { count } else { 0 }
        }
        var rows = table.rows
        if sorted { rows.sort { count($0) > count($1) } }
        guard rows.contains(where: { count($0) > 0 }) else { return "" }
        let bars = rows.prefix(16).map { row in
            let names = [name, second].compactMap { $0 }.map { ReportTable.words(row[$0]) }
            return BarChart.Bar(
                name: prefix + names.joined(separator: ": "), value: count(row),
                label: "\(count(row)) · \(ReportTable.words(row[rate]))", isSoft: soft(row))
        }
        let more = rows.count > 16 ? " (the first 16 of \(rows.count))" : ""
        return BarChart(title: title + more, bars: Array(bars), full: full.map(count)).svg
    }

    /// How many of each context's sessions were completed.
    private func completionByContext(_ table: ReportTable) -> Markup {
        let completed = table.rows.filter { $0[1] == .text("completed") }
        guard !completed.isEmpty else { return "" }
        let bars = completed.prefix(24).map { row -> BarChart.Bar in
            guard case .rate(let rate) = row[4] else { return BarChart.Bar(name: "", value: 0, label: "") }
            return BarChart.Bar(
                name: ReportTable.words(row[0]), value: rate.whole == 0 ? 0 : rate.part * 1_000 / rate.whole,
                label: "\(rate.text) (\(rate.part) of \(rate.whole))")
        }
        let more = completed.count > 24 ? " (the first 24 of \(completed.count))" : ""
        return BarChart(title: "Completed of started, by context" + more, bars: Array(bars), full: 1_000).svg
    }

    private func times(_ table: ReportTable) -> Markup {
        let rows = table.rows.compactMap { row -> TimeChart.Row? in
            guard case .milliseconds(let p50) = row[3], case .milliseconds(let p90) = row[4],
                case .milliseconds(let p99) = row[5]
            else { return nil }
            return TimeChart.Row(
                name: "\(ReportTable.words(row[0])), \(ReportTable.words(row[1]))", p50: p50, p90: p90, p99: p99)
        }
        guard !rows.isEmpty else { return "" }
        return TimeChart(title: "● p50  ■ p90  ◇ p99: each line is ten times the one before it", rows: rows).svg
    }

    /// A table with its numbers to the right.
    private static func markup(_ table: ReportTable) -> Markup {
        guard !table.rows.isEmpty else { return "<p>Nothing of this in these sessions.</p>\n" }
        let head = table.columns.map { column -> Markup in
            column.kind == .text
                ? "<th scope=\"col\">\(column.title)</th>" : "<th scope=\"col\" class=\"number\">\(column.title)</th>"
        }.joined()
        let rows = table.rows.map { row -> Markup in
            let cells = zip(table.columns, row).map { column, cell -> Markup in
                let words = ReportTable.words(cell)
                return column.kind == .text ? "<td><bdi>\(words)</bdi></td>" : "<td class=\"number\">\(words)</td>"
            }
            return "<tr>\(cells.joined())</tr>\n"
        }
        return "<table><thead><tr>\(head)</tr></thead>\n<tbody>\(rows.joined())</tbody></table>\n"
    }

    private static let style: Markup = """
        svg text { font: 13px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: var(--ink); unicode-bidi: isolate; }
        svg text.axis { font-size: 12px; fill: var(--soft); }
        svg .bar { fill: var(--fill); stroke: var(--fill); }
        svg .soft-bar { fill: url(#stripes); }
        svg .grid { stroke: var(--line); }
        svg .line { fill: none; stroke: var(--fill); stroke-width: 2; }
        svg .dashed { stroke: var(--ink); stroke-dasharray: 6 4; }
        svg .range { stroke: var(--soft); stroke-width: 2; }
        svg .mark { fill: var(--fill); stroke: var(--ink); }
        svg .open { fill: #fff; }
        figcaption { color: var(--soft); margin: .25rem 0; }
        .headline { font-size: 1.2rem; }
        /* only a host's own names, which stand first, may be so long that they must break */
        th, td { overflow-wrap: normal; }
        td:first-child { overflow-wrap: anywhere; min-width: 7rem; }
        td.number { white-space: nowrap; }
        """
}
