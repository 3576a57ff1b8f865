import Glibc
import SessionDomain
import SystemCalls
import Testing

/// A run that is asked to end, with an endpoint that takes its time.
@Suite struct SignalTests {
    private func slow(_ milliseconds: Int) -> String {
        #"{"schema":1,"rules":[{"destination":"verifier","delay_ms":\#(milliseconds)}]}"#
    }

    @Test func `the first SIGTERM finishes what is under way and claims no more`() throws {
        let workshop = try Workshop()
        try workshop.fill(8)
        let sandbox = try RunningSandbox.start(workshop, scenario: slow(1_500))
        var run = try RunningCommand(
            workshop, ["--ledger", workshop.ledger, "--json", "sync"], environment: sandbox.environment)
        try until("requests are under way") { try workshop.heldClaims() > 0 }
        run.signal(SIGTERM)
        let (finished, _) = try run.end()
        #expect(finished.end == .exited(75), "\(finished.output) \(finished.errors)")
        let json = try finished.json
        // four at a time: those under way were answered, the others never begun
        #expect(json["verified"]?.asInt == 4 && json["left"]?.asInt == 4, "\(finished.output)")
        #expect(try workshop.heldClaims() == 0)
        #expect(try workshop.sync(environment: sandbox.environment).end == .exited(0))
    }

    @Test func `the second SIGTERM aborts at once and spends no attempt`() throws {
        let workshop = try Workshop()
        try workshop.fill(2)
        let sandbox = try RunningSandbox.start(workshop, scenario: slow(20_000))
        var run = try RunningCommand(
            workshop, ["--ledger", workshop.ledger, "--json", "sync"], environment: sandbox.environment)
        try until("requests are under way") { try workshop.heldClaims() > 0 }
        run.signal(SIGTERM)
        usleep(300_000)
        run.signal(SIGTERM)
        let asked = SystemClock.monotonicNanoseconds()
        let (finished, _) = try run.end(limitMilliseconds: 10_000)
        #expect((SystemClock.monotonicNanoseconds() - asked) / 1_000_000 < 3_000)
        #expect(finished.end == .exited(75), "\(finished.output) \(finished.errors)")
        #expect(try finished.json["left"]?.asInt == 2)
        #expect(try workshop.heldClaims() == 0)
        #expect(try workshop.count("SELECT sum(attempts) FROM delivery_work") == 0)
    }

    @Test func `after kill -9 the next run takes over at once, with one effect each`() throws {
        let workshop = try Workshop()
        try workshop.fill(2)
        let sandbox = try RunningSandbox.start(
            workshop, scenario: #"{"schema":1,"rules":[{"destination":"verifier","nth":1,"delay_ms":2000}]}"#)
        var run = try RunningCommand(
            workshop, ["--ledger", workshop.ledger, "--json", "sync"], environment: sandbox.environment)
        try until("requests are under way") { try workshop.heldClaims() > 0 }
        run.signal(SIGKILL)
        _ = try run.end()
        // the server is still at the dead run's requests and says so (409), which shows that they were taken up at once
        let asked = SystemClock.monotonicNanoseconds()
        let next = try workshop.sync(environment: sandbox.environment)
        #expect(next.end == .exited(75) || next.end == .exited(0), "\(next.output) \(next.errors)")
        #expect(try workshop.count("SELECT count(DISTINCT delivery_no) FROM attempt") == 2)
        #expect((SystemClock.monotonicNanoseconds() - asked) / 1_000_000 < 1_000)
        try until("everything is delivered") { try workshop.sync(environment: sandbox.environment).end == .exited(0) }
        let record = try JSONValue.parse(try Workshop.shell("curl -s '\(sandbox.controlURL)/requests'"))
        #expect(record["effects"]?.asMembers?.map(\.value) == [.integer(1), .integer(1)])
        #expect(record["keys"]?.asInt == 2)
    }

    @Test func `a deadline counts from the start, with the splay in it, and SIGTERM ends the splay`() throws {
        let workshop = try Workshop()
        try workshop.fill()
        let sandbox = try RunningSandbox.start(workshop, scenario: slow(20_000))
        // whatever part of the hour is drawn, the deadline cuts it short
        var late = try RunningCommand(
            workshop, ["--ledger", workshop.ledger, "--json", "sync", "--splay", "1h", "--deadline", "1"],
            environment: sandbox.environment)
        let (cut, milliseconds) = try late.end(limitMilliseconds: 10_000)
        #expect(cut.end == .exited(75) && (900..<3_000).contains(milliseconds), "\(milliseconds) ms \(cut.errors)")

        var waiting = try RunningCommand(
            workshop, ["--ledger", workshop.ledger, "--json", "sync", "--splay", "1h"], environment: sandbox.environment)
        // the handler is there before the splay begins
        try until("it waits") {
            try Workshop.shell("grep -c '^SigCgt:.*[4-7c-f]...$' /proc/\(waiting.processID)/status || true").hasPrefix("1")
        }
        waiting.signal(SIGTERM)
        let (ended, _) = try waiting.end(limitMilliseconds: 5_000)
        #expect(ended.end == .exited(75), "\(ended.output) \(ended.errors)")
        #expect(try workshop.count("SELECT count(*) FROM attempt") == 0)

        var slow = try RunningCommand(
            workshop, ["--ledger", workshop.ledger, "--json", "sync", "--deadline", "1500ms"], environment: sandbox.environment)
        let (aborted, lived) = try slow.end(limitMilliseconds: 10_000)
        #expect(aborted.end == .exited(75) && lived < 4_000, "\(lived) ms \(aborted.errors)")
        #expect(try workshop.heldClaims() == 0)
    }

    @Test func `a reader that went away changes nothing about the run`() throws {
        let workshop = try Workshop()
        try workshop.fill()
        let sandbox = try RunningSandbox.start(workshop, scenario: slow(300))
        let status = try workshop.text(
            try {
                let file = workshop.path + "/status"
                _ = try ChildProcess.runInEnvironment(
                    path: "/bin/bash",
                    arguments: [
                        "bash", "-c", "\"$0\" --ledger \"$1\" --json sync 2>&1 | true; echo ${PIPESTATUS[0]} > \"$2\"",
                        Workshop.product, workshop.ledger, file,
                    ], environment: workshop.variables + sandbox.environment)
                return file
            }())
        #expect(status == "0\n")
        #expect(try workshop.ledger("status")["backlog"]?["waiting"]?.asInt == 0)
    }

    @Test func `SIGHUP ends a run like SIGTERM, and not one that was started with nohup`() throws {
        let workshop = try Workshop()
        try workshop.ledger("init")
        let sandbox = try RunningSandbox.start(workshop, scenario: slow(1_500))
        for (before, isIgnored) in [("", false), ("trap '' HUP;", true)] {
            let session = try workshop.startSession("selfie")
            try workshop.ledger("capture", session, "selfie", workshop.fixture("selfie.jpg"))
            var run = try RunningCommand(
                workshop, ["--ledger", workshop.ledger, "--json", "sync"], environment: sandbox.environment, before: before)
            try until("a request is under way") { try workshop.heldClaims() > 0 }
            run.signal(SIGHUP)
            usleep(300_000)
            run.signal(SIGHUP)
            let (finished, _) = try run.end()
            // aborted in one case, delivered in the other; what was aborted may still wait for its turn
            let verified = try finished.json["verified"]?.asInt ?? -1
            #expect(isIgnored ? verified >= 1 : verified == 0, "\(before) \(finished.output) \(finished.errors)")
            #expect(finished.end == .exited(0) || finished.end == .exited(75))
        }
    }
}
