import Glibc
import SessionDomain
import SystemCalls
import Testing

/// What tells that runs still happen: a file and an address.
@Suite struct DeadManTests {
    private static let nowhere = ["CAPTURE_LEDGER_VERIFIER_URL=http://127.0.0.1:9/"]

    @Test func `a healthy run puts the file in place and asks for the address; one that needs a person does neither`() throws {
        let workshop = try Workshop()
        try workshop.fill()
        let listener = try Listener.deadMan(workshop)
        try workshop.setSync("dead_man_file: 'alive.json', dead_man_url: '\(listener.address)'")
        let file = workshop.ledger + "/alive.json"

        let stuck = try workshop.sync("--page-after", "0", "--deadline", "5", environment: Self.nowhere)
        #expect(stuck.end == .exited(75))
        #expect(try FileStatus.of(file) == nil && listener.texts() == [])

        // offline, and not for long: it waits, and nobody is needed
        let before = SystemClock.realtimeMilliseconds()
        #expect(try workshop.sync("--deadline", "5", environment: Self.nowhere).end == .exited(75))
        let sign = try JSONValue.parse(try workshop.text(file))
        #expect(sign["at_ms"]?.asInteger ?? 0 >= before)
        #expect(sign["position"]?.asInt == 3 && sign["backlog"]?["waiting"]?.asInt == 1)
        #expect(try listener.texts() == ["/alive"])

        // by rename: the file that a reader opened before stays whole
        let inode = try Workshop.shell("stat -c %i '\(file)'")
        let opened = try FileDescriptor(opening: file, .read)
        let sandbox = try RunningSandbox.start(workshop)
        #expect(try workshop.sync("--cron", environment: sandbox.environment).end == .exited(0))
        #expect(try Workshop.shell("stat -c %i '\(file)'") != inode)
        #expect(try JSONValue.parse(try opened.readToEnd(limit: 1 << 16)) == sign)
        #expect(try JSONValue.parse(try workshop.text(file))["backlog"]?["waiting"]?.asInt == 0)
        #expect(try listener.texts() == ["/alive", "/alive"])
        #expect(try Workshop.shell("ls -A '\(workshop.ledger)' | grep -c '\\.new$' || true") == "0\n")

        // another run at work, a broken run and a dry one say nothing
        try Workshop.shell("mv '\(workshop.ledger)/keys' '\(workshop.ledger)/keys.away'")
        #expect(try workshop.sync("--cron", environment: sandbox.environment).end != .exited(0))
        try Workshop.shell("mv '\(workshop.ledger)/keys.away' '\(workshop.ledger)/keys'")
        #expect(try workshop.sync("--dry-run", environment: sandbox.environment).end == .exited(0))
        #expect(try listener.texts().count == 2)
    }

    @Test func `a witness that hangs holds no run up beyond its deadline, nor beyond a request to end`() throws {
        let workshop = try Workshop()
        try workshop.fill()
        let sandbox = try RunningSandbox.start(workshop)
        let witness = try Listener.silent(workshop)
        try Workshop.shell(
            "sed -i \"s|^  audit: {|  audit: { witness: { url: '\(witness.address)' },|\" '\(workshop.ledger)/capture-ledger.json5'"
        )
        let began = SystemClock.monotonicNanoseconds()
        let run = try workshop.sync("--deadline", "2", environment: sandbox.environment)
        #expect(run.end == .exited(0) && run.errors.contains("the checkpoint was not witnessed"), "\(run)")
        #expect((SystemClock.monotonicNanoseconds() - began) / 1_000_000 < 4_000)

        let session = try workshop.startSession("selfie")
        try workshop.ledger("capture", session, "selfie", workshop.fixture("selfie.jpg"))
        var ending = try RunningCommand(
            workshop, ["--ledger", workshop.ledger, "--json", "sync"], environment: sandbox.environment)
        try until("it delivered") { try workshop.count("SELECT count(*) FROM delivery WHERE status = 1") == 0 }
        ending.signal(SIGTERM)
        let (ended, _) = try ending.end(limitMilliseconds: 4_000)
        #expect(ended.end == .exited(0), "\(ended)")
    }

    @Test func `an address that fails, hangs or is refused makes no run fail, nor long`() throws {
        let workshop = try Workshop()
        try workshop.fill()
        let sandbox = try RunningSandbox.start(workshop)
        let failing = try Listener.deadMan(workshop, status: 500)
        let hanging = try Listener.deadMan(workshop, delaySeconds: 60)
        for address in [failing.address, hanging.address, "http://127.0.0.1:9/"] {
            try workshop.setSync("dead_man_url: '\(address)'")
            let began = SystemClock.monotonicNanoseconds()
            let run = try workshop.sync("--deadline", "2", environment: sandbox.environment)
            #expect(run.end == .exited(0), "\(run.output) \(run.errors)")
            #expect((SystemClock.monotonicNanoseconds() - began) / 1_000_000 < 4_000)
            #expect(run.errors.contains("the dead man's address was not reached"))
        }
        // the transport's rules hold here too
        try workshop.setSync("dead_man_url: 'http://10.0.0.1/'")
        #expect(try workshop.sync().end == .exited(78))
    }
}
