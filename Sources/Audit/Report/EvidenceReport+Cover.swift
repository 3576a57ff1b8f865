import EventCoding
import HTMLPages
import SessionDomain

extension EvidenceReport {
    var cover: Markup {
        var rows: [(String, Markup)] = [
            ("Session", "<code>\(content.session.text)</code>"), ("Ledger", "<code>\(content.ledger.text)</code>"),
        ]
        if let first = content.outline.firstAtMilliseconds { rows.append(("Began", "\(ReportWords.time(first))")) }
        if let last = content.outline.lastAtMilliseconds { rows.append(("Last event", "\(ReportWords.time(last))")) }
        if let context = content.context { rows.append(("Context", "\(context)")) }
        rows += names
        rows.append(("Exported", "\(ReportWords.time(content.exportedAtMilliseconds))"))
        let facts = rows.map { name, value -> Markup in "<dt>\(name)</dt><dd>\(value)</dd>" }.joined()
        let pieces = content.pieces.map { piece -> Markup in
            """
            <tr><td>\(ReportWords.sentence(piece.name))</td><td class="\(piece.status == "verified" ? "good" : "")">\
            \(ReportWords.plain(piece.status))</td><td class="number">\(piece.captures)</td></tr>
            """
        }.joined(by: "\n")
        return """
            <p class="badges"><span class="badge">\(ReportWords.plain(content.status))</span>\(state)</p>
            <dl class="facts">\(facts)</dl>
            <table class="narrow"><thead><tr><th>Piece</th><th>Where it stands</th><th class="number">Captures</th></tr></thead>
            <tbody>\(pieces)</tbody></table>

            """
    }

    private var state: Markup {
        var badges: Markup = ""
        if content.isErased { badges += "<span class=\"badge warn\">erased: what was personal is gone</span>" }
        if content.isRedacted { badges += "<span class=\"badge warn\">redacted: nothing personal is in this file</span>" }
        if let proof = content.proof {
            badges += "<span class=\"badge\">\(content.outline.events) events under a signed tree of \(proof.treeSize)</span>"
        }
        return badges
    }

    /// Whom the session is about, as far as its first private half says and may be shown.
    private var names: [(String, Markup)] {
        guard let start = content.outline.start?.privateHalf.document else { return [] }
        let labels = [
            ("subject", "Subject"), ("client_key", "Client's key"), ("group", "Group"), ("transaction_id", "Transaction"),
        ]
        return labels.compactMap { key, label in
            start[key]?.asString.map { (label, "\($0)") }
        }
    }

    /// Every event in order, with the time since the one before.
    func writeTimeline<Failure: Error>(
        _ source: ReportSource<Failure>, to output: (Markup) throws(Failure) -> Void
    ) throws(Failure) {
        var before: Int64?
        var day = ""
        try output(
            """
            <section><h2>What happened</h2>
            <table><thead><tr><th class="number">Position</th><th>Time</th><th class="number">Since</th><th>Event</th>\
            <th>Details</th><th>By</th></tr></thead>
            <tbody>
            """)
        try source.forEachEvent { (event) throws(Failure) in
            let record = event.record
            let since = before.map { "+\(ReportWords.between(max(0, record.recordedAtMilliseconds - $0)))" } ?? ""
            before = record.recordedAtMilliseconds
            if ReportWords.day(record.recordedAtMilliseconds) != day {
                day = ReportWords.day(record.recordedAtMilliseconds)
                try output("<tr class=\"day\"><td colspan=\"6\">\(day), times in UTC</td></tr>\n")
            }
            try output(row(event, since: since))
        }
        try output("</tbody></table></section>\n\n")
    }

    private func row(_ event: ReportContent.Event, since: String) -> Markup {
        let record = event.record
        let details = ReportWords.details(record, event.privateHalf).joined(separator: " · ")
        let tone =
            switch record.type {
            case .captureRefused, .pieceRejected, .pieceDeliveryParked, .sessionExpired, .sessionErased: "bad"
            case .pieceVerified, .sessionCompleted: "good"
            case .pieceChecked where record.reason != nil: "bad"
            default: ""
            }
        return """
            <tr><td class="number">\(record.position)</td><td class="time">\(ReportWords.clock(record.recordedAtMilliseconds))</td>\
            <td class="number soft">\(since)</td><td class="\(tone)">\(ReportWords.summary(record))</td><td>\(details)</td>\
            <td class="by soft">\(record.actor ?? "")</td></tr>

            """
    }

    static let style: Markup = """
        :root { --good: #1a6f37; }
        .good { color: var(--good); font-weight: 600; }
        .badges { margin: .25rem 0 1rem; }
        .badge { display: inline-block; border: 1px solid var(--line); border-radius: 1rem; padding: .1rem .7rem; margin: 0 .4rem .3rem 0; font-weight: 600; }
        .badge.warn { border-color: var(--bad); color: var(--bad); }
        dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.25rem; }
        dl.facts dt { color: var(--soft); }
        dl.facts dd { margin: 0; overflow-wrap: anywhere; }
        table.narrow { width: auto; min-width: 24rem; }
        th, td.time, td.number, td.by { white-space: nowrap; }
        td.number, th.number { padding-right: 1rem; }
        tr.day td { color: var(--soft); font-weight: 600; padding-top: .6rem; }
        .pictures { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; margin: .75rem 0; }
        .pictures figure { margin: 0; flex: 0 1 auto; max-width: 100%; }
        .pictures img { max-height: 18rem; width: auto; border: 1px solid var(--line); display: block; }
        figcaption { color: var(--soft); font-size: .87em; margin-top: .25rem; }
        pre { font: .85em/1.4 ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; background: #f6f7f9; border: 1px solid var(--line); padding: .6rem .75rem; margin: .5rem 0 1rem; }
        h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
        ul { margin: .5rem 0; padding-left: 1.25rem; }
        @page { margin: 14mm; }
        @media print { body { font-size: 10.5pt; padding: 0; } .pictures img { max-height: 8.5cm; } thead { display: table-header-group; } h2, h3 { break-after: avoid; } }
        """
}
