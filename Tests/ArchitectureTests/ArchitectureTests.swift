import Foundation
import Testing

@Suite struct ArchitectureTests {
    let table: [ModuleRow]
    let names: Set<String>

    init() throws {
        table = moduleTable(of: try Repository.text("Sources/README.md"))
        names = Set(table.map(\.name))
    }

    @Test func `every module imports only what its row allows`() throws {
        for row in table {
            let problems = importProblems(of: row, sources: try Repository.swiftSources(below: row.folder), modules: names)
            #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
        }
    }

    @Test func `every folder of sources has a row and every row its folder`() throws {
        let folders = try Repository.folders(in: "Sources") + ["Schema"]
        #expect(Set(table.map(\.folder)) == Set(folders))
        #expect(table.count == names.count, "a module stands twice in the table")
        for row in table { #expect(row.mayImport.isSubset(of: names), "the row of \(row.name) names an unknown module") }
    }

    @Test func `a row names only modules that stand above it`() {
        var above: Set<String> = []
        for row in table {
            let below = row.mayImport.subtracting(above).sorted()
            #expect(below.isEmpty, "\(row.name) may import \(below), which stand below it: the flow has one direction")
            above.insert(row.name)
        }
    }

    @Test func `the package's dependencies are the table's`() throws {
        let targets = manifestTargets(of: try Repository.text("Package.swift"))
        #expect(Set(targets.keys) == names)
        for row in table {
            #expect(targets[row.name] == row.mayImport, "\(row.name) in Package.swift and in Sources/README.md")
        }
    }

    @Test func `S22 the domain sees nothing and only one module sees the network client`() throws {
        let domain = try #require(table.first { $0.name == "SessionDomain" })
        #expect(domain.mayImport.isEmpty && domain.systemModules.isEmpty)
        #expect(table.filter { $0.mayImport.contains("CCurl") }.map(\.name) == ["CurlTransport"])
        let core = try #require(table.first { $0.name == "CaptureLedger" })
        #expect(!reachable(from: core).contains("CCurl"))
    }

    @Test func `every query has a name, and somebody asks it`() throws {
        let accessors = try Repository.swiftSources(below: "Schema").map(\.text).joined()
        let named = accessors.matches(of: /static var (\w+): \[UInt8\] \{ PackageResources\.(\w+)_sql \}/)
        let files = try FileManager.default.contentsOfDirectory(atPath: Repository.root.appending(path: "Schema/queries").path)
        #expect(Set(named.map { "\($0.2).sql" }).isSuperset(of: files), "a file of Schema/queries has no name")
        var asked: Set<Substring> = []
        for source in try Repository.swiftSources(below: "Sources") + Repository.swiftSources(below: "Tests") {
            asked.formUnion(source.text.matches(of: /SchemaFiles\.(\w+)/).map { $0.1 })
        }
        #expect(named.count > 200)
        for name in named { #expect(asked.contains(name.1), "nobody asks \(name.1)") }
    }

    @Test func `the composition root stays under sixty lines`() throws {
        let lines = try Repository.text("Sources/capture-ledger/main.swift").split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 61)  // the last line feed ends the sixtieth line
    }

    @Test func `unsafe code stays inside the modules that wrap C`() throws {
        let wrappers = try Set(table.map(\.name).filter { try isC($0) })
        #expect(wrappers.count >= 5)
        for row in table where row.mayImport.isDisjoint(with: wrappers) {
            for source in try Repository.swiftSources(below: row.folder) {
                #expect(!usesUnsafe(source.text), "\(source.path) uses unsafe code, and its module wraps no C library")
            }
        }
    }

    /// A module of C headers has no Swift source.
    private func isC(_ name: String) throws -> Bool {
        guard let row = table.first(where: { $0.name == name }) else { return false }
        return try Repository.swiftSources(below: row.folder).isEmpty
    }

    private func usesUnsafe(_ text: String) -> Bool {
        text.split(separator: "\n").contains { line in
            let code = line.split(separator: "//", omittingEmptySubsequences: false).first ?? ""
            return code.split(whereSeparator: { !$0.isLetter && $0 != "-" }).contains("unsafe")
        }
    }

    private func reachable(from row: ModuleRow) -> Set<String> {
        var seen: Set<String> = []
        var waiting = Array(row.mayImport)
        while let name = waiting.popLast() {
            guard seen.insert(name).inserted else { continue }
            waiting += table.first { $0.name == name }?.mayImport ?? []
        }
        return seen
    }
}
