import SessionDomain
import SystemCalls
import Testing

@Suite struct DeliverBenchTests {
    @Test func `the measurement of deliveries delivers all on both sides, over few connections, and leaves nothing`() throws {
        let workshop = try Workshop()
        try FileSystem.makeFolder(workshop.path + "/disk")
        let done = try workshop.run([
            "--json", "bench", "deliver", "--pieces", "150", "--kilobytes", "2", "--in-flight", "8", "--rounds", "1",
            "--video-megabytes", "1", "--folder", workshop.path + "/disk",
        ])
        try #require(done.end == .exited(0), "\(done.output) \(done.errors)")
        for (part, limit) in [("pieces", 8), ("video", 1)] {
            let figures = try #require(try done.json[part])
            for side in ["sync", "curl"] {
                // A side that does not deliver every piece ends the command with an error.
                #expect(figures[side]?["connections"]?.asInt ?? 0 >= 1)
                #expect(figures[side]?["connections"]?.asInt ?? .max <= limit, "\(side) opened \(figures.canonical)")
            }
            #expect(figures["ratio_to_curl"] != nil)
        }
        #expect(try Workshop.shell("ls -A '\(workshop.path)/disk'") == "")
    }

    @Test func `the measurement of commands while callbacks sleep has as many asleep as the library calls at once`() throws {
        let workshop = try Workshop()
        try FileSystem.makeFolder(workshop.path + "/disk")
        let done = try workshop.run([
            "--json", "bench", "callbacks", "--events", "20", "--rounds", "2", "--folder", workshop.path + "/disk",
        ])
        try #require(done.end == .exited(0), "\(done.output) \(done.errors)")
        let figures = try done.json
        #expect(figures["sleeping"]?.asInt == 16 && figures["events"]?.asInt == 40)
        for kind in ["quiet", "asleep"] {
            let (middle, late) = (figures[kind]?["ack_p50_us"]?.asInt ?? 0, figures[kind]?["ack_p99_us"]?.asInt ?? 0)
            #expect(middle > 0 && middle <= late, "\(figures.canonical)")
        }
        #expect(try Workshop.shell("ls -A '\(workshop.path)/disk'") == "")
    }
}
