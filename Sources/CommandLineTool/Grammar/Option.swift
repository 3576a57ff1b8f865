/// An option as a verb declares it: `--name` alone is a flag, `--name VALUE` takes a value.
struct Option: Sendable, Hashable {
    let name: String
    /// What stands for the value in help; nil for a flag.
    let value: String?
    let summary: String
    /// Texts that are accepted; nil accepts any.
    let choices: [String]?
    let isRepeatable: Bool

    static func flag(_ name: String, _ summary: String) -> Option {
        Option(name: name, value: nil, summary: summary, choices: nil, isRepeatable: false)
    }

    static func value(_ name: String, _ value: String, _ summary: String, repeatable: Bool = false) -> Option {
        Option(name: name, value: value, summary: summary, choices: nil, isRepeatable: repeatable)
    }

    static func choice(_ name: String, _ choices: [String], _ summary: String) -> Option {
        Option(name: name, value: choices.joined(separator: "|"), summary: summary, choices: choices, isRepeatable: false)
    }

    var usage: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
}

extension Option {
    /// Understood before and after every verb.
    static let everywhere: [Option] = [
        .value("ledger", "DIR", "the ledger's folder; else $CAPTURE_LEDGER, else ./my.ledger"),
        .flag("json", "print one JSON object on standard output"),
        .choice(
            "log", ["debug", "info", "notice", "warning", "error"], "lines on standard error from this level on (warning)"),
        .choice("log-format", ["text", "json"], "how those lines look (text on a terminal, else json)"),
        .flag("help", "say what a verb does and stop"),
    ]

    /// On every verb that writes.
    static let writing: [Option] = [
        .value("command-id", "K", "name of this command: repeating it returns the first receipt and appends nothing"),
        expectedVersion,
    ]

    /// Of verbs that write something of a session.
    static let expectedVersion = value("expected-version", "N", "refuse unless the session is at this version")
}
