import Glibc
import SessionDomain
import SystemCalls
import Testing

/// `sync --watch`: the worker as a daemon.
@Suite struct WatchTests {
    private func watch(_ workshop: Workshop, _ environment: [String]) throws -> RunningCommand {
        try RunningCommand(workshop, ["--ledger", workshop.ledger, "--json", "sync", "--watch"], environment: environment)
    }

    @Test(arguments: [false, true])
    func `the service manager hears that it is ready, alive, reloading and stopping`(isAbstract: Bool) throws {
        let workshop = try Workshop()
        try workshop.fill()
        let sandbox = try RunningSandbox.start(workshop)
        let name = isAbstract ? "@capture-ledger-\(SecureRandom.words().0)" : workshop.path + "/notify"
        let manager = try Listener.serviceManager(workshop, name)
        var daemon = try watch(
            workshop, sandbox.environment + ["NOTIFY_SOCKET=\(name)", "WATCHDOG_USEC=600000"])
        try until("it is ready") { try manager.texts().contains("READY=1") }
        try until("it says what it did") { try manager.texts().contains { $0.hasPrefix("STATUS=Delivered 1: 1 verified") } }
        try until("it is alive") { try manager.texts().count { $0 == "WATCHDOG=1" } >= 5 }
        daemon.signal(SIGHUP)
        try until("it reloads") { try manager.texts().contains { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") } }
        daemon.signal(SIGTERM)
        let (finished, _) = try daemon.end(limitMilliseconds: 10_000)
        #expect(finished.end == .exited(0), "\(finished.output) \(finished.errors)")
        #expect(finished.output.split(separator: "\n").count == 1)
        let heard = try manager.heard()
        #expect(heard.first?["text"]?.asString == "READY=1" || heard.first?["text"]?.asString == "WATCHDOG=1")
        #expect(heard.last?["text"]?.asString == "STOPPING=1")
        // never later than the manager waits
        let beats = heard.filter { $0["text"]?.asString == "WATCHDOG=1" }.compactMap { $0["at"]?.asInteger }
        for (one, next) in zip(beats, beats.dropFirst()) { #expect(next - one < 600) }
    }

    @Test func `it delivers as soon as another process appends, and sleeps in between`() throws {
        let workshop = try Workshop()
        try workshop.ledger("init")
        let sandbox = try RunningSandbox.start(workshop)
        var daemon = try watch(workshop, sandbox.environment)
        try until("it has looked once") { try !workshop.text("/proc/\(daemon.processID)/wchan").isEmpty }
        for _ in 0..<3 {
            let session = try workshop.startSession("selfie")
            try workshop.ledger("capture", session, "selfie", workshop.fixture("selfie.jpg"))
            let captured = SystemClock.monotonicNanoseconds()
            try until("it is delivered") { try workshop.count("SELECT count(*) FROM delivery WHERE status = 1") == 0 }
            // the looking itself takes most of it
            #expect((SystemClock.monotonicNanoseconds() - captured) / 1_000_000 < 1_500)
        }
        func processorTicks() throws -> Int {
            let fields = try workshop.text("/proc/\(daemon.processID)/stat").split(separator: " ")
            return (Int(fields[13]) ?? 0) + (Int(fields[14]) ?? 0)
        }
        let before = try processorTicks()
        usleep(2_000_000)
        // a hundred to the second
        #expect(try processorTicks() - before <= 5)
        daemon.signal(SIGTERM)
        let (finished, _) = try daemon.end(limitMilliseconds: 10_000)
        #expect(finished.end == .exited(0))
        // the first line at once, the others wait for their minute
        #expect(finished.output.split(separator: "\n").count <= 2, "\(finished.output)")
    }

    @Test func `settings are read again when they change, and wrong ones change nothing`() throws {
        let workshop = try Workshop()
        try workshop.fill()
        let sandbox = try RunningSandbox.start(workshop)
        let url = String(sandbox.environment[0].split(separator: "=", maxSplits: 1)[1])
        var daemon = try watch(workshop, [])
        try until("it looked, and found nowhere to send") { try FileStatus.of(workshop.ledger + "/lock.sync") != nil }
        let settings = workshop.ledger + "/capture-ledger.json5"
        try Workshop.shell("cp '\(settings)' '\(settings).good' && echo '{ what: 1 }' > '\(settings)'")
        try until("it says that they are wrong") { try workshop.text(daemon.errors).contains("stay in force") }
        try Workshop.shell(
            "sed \"s|^  destinations: {|  destinations: { verifier: { url: '\(url)', kind: 'verifier' },|\" '\(settings).good' > '\(settings).new' && mv '\(settings).new' '\(settings)'"
        )
        try until("it delivers") { try workshop.count("SELECT count(*) FROM delivery WHERE status = 1") == 0 }
        daemon.signal(SIGTERM)
        #expect(try daemon.end(limitMilliseconds: 10_000).finished.end == .exited(0))
    }

    @Test func `as it stops it says how things stand, and not that all is well`() throws {
        let workshop = try Workshop()
        try workshop.fill()
        let sandbox = try RunningSandbox.start(
            workshop, scenario: #"{"schema":1,"rules":[{"destination":"verifier","status":410}]}"#)
        try workshop.setSync("dead_man_file: 'alive.json', metrics_file: 'figures.prom'")
        var daemon = try watch(workshop, sandbox.environment.filter { !$0.contains("HOLOGRAM") })
        try until("it tells") { try FileStatus.of(workshop.ledger + "/figures.prom") != nil }
        daemon.signal(SIGTERM)
        #expect(try daemon.end(limitMilliseconds: 10_000).finished.end == .exited(0))
        let figures = try workshop.text(workshop.ledger + "/figures.prom").split(separator: "\n")
        #expect(figures.contains { $0.hasPrefix("capture_ledger_run_healthy{") && $0.hasSuffix(" 0") })
        #expect(figures.contains { $0.hasPrefix("capture_ledger_run_exit_code{") && $0.hasSuffix(" 69") })
        #expect(try FileStatus.of(workshop.ledger + "/alive.json") == nil)
    }

    @Test func `it lives through a database that is away for a while`() throws {
        let workshop = try Workshop()
        try workshop.fill()
        var daemon = try watch(workshop, ["CAPTURE_LEDGER_VERIFIER_URL=http://127.0.0.1:9/"])
        try until("it tried") { try workshop.count("SELECT count(*) FROM attempt") > 0 }
        let lock = workshop.ledger + "/lock.sync"
        try Workshop.shell("rm -f '\(lock)' && mkdir '\(lock)'")
        try until("it says what is wrong") { try daemon.isTelling("error") }
        try Workshop.shell("rmdir '\(lock)'")
        let tried = try workshop.count("SELECT count(*) FROM attempt")
        try until("it goes on") { try workshop.count("SELECT count(*) FROM attempt") > tried }
        daemon.signal(SIGTERM)
        let (finished, _) = try daemon.end(limitMilliseconds: 10_000)
        #expect(finished.end == .exited(0))
    }
}

extension RunningCommand {
    /// Whether a line of its output has that member. Reads what there is.
    fileprivate borrowing func isTelling(_ member: String) throws -> Bool {
        let line = try line(limitMilliseconds: 100)
        return (try? JSONValue.parse(line))?[member] != nil
    }
}
