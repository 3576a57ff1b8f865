import Testing

@testable import CommandLineTool

struct HelpTests {
    private func said(_ words: [String]) throws -> String {
        guard case .say(let text) = try Grammar(verbs: Verb.all).parse(words) else { return "" }
        return text
    }

    @Test(arguments: Verb.all.map(\.name))
    func `S97 every verb says how it is used, by example, and how it ends`(name: String) throws {
        let words = name.split(separator: " ").map(String.init)
        let text = try said(words + ["--help"])
        #expect(try said(["help"] + words) == text)
        #expect(try said(words + ["-h"]) == text)
        let verb = try #require(Verb.all.first { $0.name == name })
        for part in ["Usage:", "Options of every verb:", "Examples:", "Exit codes:", verb.summary] {
            #expect(text.contains(part), "\(part)")
        }
        for option in verb.ownOptions { #expect(text.contains("--\(option.name)")) }
        for line in text.split(separator: "\n") { #expect(line.count <= 160, "\(line)") }
        #expect(!verb.examples.isEmpty && verb.summary.hasSuffix("."))
        for paragraph in verb.details?.split(separator: "\n") ?? [] { #expect(paragraph.hasSuffix("."), "\(paragraph)") }
        for example in verb.examples { #expect(throws: Never.self) { try parse(example) } }
    }

    /// An example in the help is itself understood.
    private func parse(_ example: String) throws {
        let words = example.split(separator: " ").map(String.init)
        #expect(words.first == "capture-ledger")
        _ = try Grammar(verbs: Verb.all).parse(Array(words.dropFirst()))
    }

    @Test(arguments: Verb.all.filter(\.writes).map(\.name))
    func `every verb that writes takes a command id, and an expected version where it means a session`(name: String) throws {
        let words = name.split(separator: " ").map(String.init)
        let verb = try #require(Verb.all.first { $0.name == name })
        let text = try said(words + ["--help"])
        #expect(text.contains("--command-id K") && text.contains("[--command-id K]"))
        #expect(text.contains("[--expected-version N]") == verb.meansSession)
        #expect(text.contains("--expected-version N  ") == verb.meansSession)
    }

    @Test func `an expected version of no session is refused with a sentence before anything is done`() async throws {
        let without = Verb.all.filter { $0.writes && !$0.meansSession }
        #expect(without.map(\.name).sorted() == ["audit checkpoint", "audit witness", "key rotate"])
        for verb in without {
            #expect(
                throws: Complaint.usage(
                    "--expected-version is a session's, and \(verb.name) is of none.", remedy: "Leave it out.")
            ) {
                try Grammar(verbs: Verb.all).parse(verb.path + ["--expected-version", "3"])
            }
        }
        let desk = try Desk()
        try await desk.done("init")
        let id = try await desk.session("selfie")
        #expect(await desk.run("sync", "pause", "verifier", "--expected-version", "1").exit == .usage)
        #expect(await desk.run("erase", "--subject", "p", "--expected-version", "1").exit == .usage)
        let stale = await desk.run("--json", "sync", "pause", "--session", id, "--expected-version", "7")
        #expect(stale.exit == .refused && stale.errorCode == "stale_version", "\(stale.text)")
        for _ in 0..<2 {
            let paused = try await desk.done("sync", "pause", "--session", id, "--expected-version", "1", "--command-id", "p")
            #expect(paused["paused"] == true)
        }
    }

    @Test func `the overview names every verb and every exit code`() throws {
        let text = try said(["--help"])
        for verb in Verb.all { #expect(text.contains("  \(verb.name)"), "\(verb.name)") }
        for code in ExitCode.allCases { #expect(text.contains("  \(code.rawValue)")) }
        #expect(try said(["session", "--help"]).contains("session start"))
        #expect(try said(["--version"]).hasPrefix("capture-ledger "))
    }

    @Test func `the verbs of the contract are all there`() {
        let names = Set(Verb.all.map(\.name))
        let contract = [
            "init", "session start", "session show", "session find", "session list", "session exit", "session cancel",
            "session suspend", "session resume", "capture", "confirm", "retake", "drop", "hologram start", "hologram cancel",
            "hologram bind", "observe", "sync", "sync list", "sync explain", "sync pause", "sync resume", "sync requeue",
            "status",
            "explain", "timeline", "replay", "audit verify", "config check", "media open", "erase", "backup", "restore",
            "doctor",
            "rebuild", "migrate", "sandbox", "bench append", "demo",
        ]
        #expect(Set(contract).subtracting(names) == [])
    }
}
