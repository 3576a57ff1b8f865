import SessionDomain
import SystemCalls
import Testing

@Suite struct ReaderTests {
    @Test(arguments: [true, false])
    func `S96 who may not write still reads every event, closed cleanly or not`(isClosedCleanly: Bool) throws {
        let workshop = try Workshop()
        try workshop.ledger("init")
        let started = try workshop.ledger("session", "start", "--pieces", "passport_front,selfie")
        let session = try #require(started["session"]?["id"]?.asString)
        let capture = [
            "--ledger", workshop.ledger, "capture", session, "passport_front", workshop.fixture("passport-front.jpg"),
        ]
        if isClosedCleanly {
            #expect(try workshop.run(capture).end == .exited(0))
        } else {
            // Killed behind its commit: in front of the first call after the last synchronization of the log.
            let log = workshop.path + "/calls"
            let rehearsal = try Workshop()
            try rehearsal.ledger("init")
            let other = try rehearsal.ledger("session", "start", "--pieces", "passport_front,selfie")["session"]?["id"]?
                .asString
            _ = try rehearsal.run(
                [
                    "--ledger", rehearsal.ledger, "capture", try #require(other), "passport_front",
                    workshop.fixture("passport-front.jpg"),
                ], environment: Recorder.environment(rehearsal, root: rehearsal.ledger, file: log))
            let calls = Recorder.calls(in: try workshop.text(log))
            let commit = try #require(calls.lastIndex { $0.name.hasSuffix("sync") && $0.path.hasSuffix("ledger.sqlite-wal") })
            if commit + 1 < calls.count {
                let killed = try workshop.run(
                    capture, environment: Recorder.environment(workshop, root: workshop.ledger, killBefore: commit + 2))
                #expect(killed.end == .signalled(9))
            } else {
                #expect(try workshop.run(capture).end == .exited(0))
            }
        }
        let written = try workshop.ledger("timeline", session)["events"]?.asArray?.count ?? 0
        #expect(written == 3)

        let before = try Workshop.shell("cd '\(workshop.ledger)' && find . -type f | sort | xargs sha256sum")
        try Workshop.shell("chmod -R a+rX,a-w '\(workshop.path)'")
        for verb in [["timeline", session], ["session", "show", session], ["session", "list"], ["audit", "verify"]] {
            let done = try Self.asReader(workshop, ["--ledger", workshop.ledger, "--json"] + verb)
            #expect(done.end == .exited(0), "\(verb): \(done.output) \(done.errors)")
        }
        try Workshop.shell("touch '\(workshop.path)/private.jpg' && chmod 0 '\(workshop.path)/private.jpg'")
        let shut = ["--ledger", workshop.ledger, "session", "find", "--media", workshop.path + "/private.jpg"]
        #expect(try Self.asReader(workshop, shut).end == .exited(77))
        let seen = try Self.asReader(workshop, ["--ledger", workshop.ledger, "--json", "timeline", session]).json
        #expect(seen["events"]?.asArray?.count == written)
        let refused = try Self.asReader(workshop, ["--ledger", workshop.ledger, "--json", "session", "suspend", session])
        // Not permitted, or without the master key to seal with; both say so, and nothing was written.
        #expect(refused.end == .exited(77) || refused.end == .exited(78), "\(refused.end)")
        #expect(try Workshop.shell("cd '\(workshop.ledger)' && find . -type f | sort | xargs sha256sum") == before)
    }

    @Test func `S96 a ledger that a user may not enter is 77, not one that is missing`() throws {
        let workshop = try Workshop()
        try workshop.ledger("init")
        try Workshop.shell("chmod a+rx '\(workshop.path)' && chmod 0 '\(workshop.ledger)'")
        let refused = try Self.asReader(workshop, ["--ledger", workshop.ledger, "--json", "status"])
        try Workshop.shell("chmod 700 '\(workshop.ledger)'")
        #expect(refused.end == .exited(77), "\(refused.output)")
        #expect(try refused.json["error"]?["code"]?.asString == "permission_denied")
    }

    /// Root writes everywhere, so it becomes nobody for a moment.
    private static func asReader(_ workshop: Workshop, _ arguments: [String]) throws -> Finished {
        guard try Workshop.shell("id -u") == "0\n" else { return try workshop.run(arguments) }
        let done = try ChildProcess.runInEnvironment(
            path: "/usr/bin/setpriv",
            arguments: ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", Workshop.product] + arguments,
            environment: workshop.variables + ["TMPDIR=/tmp"])
        return Finished(end: done.end, output: String(decoding: done.output, as: UTF8.self), errors: "")
    }
}
