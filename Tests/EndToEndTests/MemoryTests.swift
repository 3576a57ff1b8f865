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
