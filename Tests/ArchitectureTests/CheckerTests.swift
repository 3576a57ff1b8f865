import Testing

/// The checker itself: what it must flag, it flags.
@Suite struct CheckerTests {
    let row = ModuleRow(name: "Domain", folder: "Sources/Domain", mayImport: ["Values"], systemModules: ["Glibc"])

    @Test(arguments: [
        "import SQLite", "public import SQLite", "package  import SQLite", "@_exported import SQLite",
        "@testable import SQLite", "@preconcurrency internal import SQLite", "import struct SQLite.Connection",
        "    import SQLite", "import Values; import SQLite", "#if canImport(SQLite)\nimport SQLite\n#endif",
    ])
    func `a forbidden import is flagged however it is written`(line: String) {
        let problems = importProblems(of: row, sources: [("a.swift", line)], modules: ["Domain", "Values", "SQLite"])
        #expect(
            problems == ["a.swift imports SQLite, a module that the row of Domain in Sources/README.md does not name"])
    }

    @Test func `a system module is flagged unless the row names it`() {
        let problems = importProblems(of: row, sources: [("a.swift", "import Glibc\nimport Foundation")], modules: ["Domain"])
        #expect(
            problems == [
                "a.swift imports Foundation, a system module that the row of Domain in Sources/README.md does not name"
            ])
    }

    @Test(arguments: ["// import SQLite", "/// import SQLite is not wanted", "let important = 1", "func `import`() {}"])
    func `what only looks like an import is let be`(line: String) {
        #expect(importedModules(of: line).isEmpty)
    }

    @Test func `the table is read with folders and with nothing`() {
        let rows = moduleTable(
            of: """
                | module | holds | may import | system modules |
                |---|---|---|---|
                | `A` | things with `code` | — | — |
                | `B` (`Folder`) | more | `A`, `C` | `Glibc` |
                """)
        #expect(
            rows == [
                ModuleRow(name: "A", folder: "Sources/A", mayImport: [], systemModules: []),
                ModuleRow(name: "B", folder: "Folder", mayImport: ["A", "C"], systemModules: ["Glibc"]),
            ])
    }

    @Test func `the manifest is read in each of its forms`() {
        let targets = manifestTargets(
            of: """
                func module(_ name: String, _ dependencies: [String] = []) -> Target { .target(name: name, path: nil) }
                .systemLibrary(name: "CThing", pkgConfig: "thing", providers: [.apt(["thing-dev"])]),
                module("Alone"), // module("Commented")
                module("Embedded", path: "Schema", resources: [.embedInCode("queries")]),
                module(
                    "Wide",
                    [
                        "Alone", "CThing",
                    ]),
                .executableTarget(name: "tool", dependencies: ["Wide"], swiftSettings: strict),
                .target(name: "Support", dependencies: ["Wide"], path: "Tests/Support"),
                """)
        #expect(targets == ["CThing": [], "Alone": [], "Embedded": [], "Wide": ["Alone", "CThing"], "tool": ["Wide"]])
    }
}
