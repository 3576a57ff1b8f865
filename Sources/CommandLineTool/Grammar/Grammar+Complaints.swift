import SessionDomain

extension Grammar {
    func unknownVerb(_ word: String, after path: [String]) -> Complaint {
        let known = words(after: path)
        let prefix = path.isEmpty ? "" : path.joined(separator: " ") + " "
        let named = word.isShowable ? " \"\(prefix)\(word)\"" : ""
        if let near = Spelling.nearest(to: word, in: known) {
            return .usage("There is no verb\(named).", remedy: "Did you mean \(Self.program) \(prefix)\(near)?")
        }
        return .usage("There is no verb\(named).", remedy: "Run \(Self.program) \(prefix)--help to see what there is.")
    }

    func unknownOption(_ name: String, known: [Option], verb: Verb?) -> Complaint {
        let place = verb.map { " of \($0.name)" } ?? ""
        let named = name.isShowable ? " --\(name)" : ""
        if let near = Spelling.nearest(to: name, in: known.map(\.name)) {
            return .usage("There is no option\(named)\(place).", remedy: "Did you mean --\(near)?")
        }
        let help = verb.map { "\(Self.program) \($0.name) --help" } ?? "\(Self.program) --help"
        return .usage("There is no option\(named)\(place).", remedy: "Run \(help) to see what there is.")
    }

    func incomplete(_ path: [String]) -> Complaint {
        if path.isEmpty {
            return .usage("No verb was given.", remedy: "Run \(Self.program) --help to see what there is.")
        }
        let name = path.joined(separator: " ")
        return .usage(
            "\(name) needs one more word: \(words(after: path).joined(separator: ", ")).",
            remedy: "Run \(Self.program) \(name) --help to see what they do.")
    }

    /// The words that may come next, each once, in the order of the table.
    func words(after path: [String]) -> [String] {
        var result: [String] = []
        for verb in verbs where verb.path.count > path.count && verb.path.starts(with: path) {
            if !result.contains(verb.path[path.count]) { result.append(verb.path[path.count]) }
        }
        return result
    }
}

extension String {
    /// Short visible ASCII, so that repeating it in a message can do no harm.
    fileprivate var isShowable: Bool { utf8.count <= 40 && utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}
