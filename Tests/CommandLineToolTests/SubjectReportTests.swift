import CaptureLedger
import SessionDomain
import SystemCalls
import TestSupport
import Testing

@testable import CommandLineTool

/// What is held about a person, for whoever asks for it.
struct SubjectReportTests {
    private static let other = "OTHER-PERSON-CANARY"

    private func people(_ desk: Desk) async throws -> (mine: [String], other: String) {
        try await desk.done("init")
        var mine: [String] = []
        for number in 1...2 {
            let id = try await desk.session(
                "selfie,passport_front", "--subject", "customer-1", "--client-key", "booking-\(number)", "--group", "family")
            try await desk.done("capture", id, "selfie", Desk.fixture("selfie.jpg"))
            mine.append(id)
        }
        let other = try await desk.session(
            "selfie", "--subject", "customer-2", "--client-key", Self.other, "--group", "family")
        try await desk.done("capture", other, "selfie", Desk.fixture("selfie-orientation-8.jpg"))
        return (mine, other)
    }

    @Test func `subject report opens what is held about one person over all sessions, and nothing of another`() async throws {
        let desk = try Desk()
        let (mine, other) = try await people(desk)
        let report = try await desk.done("subject", "report", "customer-1")
        let sessions = try #require(report["sessions"]?.asArray)
        #expect(sessions.map { $0["session"]?["id"]?.asString } == mine)
        let captures = try #require(sessions.first?["captures"]?.asArray)
        #expect(captures.count == 1 && captures[0]["has_original"] == true && captures[0]["media"]?["type"] == "image/jpeg")
        let start = sessions.first?["private"]?.asArray?.first
        #expect(start?["type"] == "session_started" && start?["content"]?["client_key"] == "booking-1")
        #expect(start?["content"]?["subject"] == "customer-1" && start?["content"]?["group"] == "family")
        #expect(sessions.first?["recipients"] == .array([]))
        let words = await desk.run("subject", "report", "customer-1").text
        #expect(words.contains("booking-2") && words.contains("Nobody received anything."))
        for text in [report.canonical, words] { #expect(!text.contains(Self.other) && !text.contains(other)) }
        // each time it is on record, without the reference
        let log = String(decoding: try InputFile.bytes(desk.ledger + "/access.jsonl", limit: 1 << 20), as: UTF8.self)
        #expect(log.split(separator: "\n").count { $0.contains("subject_report") } == 4)
        #expect(!log.contains("customer-1") && !log.contains(other))
    }

    @Test func `the page is self-contained, escaped, its owner's alone, and replaces nothing`() async throws {
        let desk = try Desk()
        try await desk.done("init")
        let hostile = "<script>alert(1)</script>&\"'"
        let id = try await desk.session("selfie", "--subject", hostile, "--client-key", "k<b>")
        try await desk.done("capture", id, "selfie", Desk.fixture("selfie.jpg"))
        let path = desk.home + "/report.html"
        let made = try await desk.done("subject", "report", hostile, "--html", "--out", path)
        #expect(made["path"] == .string(path) && made["sessions"] == .array([.string(id)]))
        let page = String(decoding: try InputFile.bytes(path, limit: 1 << 20), as: UTF8.self)
        #expect(page.contains("&lt;script&gt;alert(1)") && !page.contains("<script") && !page.contains("k<b>"))
        #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("src="))
        #expect(try FileStatus.of(path)?.mode == 0o600)
        #expect(await desk.run("subject", "report", hostile, "--html", "--out", path).exit == .cannotCreate)
        #expect(await desk.run("subject", "report", hostile, "--html").exit == .usage)
        #expect(await desk.run("subject", "report", hostile, "--out", path + "2").exit == .usage)
        #expect(await desk.run("subject", "report").exit == .usage)
    }

    @Test(.enabled(if: PageViewer.isThere, "\(PageViewer.needed)"))
    func `the page opens in a browser without an error or a request, and can be read`() async throws {
        let desk = try Desk()
        let (_, other) = try await people(desk)
        let path = desk.home + "/report.html"
        try await desk.done("subject", "report", "customer-1", "--html", "--out", path)
        let page = String(decoding: try InputFile.bytes(path, limit: 1 << 20), as: UTF8.self)
        let seen = try PageViewer.look(at: [("subject-report", page)])[0]
        #expect(seen.problems == [] && seen.title == "What is held about customer-1")
        for part in ["Pictures and videos", "kept, sealed", "booking-2", "Nobody."] {
            #expect(seen.text.contains(part), "\(part)")
        }
        #expect(!seen.text.contains(other))
    }

    @Test func `who is not known is 66, and of an erased session it says what remains`() async throws {
        let desk = try Desk()
        let (mine, _) = try await people(desk)
        let unknown = await desk.run("--json", "subject", "report", "nobody-here")
        #expect(unknown.exit == .notFound && unknown.errorCode == "no_such_subject")
        #expect(!unknown.text.contains("nobody-here"))
        for id in mine { try await desk.done("erase", id, "--now") }
        #expect(await desk.run("subject", "report", "customer-1").exit == .notFound)
        let left = try await desk.done("subject", "report", "--session", mine[0])
        let session = try #require(left["sessions"]?.asArray?.first)
        #expect(session["erased"] == true && session["private"] == .array([]))
        #expect(session["captures"]?.asArray?.first?["has_original"] == false)
        #expect(session["remains"]?.asString?.contains("nothing that says whom they are about") == true)
        #expect(!left.canonical.contains("customer-1") && !left.canonical.contains("booking-1"))
    }

    @Test func `an erasure that was asked for closes what is private, and the report says until when`() async throws {
        let desk = try Desk()
        let (mine, _) = try await people(desk)
        try await desk.done("erase", mine[0])
        let report = try await desk.done("subject", "report", "--session", mine[0])
        let session = try #require(report["sessions"]?.asArray?.first)
        #expect(session["private"] == .array([]) && session["erasure_due_at_ms"]?.asInteger != nil)
        #expect(!report.canonical.contains("booking-1"))
    }
}
