/// One thing the tool can do. The table of verbs is the only place that parsing, help and did-you-mean look at.
struct Verb: Sendable {
    /// The words that name it, such as `["session", "start"]`.
    let path: [String]
    let summary: String
    var details: String? = nil
    var positionals: [Positional] = []
    var options: [Option] = []
    var writes = false
    /// False where what it writes is of no session: no version can be expected of it.
    var meansSession = true
    /// Left out of the overview.
    var isHidden = false
    var examples: [String] = []
    /// Beside 0, 64, 70 and 78, which every verb may give.
    var exits: [ExitCode] = []
    let run: @Sendable (Invocation, Console) async throws -> ExitCode

    var name: String { path.joined(separator: " ") }
    var ownOptions: [Option] { options + (writes ? Option.writing.filter { meansSession || $0 != .expectedVersion } : []) }
    var allOptions: [Option] { ownOptions + Option.everywhere }
}
