/// The targets of `Package.swift` that hold the product, with their dependencies, read from its text.
///
/// The manifest is a table of calls `module(name, [dependencies], …)` and `.target(name: …)`; a dependency list is the
/// positional list after the name, or the one labelled `dependencies:`.
func manifestTargets(of manifest: String) -> [String: Set<String>] {
    var targets: [String: Set<String>] = [:]
    let text = manifest.split(separator: "\n").map { $0.split(separator: "//").first ?? "" }.joined(separator: "\n")
    for opening in ["module(", ".target(", ".executableTarget(", ".systemLibrary("] {
        var rest = text[...]
        while let call = rest.firstRange(of: opening) {
            rest = rest[call.upperBound...]
            let arguments = balanced(rest)
            // A call outside the list of targets (the helper functions' own bodies) has no literal name.
            guard let name = firstLiteral(in: arguments), arguments.contains("\"\(name)\"") else { continue }
            if arguments.contains("path: \"Tests/") || name.hasSuffix("-dev") { continue }
            targets[name] = dependencies(in: arguments)
        }
    }
    return targets
}

private func balanced(_ text: Substring) -> Substring {
    var depth = 1
    for index in text.indices {
        if text[index] == "(" || text[index] == "[" { depth += 1 }
        if text[index] == ")" || text[index] == "]" { depth -= 1 }
        if depth == 0 { return text[..<index] }
    }
    return text
}

private func firstLiteral(in arguments: Substring) -> String? {
    let trimmed = arguments.drop(while: { $0.isWhitespace })
    guard trimmed.hasPrefix("\"") || trimmed.hasPrefix("name: \"") else { return nil }
    return literals(in: trimmed).first
}

private func dependencies(in arguments: Substring) -> Set<String> {
    let parts = arguments.split(separator: "[", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return [] }
    let label = parts[0].split(separator: ",").last?.trimmed ?? ""
    guard label.isEmpty || label == "dependencies:" else { return [] }
    return Set(literals(in: parts[1].prefix(while: { $0 != "]" })))
}

private func literals(in text: Substring) -> [String] {
    text.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map {
        String($0.element)
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
