import CaptureLedger
import SessionDomain

extension Situation {
    /// What a person reads: why, since when, what comes next and when, whose turn it is, and what to run.
    func lines(_ invocation: Invocation, now: Int64, indent: String = "") -> [String] {
        var lines = ["Why: \(why)"]
        if let since = sinceMilliseconds {
            lines.append("Since: \(Words.time(since)), \(Words.duration(max(0, now - since))) ago.")
        }
        lines.append("Next: \(next)")
        if let at = atMilliseconds {
            lines.append(at > now ? "When: \(Words.time(at)), in \(Words.duration(at - now))." : "When: it is due.")
        }
        lines.append("Who must act: \(who.words).")
        lines += commands.map { "  \(invocation.commandLine($0))" }
        if let code { lines.append("More: \(Runbook.section(code))") }
        return lines.map { indent + $0 }
    }
}

extension Situation.Who {
    var words: String {
        switch self {
        case .nobody: "nobody"
        case .worker: "nobody; the next sync goes on by itself"
        case .user: "the person who is captured"
        case .host: "the host's staff or program"
        case .operator: "an operator"
        }
    }
}

extension JSONValue {
    /// The same object with a situation's members.
    func adding(_ situation: Situation, _ invocation: Invocation) -> JSONValue {
        adding("why", .string(situation.why)).adding("since_ms", .whole(situation.sinceMilliseconds))
            .adding("next", .string(situation.next)).adding("next_at_ms", .whole(situation.atMilliseconds))
            .adding("who", .string(situation.who.rawValue))
            .adding("commands", .array(situation.commands.map { .string(invocation.commandLine($0)) }))
            .adding("runbook", situation.code.map { .string(Runbook.section($0)) })
    }
}

extension Invocation {
    /// A command as it can be copied: of the same ledger.
    func commandLine(_ command: String) -> String {
        guard let folder = text("ledger") else { return "\(Grammar.program) \(command)" }
        return "\(Grammar.program) --ledger \(Self.quoted(folder)) \(command)"
    }

    /// For a POSIX shell.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { unit in
            switch unit {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "/._-+:@".utf8.contains(unit)
            }
        }
        return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }
}
