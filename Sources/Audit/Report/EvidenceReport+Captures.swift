import HTMLPages
import SessionDomain

extension EvidenceReport {
    /// What one judgement found about a capture.
    func checks(_ record: EventRecord) -> Markup {
        let verdict: Markup =
            if let failure = record.reason {
                "<span class=\"bad\">failed: \(ReportWords.plain(failure))</span>"
            } else {
                "<span class=\"good\">passed</span>"
            }
        let rows = (record.facts["findings"]?.asArray ?? []).map(row).joined(by: "\n")
        let policy = record.facts["policy_version"]?.asString
        return """
            <h3>Checks: \(verdict)</h3>
            <p class="soft">\(ReportWords.time(record.recordedAtMilliseconds))\(policy.map { " · policy \($0)" } ?? "")</p>
            <table><thead><tr><th>Finding</th><th class="number">Value</th><th class="number">Threshold</th><th>Result</th>\
            <th>Model</th></tr></thead>
            <tbody>\(rows)</tbody></table>

            """
    }

    private func row(_ finding: JSONValue) -> Markup {
        let result: Markup =
            switch finding["passed"]?.asBool {
            case true: "<td class=\"good\">passed</td>"
            case false: "<td class=\"bad\">failed</td>"
            case nil: "<td class=\"soft\">\(finding["threshold"] == nil ? "measured" : "not assessed")</td>"
            }
        let value = finding["value"]?.asDouble.map { ReportWords.number($0) } ?? ""
        let model = finding["model"]?.asString.map { String($0.prefix(12)) + "…" } ?? ""
        return """
            <tr><td>\(ReportWords.sentence(finding["metric"]?.asString ?? ""))</td><td class="number">\(value)</td>\
            <td class="number">\(ReportWords.limit(finding))</td>\(result)<td><code>\(model)</code></td></tr>
            """
    }

    /// Who was asked about a capture, and what was answered.
    func answers(_ delivery: ReportContent.Delivery) -> Markup {
        var all: Markup = ""
        let cause = delivery.cause.map { " (\(ReportWords.plain($0)))" } ?? ""
        let rows = delivery.attempts.map { attempt -> Markup in
            """
            <tr><td class="number">\(attempt.number)</td><td class="time">\(ReportWords.time(attempt.startedAtMilliseconds))</td>\
            <td class="number">\(ReportWords.between(attempt.finishedAtMilliseconds - attempt.startedAtMilliseconds))</td>\
            <td class="number">\(attempt.status == 0 ? "—" : String(attempt.status))</td>\
            <td>\(ReportWords.plain(attempt.explanation)) → \(ReportWords.plain(attempt.action))</td>\
            <td class="number">\(ReportWords.bytes(attempt.bytesSent))</td></tr>
            """
        }.joined(by: "\n")
        let tone = delivery.status == "verified" ? "good" : delivery.status == "rejected" ? "bad" : ""
        all += """
            <h3>Asked \(delivery.destination): <span class="\(tone)">\(ReportWords.plain(delivery.status))\(cause)</span></h3>
            <p class="soft">Delivery <code>\(delivery.id.text)</code></p>

            """
        if !delivery.attempts.isEmpty {
            all += """
                <table><thead><tr><th class="number">Request</th><th>Time</th><th class="number">Took</th>\
                <th class="number">Status</th><th>Result</th><th class="number">Sent</th></tr></thead><tbody>\(rows)</tbody></table>

                """
        }
        for attempt in delivery.attempts {
            guard let id = attempt.evidenceID, let answer = delivery.answers[id] else { continue }
            all += "<p class=\"soft\">Answer to request \(attempt.number)</p><pre>\(answer)</pre>\n"
        }
        return all
    }
}
