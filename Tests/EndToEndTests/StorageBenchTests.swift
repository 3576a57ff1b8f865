import SessionDomain
import SystemCalls
import Testing

@Suite struct StorageBenchTests {
    @Test func `the measurements of appends and reads store and read what was asked for, and leave nothing`() throws {
        let workshop = try Workshop()
        let disk = workshop.path + "/disk"
        try FileSystem.makeFolder(disk)
        let kept = try measure(
            workshop,
            ["append", "--clients", "1", "--batch", "8", "--events", "256", "--rounds", "1", "--keep", disk + "/kept"])
        #expect(kept["events"]?.asInt == 256 && kept["commits"]?.asInt == 32, "\(kept.canonical)")
        let more = try measure(
            workshop,
            ["append", "--clients", "1", "--batch", "8", "--events", "64", "--rounds", "1", "--keep", disk + "/kept"])
        #expect(more["events"]?.asInt == 64, "\(more.canonical)")
        let ledger = disk + "/kept/bench.ledger"
        let read = try measure(workshop, ["read", "--rounds", "1"], ledger: ledger)
        #expect(read["events"]?.asInt == 320, "\(read.canonical)")
        let session = try measure(workshop, ["session", "--loads", "50"], ledger: ledger)
        #expect(session["sessions"]?.asInt == 48, "\(session.canonical)")
        let load = try measure(workshop, ["read", "--under-load", "--clients", "2", "--seconds", "0.3"], ledger: ledger)
        #expect(load["log_peak_bytes"]?.asInt ?? 0 > 0 && load["replays"]?.asInt ?? 0 > 0, "\(load.canonical)")
        _ = try Workshop.shell("rm -r '\(disk)/kept'")

        let contention = try measure(workshop, ["contention", "--processes", "3", "--events", "16", "--folder", disk])
        #expect(contention["events"]?.asInt == 48, "\(contention.canonical)")
        #expect(contention["failed"]?.asInt == 0 && contention["lost"]?.asInt == 0, "\(contention.canonical)")
        let seal = try measure(workshop, ["seal", "--megabytes", "2", "--folder", disk])
        #expect(seal["destroy_key"]?.asArray?.count == 2, "\(seal.canonical)")
        #expect(try Workshop.shell("ls -A '\(disk)'") == "")
    }

    private func measure(_ workshop: Workshop, _ words: [String], ledger: String? = nil) throws -> JSONValue {
        let place = ledger.map { ["--ledger", $0] } ?? []
        let done = try workshop.run(["--json"] + place + ["bench"] + words)
        try #require(done.end == .exited(0), "\(done.output) \(done.errors)")
        return try done.json
    }
}
