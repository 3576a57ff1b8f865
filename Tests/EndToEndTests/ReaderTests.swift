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

    @Test func `a master key that this user may not read is 77 with every verb, one that is not there is 78`() throws {
        let workshop = try Workshop()
        try workshop.ledger("init")
        let session = try #require(
            try workshop.ledger("session", "start", "--pieces", "selfie", "--subject", "p")["session"]?["id"]?.asString)
        let capture = try workshop.ledger("capture", session, "selfie", workshop.fixture("selfie.jpg"))["capture"]?["id"]?
            .asString
        let key = try Workshop.shell("find '\(workshop.path)/config' -name '*.key'").split(separator: "\n").map(String.init)
        try #require(key.count == 1)
        try Workshop.shell(
            "chmod 755 '\(workshop.path)' && chown -R 65534:65534 '\(workshop.ledger)'")
        try Workshop.shell("chmod -R a+rX '\(workshop.path)/config' && chmod 600 '\(key[0])'")
        let picture = "\(workshop.path)/selfie.jpg"
        try Workshop.shell("cp '\(workshop.fixture("selfie.jpg"))' '\(picture)' && chmod 644 '\(picture)'")
        let verbs = [
            ["session", "start", "--pieces", "selfie"], ["session", "suspend", session],
            ["capture", session, "selfie", picture],
            ["session", "find", "--subject", "p"], ["subject", "report", "p"],
            ["media", "open", try #require(capture), "--out", "/tmp/none"],
            ["erase", session], ["purge"], ["sync"], ["sync", "pause", "verifier"], ["check", "--pending"],
            ["audit", "checkpoint"],
            ["audit", "export", session, "--out", workshop.path + "/x.evidence"],
            ["key", "rotate", "--to", workshop.path + "/new.key"],
            ["rebuild"], ["doctor", "--fix"],
        ]
        for (exit, code) in [(Int32(77), "master_key_shut"), (78, "master_key_missing")] {
            if exit == 78 { try Workshop.shell("rm '\(key[0])'") }
            for verb in verbs {
                let done = try Self.asReader(workshop, ["--ledger", workshop.ledger, "--json"] + verb)
                #expect(done.end == .exited(exit), "\(verb): \(done.end) \(done.output)")
                #expect(done.errorCode == code, "\(verb): \(done.output)")
            }
            let seen = try Self.asReader(workshop, ["--ledger", workshop.ledger, "--json", "doctor"])
            let found = try seen.json["findings"]?.asArray?.map { $0["code"] }
            #expect(found?.contains(.string(code)) == true, "\(seen.output)")
        }
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
