extension Grammar {
    /// What a verb's `--help` prints.
    func help(for verb: Verb) -> String {
        var lines = [verb.summary, ""]
        if let details = verb.details {
            for paragraph in details.split(separator: "\n") { lines += Self.wrapped(paragraph) }
            lines.append("")
        }
        let words = verb.positionals.map(\.usage)
        let options = verb.options.map { "[\($0.usage)]" + ($0.isRepeatable ? "…" : "") }
        let lead = "\(Self.program) [--ledger DIR] [--json] \(verb.name)"
        lines +=
            ["Usage:"]
            + Self.wrap([lead] + words + options + verb.ownOptions.dropFirst(verb.options.count).map { "[\($0.usage)]" })
        lines.append("")
        if !verb.positionals.isEmpty { lines += ["Words:"] + Self.table(verb.positionals.map { ($0.name, $0.summary) }) + [""] }
        if !verb.ownOptions.isEmpty {
            lines += ["Options:"] + Self.table(verb.ownOptions.map { ($0.usage, $0.summary) }) + [""]
        }
        lines += ["Options of every verb:"] + Self.table(Option.everywhere.map { ($0.usage, $0.summary) }) + [""]
        if !verb.examples.isEmpty { lines += ["Examples:"] + verb.examples.map { "  \($0)" } + [""] }
        let codes: [ExitCode] = ([.done, .usage, .fault, .configuration] + verb.exits).sorted { $0.rawValue < $1.rawValue }
        lines += ["Exit codes:"] + Self.table(codes.map { (String($0.rawValue), $0.meaning) })
        return lines.joined(separator: "\n") + "\n"
    }

    /// What `--help` prints for the whole tool or for a group of verbs.
    func overview(of path: [String]) -> String {
        var lines: [String] = []
        if path.isEmpty {
            lines = [
                "CaptureLedger keeps identity-capture sessions as events, offline, and delivers what is confirmed.", "",
                "Usage:", "  \(Self.program) [--ledger DIR] [--json] VERB …", "",
            ]
        } else {
            lines = ["Usage:", "  \(Self.program) [--ledger DIR] [--json] \(path.joined(separator: " ")) VERB …", ""]
        }
        let shown = verbs.filter { $0.path.starts(with: path) && !$0.isHidden }
        lines += ["Verbs:"] + Self.table(shown.map { ($0.name, $0.summary) }) + [""]
        lines += ["Options of every verb:"] + Self.table(Option.everywhere.map { ($0.usage, $0.summary) }) + [""]
        lines += ["Exit codes:"] + Self.table(ExitCode.allCases.map { (String($0.rawValue), $0.meaning) }) + [""]
        lines.append("Run \(Self.program) VERB --help for words, options and examples of one verb.")
        return lines.joined(separator: "\n") + "\n"
    }

    static func table(_ rows: [(String, String)]) -> [String] {
        let width = min(30, rows.map(\.0.count).max() ?? 0)
        var lines: [String] = []
        for (left, right) in rows {
            if left.count > width { lines.append("  " + left) }
            let shown = left.count > width ? "" : left
            lines.append("  " + shown + String(repeating: " ", count: width - shown.count) + "  " + right)
        }
        return lines
    }

    /// Prose in lines of at most 100 characters.
    private static func wrapped(_ text: Substring) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].count + word.count >= 100 { lines.append("") }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        return lines
    }

    private static func wrap(_ parts: [String]) -> [String] {
        var lines: [String] = []
        var line = "  "
        for (index, part) in parts.enumerated() {
            if line.count + part.count + 1 > 100 {
                lines.append(line)
                line = "     "
            }
            line += (index == 0 ? "" : " ") + part
        }
        return lines + [line]
    }
}
