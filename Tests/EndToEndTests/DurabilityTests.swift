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
        let (evidence, staging) = (workshop.ledger + "/evidence/", workshop.ledger + "/evidence/staging/")
        // one alone is written in staging and then named; one of several is written in its place
        var origins: [String: String] = [:]
        for call in calls where call.name == "write" && call.path.hasPrefix(evidence) && !call.path.hasPrefix(staging) {
            origins[call.path] = call.path
        }
        for call in calls where call.name == "rename" {
            if let placed = call.newPath, placed.hasPrefix(evidence) { origins[placed] = call.path }
        }
        #expect(origins.count == 6)
        for (placed, origin) in origins {
            let written = try #require(calls.lastIndex { $0.name == "write" && $0.path == origin })
            let named = origin == placed ? written : try #require(calls.firstIndex { $0.newPath == placed })
            #expect(written <= named, "bytes after the name")
            let settled = try #require(
                calls[named...].firstIndex { $0.name == "write" && $0.path.hasSuffix("ledger.sqlite-wal") })
            let whole = calls[named..<settled].contains { $0.name == "syncfs" && $0.path.hasPrefix(workshop.ledger) }
            let alone =
                calls[written..<(origin == placed ? settled : named)].contains { $0.name == "fsync" && $0.path == origin }
                && calls[named..<settled].contains { $0.name == "fsync" && $0.path == placed.parentFolder }
            #expect(whole || alone, "settled before the answer was durable")
        }
    }
}
