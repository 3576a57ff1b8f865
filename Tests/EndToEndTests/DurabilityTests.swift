import Glibc
import SessionDomain
import SystemCalls
import Testing

/// What is on the disk, and in which order, before a command is acknowledged: seen from outside, call by call.
@Suite struct DurabilityTests {
    @Test func `a capture is sealed, synchronized, named and only then appended and acknowledged`() throws {
        let workshop = try Workshop()
        try workshop.ledger("init")
        let started = try workshop.ledger("session", "start", "--pieces", "passport_front")
        let session = try #require(started["session"]?["id"]?.asString)

        let log = workshop.path + "/calls"
        let captured = try workshop.ledger(
            "capture", session, "passport_front", workshop.fixture("passport-front.jpg"),
            environment: Recorder.environment(workshop, root: workshop.ledger, file: log))
        let capture = try #require(captured["capture"]?["id"]?.asString)
        let calls = Recorder.calls(in: try workshop.text(log))

        let staged = "\(workshop.ledger)/media/staging/\(capture)"
        let placed = "\(workshop.ledger)/media/\(capture.suffix(2))/\(capture)"
        let lastWrite = try #require(calls.lastIndex { $0.name == "write" && $0.path == staged })
        let synchronized = try #require(calls.lastIndex { $0.name.hasSuffix("sync") && $0.path == staged })
        let renamed = try #require(calls.firstIndex { $0.name == "rename" && $0.newPath == placed })
        let folder = try #require(calls.lastIndex { $0.name == "fsync" && $0.path == placed.parentFolder })
        let appended = try #require(calls.firstIndex { $0.name == "write" && $0.path.hasSuffix("ledger.sqlite-wal") })
        let lastAppend = try #require(calls.lastIndex { $0.name == "write" && $0.path.hasSuffix("ledger.sqlite-wal") })
        let committed = try #require(
            calls.lastIndex { $0.name.hasSuffix("sync") && $0.path.hasSuffix("ledger.sqlite-wal") },
            "the write-ahead log was never synchronized")
        #expect(lastWrite < synchronized, "sealed bytes after the last synchronization")
        #expect(synchronized < renamed, "the file got its name before its bytes were durable")
        #expect(renamed < folder, "its name is not durable")
        #expect(folder < appended, "the event was written before its media was durable")
        #expect(lastAppend < committed, "acknowledged before the commit was durable")
    }

    @Test func `a commit is synchronized before its answer is written`() throws {
        let workshop = try Workshop()
        try workshop.ledger("init")
        let session = try workshop.startSession("passport_front")
        // The ledger is closed behind every verb, and closing synchronizes the log in any case: what counts is what was durable when the
        // answer left, so the answer goes into a file that the recorder sees.
        let (log, answer) = (workshop.path + "/calls", workshop.path + "/answer")
        let done = try workshop.run(
            ["--ledger", workshop.ledger, "--json", "session", "suspend", session],
            environment: Recorder.environment(workshop, root: workshop.path, file: log), before: "exec >'\(answer)';")
        try #require(done.end == .exited(0), "\(done.errors)")
        #expect(try JSONValue.parse(try workshop.text(answer))["session"]?["status"]?.asString == "suspended")

        let calls = Recorder.calls(in: try workshop.text(log))
        let answered = try #require(calls.firstIndex { $0.name == "write" && $0.path == answer })
        let before = calls[..<answered]
        let appended = try #require(before.lastIndex { $0.name == "write" && $0.path.hasSuffix("ledger.sqlite-wal") })
        let synchronized = before.lastIndex { $0.name.hasSuffix("sync") && $0.path.hasSuffix("ledger.sqlite-wal") }
        #expect(appended < (synchronized ?? -1), "answered before the commit was durable")
    }

    @Test func `answers are kept, bytes and names, before a settlement names them`() throws {
        let workshop = try Workshop()
        try workshop.ledger("init")
        for _ in 0..<6 {
            let session = try workshop.startSession("selfie")
            try workshop.ledger("capture", session, "selfie", workshop.fixture("selfie.jpg"))
        }
        let sandbox = try RunningSandbox.start(workshop)
        let log = workshop.path + "/calls"
        // nothing else waits to be written: then the answers of a batch become durable with one call
        sync()
        let sent = try workshop.ledger(
            "sync", environment: sandbox.environment + Recorder.environment(workshop, root: workshop.ledger, file: log))
        #expect(sent["delivered"]?.asInt == 6)

        let calls = Recorder.calls(in: try workshop.text(log))
        let evidence = workshop.ledger + "/evidence/"
        let names = calls.indices.filter { calls[$0].name == "rename" && calls[$0].newPath?.hasPrefix(evidence) == true }
        #expect(names.count == 6)
        for name in names {
            let (staged, placed) = (calls[name].path, try #require(calls[name].newPath))
            let settled = try #require(
                calls[name...].firstIndex { $0.name == "write" && $0.path.hasSuffix("ledger.sqlite-wal") })
            let written = try #require(calls.lastIndex { $0.name == "write" && $0.path == staged })
            #expect(written < name, "bytes after the name")
            let whole = calls[name..<settled].contains { $0.name == "syncfs" && $0.path.hasPrefix(workshop.ledger) }
            let alone =
                calls[written..<name].contains { $0.name == "fsync" && $0.path == staged }
                && calls[name..<settled].contains { $0.name == "fsync" && $0.path == placed.parentFolder }
            #expect(whole || alone, "settled before the answer was durable")
        }
    }
}
