import Foundation
import Testing

@Suite struct NamesTests {
    struct Symbols {
        /// Alias → what it stands for, as the compiler wrote it.
        var aliases: [String: String] = [:]
        var types: Set<String> = []
    }

    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The symbol graph of the built modules, as the compiler writes it.
    static func symbols(of modules: [String]) throws -> Symbols {
        let build = OtherProcess.command.deletingLastPathComponent()
        let folder = FileManager.default.temporaryDirectory.appending(path: "symbols-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var symbols = Symbols()
        for module in modules {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments =
                ["swift-symbolgraph-extract", "-module-name", module, "-target", "x86_64-unknown-linux-gnu"]
                + ["-I", build.appending(path: "Modules").path, "-output-dir", folder.path, "-minimum-access-level", "public"]
                + (try moduleMaps(build).flatMap { ["-Xcc", "-fmodule-map-file=" + $0] })
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw Unexpected("no symbol graph of \(module)") }
            let data = try Data(contentsOf: folder.appending(path: module + ".symbols.json"))
            guard let graph = try JSONSerialization.jsonObject(with: data) as? [String: Any],
                let list = graph["symbols"] as? [[String: Any]]
            else { throw Unexpected("the symbol graph of \(module) is none") }
            for symbol in list {
                guard let path = symbol["pathComponents"] as? [String], path.count == 1,
                    let kind = (symbol["kind"] as? [String: Any])?["identifier"] as? String,
                    let fragments = symbol["declarationFragments"] as? [[String: Any]]
                else { continue }
                if kind == "swift.typealias" {
                    symbols.aliases[path[0]] = fragments.last?["spelling"] as? String
                } else {
                    symbols.types.insert(path[0])
                }
            }
        }
        return symbols
    }

    private static func moduleMaps(_ build: URL) throws -> [String] {
        ["CSQLite", "COpenSSL", "CCurl", "CMicroHTTPD"].map {
            repository.appending(path: "Sources/\($0)/module.modulemap").path
        }
            + ["CSystem", "CIPSecMB"].map { build.appending(path: "\($0).build/module.modulemap").path }
    }

    @Test func `every old name of the page is in the symbol graph, stands for what the page says, and none is missing`() throws
    {
        let page = try String(
            contentsOf: Self.repository.appending(path: "docs/coming-from-the-capture-kit.md"), encoding: .utf8)
        var rows: [String: String] = [:]
        for line in page.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            rows[cells[0].trimmingCharacters(in: ["`"])] = cells[1].trimmingCharacters(in: ["`"])
        }
        let symbols = try Self.symbols(of: ["CaptureLedger", "CaptureLedgerSync", "SessionDomain"])
        #expect(rows.count >= 31)
        for (old, new) in rows {
            #expect(symbols.types.contains(new), "\(new) is no public type")
            if old != new { #expect(symbols.aliases[old] == new, "\(old) stands for \(symbols.aliases[old] ?? "nothing")") }
        }
        let undocumented = symbols.aliases.keys.filter { $0.hasPrefix("IDC") && rows[$0] == nil }
        #expect(undocumented.isEmpty, "not on the page: \(undocumented.sorted())")
    }
}
