import SessionDomain
import Testing

@testable import CommandLineTool

/// What `erase` says and does where a person has several sessions.
struct EraseVerbTests {
    /// Two sessions of one person; a command of the first has the name that its erasure would get, so that it is refused.
    private func people(_ desk: Desk) async throws -> (refused: String, other: String) {
        try await desk.done("init")
        var ids: [String] = []
        for _ in 0..<2 { ids.append(try await desk.session("selfie", "--subject", "p")) }
        try await desk.done("session", "suspend", ids[0], "--command-id", "gone-\(ids[0])")
        return (ids[0], ids[1])
    }

    @Test func `S98 an erasure that is refused holds up no other of the person, and each is told by itself`() async throws {
        let desk = try Desk()
        let (refused, other) = try await people(desk)
        let words = ["--json", "erase", "--subject", "p", "--now", "--command-id", "gone"]
        let answer = await desk.run(words)
        #expect(answer.exit == .refused && answer.errorCode == "command_id_conflict", "\(answer.text)")
        let told = try #require(try answer.json["erasures"]?.asArray)
        #expect(told.map { $0["session_id"] } == [.string(refused), .string(other)])
        #expect(told.map { $0["state"] } == ["failed", "erased"])
        #expect(told[0]["error"]?["code"] == "command_id_conflict" && told[1]["error"] == nil)
        #expect(answer.errors.count == 1 && answer.errors[0].contains("1 of 2 sessions could not be done."))
        #expect(try await desk.done("session", "show", other)["session"]?["status"] == "erased")
        #expect(try await desk.done("session", "show", refused)["session"]?["status"] == "suspended")
        // what is left is still found, under its own name again
        let again = await desk.run(words)
        #expect(again.exit == .refused && again.errorCode == "command_id_conflict", "\(again.text)")
        let done = try await desk.done("erase", "--subject", "p", "--now", "--command-id", "gone-2")
        #expect(done["erased"]?["session_id"] == .string(refused) && done["error"] == nil)
    }

    @Test func `the words of several erasures name each session, and say how many could not be done`() async throws {
        let desk = try Desk()
        let (refused, other) = try await people(desk)
        let answer = await desk.run("erase", "--subject", "p", "--now", "--command-id", "gone")
        let lines = answer.text.split(separator: "\n")
        #expect(answer.exit == .refused && lines.count == 3, "\(answer.text)")
        #expect(lines.first?.hasPrefix("Session \(refused): ") == true)
        #expect(lines.dropFirst().first?.hasPrefix("Erased session \(other): ") == true)
        #expect(lines.last == "1 of 2 sessions could not be done.")
    }

    @Test func `a request and its withdrawal for a person give their first receipts when they are repeated`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let ids = [try await desk.session("selfie", "--subject", "p"), try await desk.session("selfie", "--subject", "p")]
        let asked = ["erase", "--subject", "p", "--command-id", "ask"]
        let undone = ["erase", "--undo", "--subject", "p", "--command-id", "undo"]
        for (words, state) in [(asked, "requested"), (asked, "requested"), (undone, "withdrawn"), (undone, "withdrawn")] {
            let answer = await desk.run(["--json"] + words)
            #expect(answer.exit == .done, "\(words): \(answer.text)")
            let told = try answer.json["erasures"]?.asArray ?? []
            #expect(told.map { $0["state"] } == [.string(state), .string(state)])
            #expect(told.map { $0["session_id"]?.asString } == ids)
        }
        #expect(try await desk.done("status")["last_position"] == .integer(6), "two starts, two requests, two withdrawals")
    }
}

/// One person, however the reference was typed.
struct SubjectSpellingTests {
    private static let composed = "Jos\u{E9} 4711"
    private static let decomposed = "Jose\u{301} 4711"

    @Test(arguments: [composed, decomposed, "  \(composed)", "\(decomposed)\t ", "\u{A0}\(composed)\u{2003}\n"])
    func `S98 every session of a person is found and erased, whichever form was typed`(typed: String) async throws {
        let desk = try Desk()
        try await desk.done("init")
        var ids: [String] = []
        for form in [Self.composed, Self.decomposed, " \(Self.composed) ", "\(Self.decomposed)\n"] {
            ids.append(try await desk.session("selfie", "--subject", form))
        }
        for other in ["Jose 4711", "Jos\u{E9}  4711", "jos\u{E9} 4711", "Jos\u{E9} 4711x"] {
            try await desk.session("selfie", "--subject", other)
        }
        let found = try await desk.done("session", "find", "--subject", typed)["sessions"]?.asArray
        #expect(found?.map { $0["id"]?.asString } == ids)
        #expect(try await desk.done("subject", "report", typed)["sessions"]?.asArray?.count == 4)
        #expect(try await desk.done("erase", "--now", "--subject", typed)["erasures"]?.asArray?.count == 4)
        for id in ids { #expect(try await desk.done("session", "show", id)["session"]?["status"] == "erased") }
        #expect(try await desk.done("session", "list")["sessions"]?.asArray?.count { $0["status"] == "active" } == 4)
    }

    @Test func `a reference of blanks alone is found as it is`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let id = try await desk.session("selfie", "--subject", " ")
        #expect(try await desk.done("session", "find", "--subject", " ")["sessions"]?.asArray?.first?["id"] == .string(id))
        #expect(try await desk.done("session", "find", "--subject", "x")["sessions"] == .array([]))
    }
}
