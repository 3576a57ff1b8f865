import SessionDomain

/// Turns words into an invocation, or into one sentence about what is wrong with them. It reads nothing and does nothing.
struct Grammar: Sendable {
    static let program = "capture-ledger"
    let verbs: [Verb]

    enum Result: Sendable {
        case run(Invocation)
        /// Text for standard output; the tool ends with 0.
        case say(String)
    }

    func parse(_ arguments: [String], environment: [String: String] = [:]) throws(Complaint) -> Result {
        // a verb may have a --version of its own
        if arguments.contains("--version"), arguments.allSatisfy({ $0.hasPrefix("-") }) { return .say(Tool.version + "\n") }
        let tokens = try Token.read(arguments, takesValue: takesValue)
        var words = tokens.compactMap { if case .word(let word) = $0 { word } else { nil } }
        let given = tokens.compactMap { if case .option(let name, let value) = $0 { (name: name, value: value) } else { nil } }
        var wantsHelp = given.contains { $0.name == "help" }
        if words.first == "help" {
            words.removeFirst()
            wantsHelp = true
        }
        let path: [String]
        do throws(Complaint) { path = try takePath(&words) } catch {
            // A value that follows an option nobody knows looks like a word too many: say what is really wrong.
            let known = (verbs.flatMap(\.allOptions) + Option.everywhere)
            guard let name = given.first(where: { takesValue[$0.name] == nil })?.name else { throw error }
            throw unknownOption(name, known: known, verb: nil)
        }
        let verb = verbs.first { $0.path == path }
        if wantsHelp { return .say(verb.map(help(for:)) ?? overview(of: path)) }
        guard let verb else {
            if let unknown = given.first(where: { option in !Option.everywhere.contains { $0.name == option.name } }) {
                throw unknownOption(unknown.name, known: Option.everywhere, verb: nil)
            }
            throw incomplete(path)
        }
        let values = try bind(given, to: verb)
        try check(words, against: verb)
        return .run(Invocation(verb: verb, positionals: words, values: values, environment: environment))
    }

    private var takesValue: [String: Bool] {
        var result: [String: Bool] = [:]
        for option in Option.everywhere + Option.writing + verbs.flatMap(\.options) {
            result[option.name] = option.value != nil
        }
        return result
    }

    /// The leading words that name a verb, or a group of verbs.
    private func takePath(_ words: inout [String]) throws(Complaint) -> [String] {
        var path: [String] = []
        while let word = words.first {
            let candidate = path + [word]
            guard verbs.contains(where: { $0.path.starts(with: candidate) }) else {
                if let verb = verbs.first(where: { $0.path == path }),
                    !verb.positionals.isEmpty || self.words(after: path).isEmpty
                {
                    return path
                }
                throw unknownVerb(word, after: path)
            }
            path = candidate
            words.removeFirst()
        }
        return path
    }

    private func bind(_ given: [(name: String, value: String?)], to verb: Verb) throws(Complaint) -> [String: [String]] {
        var values: [String: [String]] = [:]
        for (name, value) in given {
            if name == Option.expectedVersion.name, verb.writes, !verb.meansSession {
                throw .usage("--\(name) is a session's, and \(verb.name) is of none.", remedy: "Leave it out.")
            }
            guard let option = verb.allOptions.first(where: { $0.name == name }) else {
                throw unknownOption(name, known: verb.allOptions, verb: verb)
            }
            if values[name] != nil, !option.isRepeatable {
                throw .usage("--\(name) is given twice.", remedy: "Keep one of them.")
            }
            if let choices = option.choices, let value, !choices.contains(value) {
                throw .usage(
                    "--\(name) was given a value that is not known.",
                    remedy: Spelling.remedy(for: value, in: choices))
            }
            if value?.isEmpty == true {
                throw .usage("--\(name) was given an empty value.", remedy: "Write --\(name)=VALUE, or leave it out.")
            }
            values[name, default: []].append(value ?? "")
        }
        return values
    }

    private func check(_ words: [String], against verb: Verb) throws(Complaint) {
        let help = "Run \(Self.program) \(verb.name) --help."
        var rest = words[...]
        for positional in verb.positionals {
            switch positional.arity {
            case .one, .oneOrMore:
                guard let word = rest.first, !word.isEmpty else {
                    throw .usage("\(verb.name) needs \(positional.name): \(positional.summary).", remedy: help)
                }
                rest = positional.arity == .one ? rest.dropFirst() : []
            case .optional: rest = rest.dropFirst()
            case .any: rest = []
            }
        }
        guard rest.isEmpty else {
            throw .usage("\(verb.name) was given more words than it takes.", remedy: help)
        }
    }
}
