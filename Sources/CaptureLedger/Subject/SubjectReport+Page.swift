import HTMLPages
import SessionDomain

extension SubjectReport {
    /// A page that can be handed to the person as it is.
    package var page: String {
        let page = Page(title: reference.map { "What is held about \($0)" } ?? "What is held about one session")
        var body: Markup = """
            <p class="soft">Made at \(TimeText.utc(madeAtMilliseconds)) from ledger \(ledgerID.text), as it stood at position \(lastPosition).
            It holds personal data: keep it as you keep the originals.</p>
            <p>\(parts.count) \(parts.count == 1 ? "session" : "sessions"). \(retentionWords)</p>
            """
        for part in parts { body += part.markup }
        return page.text(body)
    }

    /// How long originals are kept, in words.
    package var retentionWords: String {
        if retention.isEmpty { return "No rule destroys originals by their age: they are kept until the session is erased." }
        let rules = retention.map { rule in
            "\(rule.piece?.rawValue ?? "every piece"), \(Situation.plain(rule.status.rawValue)): after \(rule.ageMilliseconds / 86_400_000) days"
        }
        return "Originals are destroyed by age: \(rules.joined(separator: "; "))."
    }
}

extension SubjectReport.Part {
    fileprivate var markup: Markup {
        var body: Markup = """
            <h2>Session <code>\(view.session.text)</code></h2>
            <p>\(view.flow.status.rawValue); begun \(TimeText.utc(view.startedAtMilliseconds)), last changed \(TimeText.utc(view.changedAtMilliseconds)).</p>
            """
        if let remains { body += "<p><strong>\(remains)</strong></p>" }
        if let erasure { body += "<p>It is destroyed at \(TimeText.utc(erasure.dueAtMilliseconds)).</p>" }
        body += capturesMarkup + openedMarkup + recipientsMarkup
        if answers > 0 {
            body +=
                "<p>\(answers) answers of endpoints are kept, sealed; audit export gives them out with the rest of the evidence.</p>"
        }
        return body
    }

    private var capturesMarkup: Markup {
        guard !captures.isEmpty else { return "<h3>Pictures and videos</h3><p>None was taken in.</p>" }
        let rows = captures.map { capture -> Markup in
            """
            <tr><td>\(capture.facts.piece.rawValue)</td><td>\(TimeText.utc(capture.capturedAtMilliseconds))</td>
            <td>\(capture.facts.media.type), \(capture.facts.media.bytes) bytes</td><td>\(capture.whereabouts)</td>
            <td>\(capture.verdict)</td></tr>
            """
        }
        return """
            <h3>Pictures and videos</h3>
            <table><tr><th>Piece</th><th>Taken in</th><th>What it is</th><th>Original</th><th>Checks</th></tr>\(rows.joined())</table>
            """ + findingsMarkup
    }

    private var findingsMarkup: Markup {
        let rows = captures.flatMap { capture in
            capture.judgements.flatMap { judgement in
                judgement.checked.findings.map { finding -> Markup in
                    let limit = finding.threshold.map { "\(finding.direction?.rawValue ?? "limit") \($0)" } ?? ""
                    let verdict = finding.passed.map { $0 ? "passed" : "failed" } ?? "not assessed"
                    return """
                        <tr><td>\(capture.facts.piece.rawValue)</td><td>\(Situation.plain(finding.metric))</td>
                        <td class="number">\("\(finding.value)")</td><td>\(Situation.plain(limit))</td><td>\(verdict)</td></tr>
                        """
                }
            }
        }
        if rows.isEmpty { return "" }
        return """
            <h3>What was measured</h3>
            <table><tr><th>Piece</th><th>Measure</th><th class="number">Value</th><th>Threshold</th><th>Verdict</th></tr>\(rows.joined())</table>
            """
    }

    private var openedMarkup: Markup {
        var body: Markup = "<h3>What was said and answered</h3>"
        if opened.isEmpty {
            return body + (sealed > 0 ? "<p>\(sealed) entries are sealed and were not opened.</p>" : "<p>Nothing.</p>")
        }
        let rows = opened.flatMap { entry in
            entry.lines.map { line -> Markup in
                """
                <tr><td>\(TimeText.utc(entry.recordedAtMilliseconds))</td><td>\(Situation.plain(entry.type))</td>
                <td>\(line.name)</td><td>\(line.text)</td></tr>
                """
            }
        }
        body += "<table><tr><th>When</th><th>At</th><th>What</th><th>Content</th></tr>\(rows.joined())</table>"
        return body
    }

    private var recipientsMarkup: Markup {
        if recipients.isEmpty { return "<h3>Who received something</h3><p>Nobody.</p>" }
        let rows = recipients.map { recipient -> Markup in
            let answered =
                recipient.deliveredAtMilliseconds.map { "answered \(TimeText.utc($0))" } ?? "it may have it; no answer says so"
            return "<tr><td>\(recipient.destination)</td><td>\(recipient.piece)</td><td>\(answered)</td></tr>"
        }
        return """
            <h3>Who received something</h3>
            <table><tr><th>Recipient</th><th>Piece</th><th>When</th></tr>\(rows.joined())</table>
            """
    }
}

extension SubjectReport.Capture {
    /// Where the original is, in words.
    package var whereabouts: String {
        if hasOriginal { return "kept, sealed" }
        guard let destroyedAtMilliseconds else { return "no longer there" }
        let why = destructionCause.map { " (\(Situation.plain($0)))" } ?? ""
        return "destroyed \(TimeText.utc(destroyedAtMilliseconds))\(why)"
    }

    /// What the last judgement said.
    package var verdict: String {
        guard let last = judgements.last?.checked else { return "not checked" }
        return last.failure.map { Situation.plain($0.rawValue) } ?? "passed"
    }
}

extension SubjectReport.Opened {
    /// Its values, each under its path: what a verifier sent as JSON is taken apart.
    package var lines: [(name: String, text: String)] { Self.lines(content, at: "") }

    private static func lines(_ value: JSONValue, at path: String) -> [(name: String, text: String)] {
        func below(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
        if let members = value.asMembers { return members.flatMap { lines($0.value, at: below($0.key)) } }
        if let list = value.asArray { return list.enumerated().flatMap { lines($1, at: below(String($0 + 1))) } }
        if let text = value.asString {
            if path == "payload", let inner = try? JSONValue.parse(text), inner.asMembers != nil {
                return lines(inner, at: path)
            }
            return [(path, text)]
        }
        return [(path, value.canonical)]
    }
}
