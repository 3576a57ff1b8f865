import CaptureLedger
import SessionDomain
import SystemCalls
import Testing

@Suite struct MemoryTests {
    /// With what the program needs anyway this is above the limit, so whoever holds the whole video is found;
    /// `CAPTURE_LEDGER_VIDEO_MEGABYTES` asks for more.
    private static func megabytes() throws -> Int {
        Int(try Workshop.shell("printf %s \"$CAPTURE_LEDGER_VIDEO_MEGABYTES\"")) ?? 40
    }

    private static let limitKibibytes = 65_536

    @Test func `a long video goes through capture and sync in little memory`() throws {
        let workshop = try Workshop()
        try workshop.ledger("init")
        let video = try Self.makeVideo(in: workshop, megabytes: try Self.megabytes())
        let session = try workshop.startSession("hologram", "--card-type", "NEW_TC_ID", "--transaction-id", "transaction-1")
        try workshop.ledger("hologram", "start", session)

        let captured = try Self.measured(
            workshop, ["capture", session, "hologram", video, "--source", "camera"], environment: [])
        #expect(captured.kibibytes < Self.limitKibibytes, "capture took \(captured.kibibytes) KiB")
        let sandbox = try RunningSandbox.start(workshop)
        let sent = try Self.measured(workshop, ["sync"], environment: sandbox.environment)
        #expect(sent.kibibytes < Self.limitKibibytes, "sync took \(sent.kibibytes) KiB")

        #expect(try workshop.ledger("session", "show", session)["session"]?["status"]?.asString == "completed")
        let verdict = try Oracle.ask(workshop, "--no-orphans", "--sandbox-record", sandbox.record)
        #expect(verdict["effects"]?.asInt == 1)
        print("capture \(captured.kibibytes) KiB, sync \(sent.kibibytes) KiB")
    }

    @Test func `a session with a long video is exported in little memory`() throws {
        let workshop = try Workshop()
        try workshop.ledger("init")
        let video = try Self.makeVideo(in: workshop, megabytes: try Self.megabytes())
        let session = try workshop.startSession("hologram", "--card-type", "NEW_TC_ID", "--transaction-id", "transaction-1")
        try workshop.ledger("hologram", "start", session)
        try workshop.ledger("capture", session, "hologram", video, "--source", "camera")
        let exported = try Self.export(session, workshop)
        print("export of \(exported.bytes) bytes took \(exported.kibibytes) KiB")
        #expect(exported.bytes > Int64(try Self.megabytes()) << 20)
        #expect(exported.kibibytes < Self.limitKibibytes, "export took \(exported.kibibytes) KiB")
    }

    @Test func `a session of very many events is exported, and the file checked, in little memory`() throws {
        var taken: [Int] = []
        for events in [1_000, 9_000] {
            let workshop = try Workshop()
            try workshop.ledger("init")
            let session = try workshop.startSession("selfie")
            try Self.append(events, to: session, workshop)
            let exported = try Self.export(session, workshop)
            taken.append(exported.kibibytes)
            let kibibytes = "\(exported.kibibytes) and \(exported.checkKibibytes) KiB"
            print("export of \(events) events, \(exported.bytes) bytes, and its check took \(kibibytes)")
            #expect(exported.kibibytes < Self.limitKibibytes && exported.checkKibibytes < Self.limitKibibytes)
        }
        // of an event little more is kept than where it stands
        #expect(taken[1] - taken[0] < 8_000 / 2)
    }

    /// Suspended and resumed, over and over.
    private static func append(_ count: Int, to session: String, _ workshop: Workshop) throws {
        let ledger = try Ledger.open(folder: workshop.ledger)
        defer { ledger.closeAndWait() }
        let id = try #require(SessionID(session))
        for first in stride(from: 0, to: count, by: 1_000) {
            let commands = try (first..<first + 1_000).map { number in
                LedgerCommand.command(
                    CommandRequest(
                        session: id, command: number % 2 == 0 ? .suspend : .resume,
                        commandID: try #require(CommandID("again-\(number)")), body: []))
            }
            for result in try ledger.performTogether(commands) { _ = try result.get() }
        }
    }

    /// `audit export` and `audit verify-export`, each with the most memory that it held.
    private static func export(
        _ session: String, _ workshop: Workshop
    ) throws -> (bytes: Int64, kibibytes: Int, checkKibibytes: Int) {
        let file = workshop.path + "/export.tar"
        let made = try measured(workshop, ["audit", "export", session, "--out", file], environment: [])
        let checked = try measured(workshop, ["audit", "verify-export", file], environment: [])
        return (try #require(try FileStatus.of(file)).size, made.kibibytes, checked.kibibytes)
    }

    /// The short video of the fixtures with a box behind it that players skip.
    private static func makeVideo(in workshop: Workshop, megabytes: Int) throws -> String {
        let path = workshop.path + "/long.mp4"
        try Workshop.shell(
            """
            python3 - '\(workshop.fixture("hologram.mp4"))' '\(path)' \(megabytes) <<'PY'
            import os, struct, sys
            source, target, megabytes = sys.argv[1], sys.argv[2], int(sys.argv[3])
            with open(target, "wb") as file:
                file.write(open(source, "rb").read())
                file.write(struct.pack(">I4sQ", 1, b"free", 16 + (megabytes << 20)))
                for _ in range(megabytes):
                    file.write(os.urandom(1 << 20))
            PY
            """)
        return path
    }

    /// The most memory that the command held at once, as the kernel counted it.
    private static func measured(
        _ workshop: Workshop, _ verb: [String], environment: [String]
    ) throws -> (kibibytes: Int, output: String) {
        let script = """
            import resource, subprocess, sys
            done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE)
            print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, done.returncode, done.stdout.decode())
            """
        let done = try ChildProcess.runInEnvironment(
            path: "/usr/bin/env",
            arguments: ["env", "python3", "-c", script, Workshop.product, "--ledger", workshop.ledger, "--json"] + verb,
            environment: ["PATH=\(try Workshop.shell("printf %s \"$PATH\""))"]
                + workshop.variables.filter { !$0.hasPrefix("PATH") }
                + environment, limitMilliseconds: 300_000)
        let output = String(decoding: done.output, as: UTF8.self)
        let words = output.split(separator: " ", maxSplits: 2)
        try #require(words.count == 3 && words[1] == "0", "\(verb): \(output)")
        return (try #require(Int(words[0])), output)
    }
}
