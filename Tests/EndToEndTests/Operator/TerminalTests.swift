import SessionDomain
import SystemCalls
import Testing

/// What a person at a terminal sees of a run.
@Suite struct TerminalTests {
    /// Runs sync at a terminal of its own: how it ended, and everything that was written to that terminal.
    private func atTerminal(_ workshop: Workshop, _ environment: [String], _ words: String...) throws -> (
        end: Int, text: String
    ) {
        let script = """
            import os, pty, sys
            seen = []
            def read(number):
                seen.append(os.read(number, 65536))
                return seen[-1]
            ended = pty.spawn(sys.argv[1:], read)
            sys.stdout.flush()
            os.write(1, b"\\nended %d" % os.waitstatus_to_exitcode(ended))
            """
        let done = try ChildProcess.runInEnvironment(
            path: "/usr/bin/python3",
            arguments: ["python3", "-c", script, Workshop.product, "--ledger", workshop.ledger] + words,
            environment: workshop.variables + environment)
        let text = String(decoding: done.output, as: UTF8.self)
        let end = try #require(text.split(separator: " ").last.flatMap { Int($0) }, "\(text)")
        return (end, text)
    }

    @Test func `a terminal shows a bar while a run works and nothing of it afterwards`() throws {
        let workshop = try Workshop()
        try workshop.fill(2)
        let sandbox = try RunningSandbox.start(
            workshop, scenario: #"{"schema":1,"rules":[{"destination":"verifier","delay_ms":600}]}"#)
        let plain = try atTerminal(workshop, sandbox.environment + ["TERM=dumb"], "sync", "--limit", "1")
        #expect(plain.end == 75 && !plain.text.contains("\u{1B}") && plain.text.hasPrefix("Delivered 1"), "\(plain)")
        let shown = try atTerminal(workshop, sandbox.environment + ["TERM=xterm", "NO_COLOR=1"], "sync")
        #expect(shown.end == 0, "\(shown)")
        #expect(shown.text.contains("0/1") && !shown.text.contains("\u{1B}[32m"), "\(shown)")
        // erased before the result is printed
        let last = try #require(shown.text.components(separatedByEscape: "\u{1B}[K").last)
        #expect(last.hasPrefix("Delivered 1"), "\(shown)")
    }
}

extension String {
    fileprivate func components(separatedByEscape escape: String) -> [Substring] {
        split(separator: escape, omittingEmptySubsequences: false)
    }
}
