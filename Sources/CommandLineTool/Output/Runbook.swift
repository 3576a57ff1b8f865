/// Where people read on.
enum Runbook {
    /// The section of a code; `docs/runbook.md` has one for each.
    static func section(_ code: String) -> String { "docs/runbook.md#\(code)" }
}
