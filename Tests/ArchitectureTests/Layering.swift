import Foundation

/// One row of the table in `Sources/README.md`.
struct ModuleRow: Equatable {
    var name: String
    /// The folder, relative to the repository.
    var folder: String
    var mayImport: Set<String>
    var systemModules: Set<String>
}

/// The rows of the Markdown table: module (with its folder in brackets where it is not `Sources/<module>`), what it holds,
/// what it may import, system modules.
func moduleTable(of markdown: String) -> [ModuleRow] {
    markdown.split(separator: "\n").compactMap { line in
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        guard cells.count == 4, let first = cells.first else { return nil }
        let names = codeSpans(in: first)
        guard let name = names.first else { return nil }
        let rest = Array(cells.dropFirst(2))
        return ModuleRow(
            name: name, folder: names.count > 1 ? names[1] : "Sources/\(name)", mayImport: Set(codeSpans(in: rest[0])),
            systemModules: Set(codeSpans(in: rest[1])))
    }
}

private func codeSpans(in cell: Substring) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map {
        String($0.element)
    }
}

/// The modules that a Swift source imports, whatever attribute, access level or symbol kind the line carries.
func importedModules(of source: String) -> Set<String> {
    let modifiers: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor"]
    var modules: Set<String> = []
    for line in source.split(whereSeparator: { $0 == "\n" || $0 == ";" }) {
        var words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })[...]
        while let word = words.first, word.hasPrefix("@") || modifiers.contains(word) { words.removeFirst() }
        guard words.popFirst() == "import" else { continue }
        if let word = words.first, kinds.contains(word) { words.removeFirst() }
        if let module = words.first?.split(separator: ".").first { modules.insert(String(module)) }
    }
    return modules
}

/// What is wrong with the imports of one module's sources, a sentence each; nothing when they keep to its row.
func importProblems(of row: ModuleRow, sources: [(path: String, text: String)], modules: Set<String>) -> [String] {
    sources.flatMap { source in
        importedModules(of: source.text).sorted().compactMap { module in
            if module == row.name || row.mayImport.contains(module) || row.systemModules.contains(module) { return nil }
            let kind = modules.contains(module) ? "module" : "system module"
            return "\(source.path) imports \(module), a \(kind) that the row of \(row.name) in Sources/README.md does not name"
        }
    }
}
