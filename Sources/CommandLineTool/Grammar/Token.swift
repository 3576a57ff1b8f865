/// One word of a command line, read without knowing the verb yet: no name is a flag for one verb and takes a value for another.
enum Token: Hashable, Sendable {
    case word(String)
    case option(name: String, value: String?)

    /// - Parameter takesValue: by option name; a name that is not there is read as a flag and refused later by name.
    static func read(_ arguments: [String], takesValue: [String: Bool]) throws(Complaint) -> [Token] {
        var tokens: [Token] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                tokens += rest.map { .word($0) }
                break
            }
            if argument == "-h" {
                tokens.append(.option(name: "help", value: nil))
            } else if argument.hasPrefix("--") {
                tokens.append(try option(argument.dropFirst(2), &rest, takesValue))
            } else if argument.hasPrefix("-"), argument.count > 1 {
                throw .usage(
                    "Options have long names, such as --json; one with a single hyphen was given.",
                    remedy: "Put -- before a word that begins with a hyphen.")
            } else {
                tokens.append(.word(argument))
            }
        }
        return tokens
    }

    private static func option(
        _ text: Substring, _ rest: inout ArraySlice<String>, _ takesValue: [String: Bool]
    ) throws(Complaint) -> Token {
        if let equals = text.firstIndex(of: "=") {
            let name = String(text[..<equals])
            if takesValue[name] == false {
                throw .usage("--\(name) takes no value.", remedy: "Write --\(name) alone, or leave it out.")
            }
            return .option(name: name, value: String(text[text.index(after: equals)...]))
        }
        let name = String(text)
        guard takesValue[name] == true else { return .option(name: name, value: nil) }
        guard let value = rest.first, !value.hasPrefix("--") else {
            throw .usage("--\(name) needs a value.", remedy: "Write --\(name)=VALUE.")
        }
        rest.removeFirst()
        return .option(name: name, value: value)
    }
}
