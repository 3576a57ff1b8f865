import Benchmarks
import SessionDomain
import SystemCalls

extension Verb {
    private static let extent: [Option] = [
        .value("events", "N", "events of one round; with --seconds, whichever comes first"),
        .value("seconds", "S", "seconds of one round (1)"), .value("rounds", "N", "rounds of each kind (5)"),
        .value("folder", "DIR", "on the disk to measure (the working folder); nothing is left there"),
    ]

    static let benchAppend = Verb(
        path: ["bench", "append"], summary: "Measure acknowledged appends: one client beside many, on a scratch ledger.",
        options: [
            .value("clients", "N", "how many at once (64); 1: that one alone"),
            .value("batch", "N", "commands that a client sends together, as one commit (1)"),
            .choice("private", PrivateHalves.allCases.map(\.rawValue), "which events have a sealed half (captures)"),
            .value("keep", "DIR", "a ledger in this folder, which stays: made, or made longer where there is one"),
        ] + extent,
        examples: [
            "capture-ledger bench append --clients 64 --seconds 2 --json",
            "capture-ledger bench append --clients 1 --batch 1000 --events 160000 --rounds 1 --keep /var/tmp/sample",
        ], exits: [.cannotCreate, .inputOutput],
        run: { invocation, console in
            let clients = Int(try invocation.integer("clients", in: 1...1024) ?? 64)
            var extent = try extent(invocation)
            extent.batch = Int(try invocation.integer("batch", in: 1...100_000) ?? 1)
            extent.privateHalves = invocation.text("private").flatMap(PrivateHalves.init) ?? extent.privateHalves
            let figures = try await Bench.append(
                clients: clients, extent: extent, folder: invocation.text("folder") ?? ".",
                kept: invocation.text("keep").map(FileSystem.absolute))
            let rows = [AppendFigures.heading, figures.one.row] + (clients == 1 ? [] : [figures.many.row])
            try console.result(
                figures.json,
                Words.table(rows)
                    + (clients == 1
                        ? "" : "\n\(clients) clients together get \(tenths(figures.ratioToOneClient)) times the rate of one."))
            return .done
        })

    static let benchGroup = Verb(
        path: ["bench", "group"], summary: "Measure how commits are shared by more and more clients.", options: extent,
        examples: ["capture-ledger bench group"], exits: [.cannotCreate, .inputOutput],
        run: { invocation, console in
            let figures = try await Bench.group(extent: try extent(invocation), folder: invocation.text("folder") ?? ".")
            try console.result(
                ["groups": .array(figures.map(\.json))], Words.table([AppendFigures.heading] + figures.map(\.row)))
            return .done
        })

    static let benchCallbacks = Verb(
        path: ["bench", "callbacks"],
        summary: "Measure how long commands wait while a host's callbacks sleep, beside how long they wait without.",
        options: [
            .value("sessions", "N", "sessions whose callbacks sleep (24)"),
            .value("events", "N", "commands of one round (500)"),
            .value("rounds", "N", "rounds of each kind (5)"),
            .value("folder", "DIR", "on the disk to measure (the working folder); nothing is left there"),
        ],
        examples: ["capture-ledger bench callbacks --rounds 11 --json"], exits: [.cannotCreate, .inputOutput],
        run: { invocation, console in
            let figures = try await Bench.callbacks(
                sessions: Int(try invocation.integer("sessions", in: 1...1000) ?? 24),
                events: Int(try invocation.integer("events", in: 1...1_000_000) ?? 500),
                rounds: Int(try invocation.integer("rounds", in: 1...1000) ?? 5),
                folder: invocation.text("folder") ?? ".")
            try console.result(
                figures.json,
                Words.table([
                    ["callbacks asleep", "ack p50", "p99"],
                    ["0", "\(figures.quiet.p50Microseconds) µs", "\(figures.quiet.p99Microseconds) µs"],
                    [
                        String(figures.sleeping), "\(figures.asleep.p50Microseconds) µs",
                        "\(figures.asleep.p99Microseconds) µs",
                    ],
                ])
                    + "\nWhile callbacks sleep a command waits \((figures.ratio * 1000).rounded() / 1000) times as long as without."
            )
            return .done
        })

    private static func extent(_ invocation: Invocation) throws -> BenchExtent {
        let milliseconds = try invocation.seconds("seconds")
        if milliseconds == 0 { throw Complaint.usage("--seconds is not more than 0.", remedy: "Write --seconds 1.") }
        return BenchExtent(
            events: try invocation.integer("events", in: 1...100_000_000).map { Int($0) },
            seconds: milliseconds.map { Double($0) / 1000 }, rounds: Int(try invocation.integer("rounds", in: 1...1000) ?? 5))
    }

    fileprivate static func tenths(_ value: Double) -> String { String((value * 10).rounded() / 10) }
}

extension AppendFigures {
    fileprivate static let heading = ["clients", "events/s", "commits/s", "events/commit", "ack p50", "p99", "worst"]

    fileprivate var row: [String] {
        [
            String(clients), String(Int(eventsPerSecond.rounded())), String(Int(commitsPerSecond.rounded())),
            Verb.tenths(eventsPerCommit), "\(acknowledgementP50Microseconds) µs", "\(acknowledgementP99Microseconds) µs",
            "\(acknowledgementMaximumMicroseconds) µs",
        ]
    }
}
