import Foundation
import Testing

/// Every code that a user can meet has a section in docs/runbook.md, and no section is about nothing.
@Suite struct RunbookTests {
    private static func runbook() throws -> String { try Repository.text("docs/runbook.md") }

    private static func headings() throws -> [String] {
        try runbook().split(separator: "\n").filter { $0.hasPrefix("### ") }.map { String($0.dropFirst(4)) }
    }

    @Test func `every code has a section`() throws {
        let known = Set(try Self.headings())
        let codes = try StatedCodes.all()
        #expect(codes.count > 250)
        for (code, path) in codes.sorted(by: { $0.key < $1.key }) where !known.contains(code) {
            Issue.record("docs/runbook.md has no section ### \(code), which \(path) states")
        }
    }

    @Test func `every section has a code, once`() throws {
        let codes = try StatedCodes.all()
        let headings = try Self.headings()
        for heading in headings where codes[heading] == nil {
            Issue.record("docs/runbook.md has a section ### \(heading), and no source states that code")
        }
        #expect(headings.count == Set(headings).count, "a heading stands twice: its anchor is ambiguous")
    }

    @Test func `every section says what is not lost, what to do and who acts`() throws {
        var names: [Substring] = []
        for block in try Self.runbook().split(separator: "\n\n").drop(while: { !$0.hasPrefix("### ") }) {
            if block.hasPrefix("### ") {
                names.append(block.dropFirst(4))
            } else if !names.isEmpty {
                let text = block.split(separator: "\n").joined(separator: " ")
                for word in ["Not lost:", "Now:", "Who:"] where !text.contains(word) {
                    Issue.record("\(names.joined(separator: ", ")) does not say \"\(word)\"")
                }
                names = []
            } else {
                continue
            }
        }
        #expect(names.isEmpty, "\(names) has no text")
    }

    @Test func `links inside the runbook lead somewhere`() throws {
        let anchors = Set(try Self.headings())
        for found in try Self.runbook().matches(of: /\]\(#([a-z_]+)\)/) { #expect(anchors.contains(String(found.1))) }
    }

    @Test func `the remedy of an error leads to its section`() throws {
        let source = try Repository.text("Sources/CommandLineTool/Output/Runbook.swift")
        #expect(source.contains(#""docs/runbook.md#\(code)""#))
    }

    /// What only a host that links the library can meet, or a measurement.
    private static let unmet: Set<String> = ["ledger_closed", "handler_failed", "wrong_shape"]

    @Test func `S97 every code that the library states decides how the tool ends`() throws {
        let table = try Repository.text("Sources/CommandLineTool/Output/Complaint+LedgerError.swift")
        let decided = Set(table.matches(of: /"([a-z0-9_]+)"/).map { String($0.1) })
        var stated: Set<String> = []
        for folder in ["Sources/CaptureLedger", "Sources/CaptureLedgerSync", "Sources/CaptureLedgerRunners"] {
            for source in try Repository.swiftSources(below: folder) {
                stated.formUnion(source.text.matches(of: /code: \.init\(rawValue: "([a-z0-9_]+)"/).map { String($0.1) })
            }
        }
        #expect(stated.count > 60)
        for code in stated.subtracting(decided).subtracting(Self.unmet).sorted() { Issue.record("\(code) ends with 70") }
    }

    @Test func `docs operations says what to do about every exit code`() throws {
        let exits = try Repository.text("Sources/CommandLineTool/Output/ExitCode.swift")
        let numbers = exits.matches(of: /case [A-Za-z]+ = ([0-9]+)/).map { String($0.1) }
        #expect(numbers.count >= 11)
        let rows = try Repository.text("docs/operations.md").split(separator: "\n")
        for number in numbers {
            #expect(rows.contains { $0.hasPrefix("| \(number) |") }, "docs/operations.md has no row for exit code \(number)")
        }
    }
}

/// The codes that the sources state, each with a file that does.
private enum StatedCodes {
    static func all() throws -> [String: String] {
        var codes: [String: String] = [:]
        for source in try Repository.swiftSources(below: "Sources") {
            for code in stated(in: source.text, isSandbox: source.path.contains("/Sandbox/")) { codes[code] = source.path }
        }
        return codes
    }

    private static func stated(in text: String, isSandbox: Bool) -> [String] {
        var codes: [String] = []
        // open sets, and what is thrown where it is found
        codes += text.matches(of: /rawValue: "([a-z0-9_]+)"/).map { String($0.1) }
        codes += text.matches(of: /Complaint\(\s*"([a-z0-9_]+)"/).map { String($0.1) }
        // the sandbox's refusals are what a server says, not what a user of ours meets
        if !isSandbox { codes += text.matches(of: /\bcode: "([a-z0-9_]+)"/).map { String($0.1) } }
        // findings of the doctor
        codes += text.matches(of: /"([a-z0-9_]+)", \.(?:note|warning|error)\b/).map { String($0.1) }
        codes += text.matches(of: /check\("[^\n]*, "([a-z0-9_]+)"\)/).map { String($0.1) }
        // findings of one kind about several things
        for end in text.matches(of: /"\\\(code\)(_[a-z]+)"/) {
            codes += text.matches(of: /, of: "([a-z_]+)"/).map { $0.1 + end.1 }.map { String($0) }
        }
        // closed sets
        for block in text.matches(of: /enum (?:Code|CryptographyError): String[^{]*\{([^{]*?)\n *(?:\}|\n)/) {
            for line in block.1.matches(of: /case ([a-zA-Z0-9]+)(?: = "([a-z0-9_]+)")?/) {
                codes.append(String(line.2 ?? line.1))
            }
        }
        for block in text.matches(of: /var code: String \{\n        switch self \{([^}]*)\}/) {
            codes += block.1.matches(of: /: "([a-z0-9_]+)"/).map { String($0.1) }
        }
        for block in text.matches(of: /private static let groups:([\s\S]*?)\n    \]/) {
            codes += block.1.matches(of: /"([a-z0-9_]+)"/).map { String($0.1) }
        }
        // why deliveries stand still
        if text.contains("enum Cause {") {
            codes += text.matches(of: /static let [a-zA-Z]+ = "([a-z0-9_]+)"/).map { String($0.1) }
        }
        return codes
    }
}
