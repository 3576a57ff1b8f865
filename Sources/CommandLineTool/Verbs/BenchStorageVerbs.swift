import Benchmarks
import SessionDomain
import SystemCalls

extension Verb {
    private static let folder = Option.value(
        "folder", "DIR", "on the disk to measure (the working folder); nothing is left there")

    /// What measurements of reading share.
    private static let history: [Option] = [
        .value("events", "N", "of the ledger that is made and removed (128000); --ledger reads one that is there"), folder,
    ]

    static let benchRead = Verb(
        path: ["bench", "read"], summary: "Measure reading a whole ledger in order.",
        options: history + [
            .value("rounds", "N", "times it is read each way (5)"),
            .flag("under-load", "read it while clients append, and say how long the write-ahead log became"),
            .value("clients", "N", "under load, how many at once (64)"), .value("seconds", "S", "under load, at least (5)"),
        ],
        examples: [
            "capture-ledger bench read --events 1000000", "capture-ledger bench read --under-load --seconds 30 --json",
        ], exits: [.cannotCreate, .inputOutput],
        run: { invocation, console in
            let (path, events, folder) = try history(invocation)
            guard invocation.has("under-load") else {
                let figures = try await Bench.read(
                    at: path, events: events, rounds: Int(try invocation.integer("rounds", in: 1...1000) ?? 5), folder: folder)
                try console.result(
                    figures.json,
                    Words.table([
                        ["events", "events/s", "as values/s", "most memory"],
                        [
                            String(figures.events), String(Int(figures.eventsPerSecond)), String(Int(figures.valuesPerSecond)),
                            Words.bytes(Int64(figures.peakKibibytes) << 10),
                        ],
                    ]))
                return .done
            }
            let milliseconds = try invocation.seconds("seconds") ?? 5000
            let figures = try await Bench.pressure(
                at: path, events: events, clients: Int(try invocation.integer("clients", in: 1...1024) ?? 64),
                seconds: Double(milliseconds) / 1000, folder: folder)
            try console.result(
                figures.json,
                Words.table([
                    ["read", "appended", "seconds", "longest log"],
                    [
                        String(figures.eventsRead), String(figures.eventsAppended),
                        String((figures.seconds * 10).rounded() / 10), Words.bytes(figures.logPeakBytes),
                    ],
                ]))
            return .done
        })

    static let benchSession = Verb(
        path: ["bench", "session"], summary: "Measure loading sessions at random: their events, and their state.",
        options: history + [.value("loads", "N", "sessions loaded each way (20000)")],
        examples: ["capture-ledger bench session --events 1000000 --json"], exits: [.cannotCreate, .inputOutput],
        run: { invocation, console in
            let (path, events, folder) = try history(invocation)
            let figures = try await Bench.session(
                at: path, events: events, loads: Int(try invocation.integer("loads", in: 1...10_000_000) ?? 20_000),
                folder: folder)
            try console.result(
                figures.json,
                Words.table([
                    ["of \(figures.sessions) sessions", "p50", "p99"], figures.events.row("events"),
                    figures.state.row("state"),
                ]))
            return .done
        })

    static let benchContention = Verb(
        path: ["bench", "contention"], summary: "Measure processes that append to one ledger at once, one commit a command.",
        options: [
            .value("processes", "N", "how many (4)"), .value("events", "N", "commands of each (10000)"),
            .flag("worker", "be one of them, on the ledger that --ledger names"), folder,
        ],
        examples: ["capture-ledger bench contention --processes 4 --events 10000 --json"],
        exits: [.cannotCreate, .inputOutput],
        run: { invocation, console in
            let events = Int(try invocation.integer("events", in: 1...10_000_000) ?? 10_000)
            if invocation.has("worker") {
                guard let path = invocation.text("ledger") else {
                    throw Complaint.usage("--worker needs a ledger.", remedy: "Name it with --ledger, or leave --worker out.")
                }
                let answer = try Bench.contentionWorker(ledger: FileSystem.absolute(path), events: events)
                try console.result(answer, answer.canonical)
                return .done
            }
            let figures = try Bench.contention(
                processes: Int(try invocation.integer("processes", in: 1...64) ?? 4), events: events,
                product: try FileSystem.ownProgram(), folder: FileSystem.absolute(invocation.text("folder") ?? "."))
            try console.result(
                figures.json,
                Words.table([
                    ["processes", "events", "events/s", "failed", "lost", "ack p50", "p99", "slowest"],
                    [
                        String(figures.processes), String(figures.events), String(Int(figures.eventsPerSecond)),
                        String(figures.failed), String(figures.lost), "\(figures.microseconds(0.5)) µs",
                        "\(figures.microseconds(0.99)) µs", "\(figures.microseconds(1)) µs",
                    ],
                ]))
            return .done
        })

    static let benchSeal = Verb(
        path: ["bench", "seal"], summary: "Measure sealing media, and destroying one key among few and among many.",
        options: [.value("megabytes", "N", "sealed in memory; an eighth of it durably, in objects of 1 MB (400)"), folder],
        examples: ["capture-ledger bench seal --megabytes 1000 --json"], exits: [.cannotCreate, .inputOutput],
        run: { invocation, console in
            let figures = try await Bench.seal(
                megabytes: Int(try invocation.integer("megabytes", in: 1...1_000_000) ?? 400),
                folder: FileSystem.absolute(invocation.text("folder") ?? "."))
            let rows =
                [
                    ["sealed in memory", "\(Int(figures.bytesPerSecond / 1e6)) MB/s"],
                    ["sealed as durable media", "\(Int(figures.durableBytesPerSecond / 1e6)) MB/s"],
                ] + figures.destructions.map { ["a key destroyed among \($0.keys)", "\($0.p50Nanoseconds / 1000) µs"] }
            try console.result(figures.json, Words.table([["", ""]] + rows))
            return .done
        })

    private static func history(_ invocation: Invocation) throws -> (path: String?, events: Int, folder: String) {
        (
            invocation.text("ledger").map(FileSystem.absolute),
            Int(try invocation.integer("events", in: 128...100_000_000) ?? 128_000),
            FileSystem.absolute(invocation.text("folder") ?? ".")
        )
    }
}

extension SessionFigures.Spread {
    fileprivate func row(_ name: String) -> [String] {
        [name, "\(Double(p50Nanoseconds / 10) / 100) µs", "\(Double(p99Nanoseconds / 10) / 100) µs"]
    }
}
