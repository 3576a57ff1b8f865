import Benchmarks
import SystemCalls

extension Verb {
    static let benchRebuild = Verb(
        path: ["bench", "rebuild"], summary: "Measure a rebuild of all projections of a ledger whose past is made up.",
        details:
            "The ledger is new and made up; with --ledger it stays there, its key in a folder beside it, and serves later runs.",
        options: [
            .value("sessions", "N", "sessions, of eight events or so each (1000000)"),
            .value("rounds", "N", "rebuilds (3); the first finds no rows to replace"),
            .value("folder", "DIR", "on the disk to measure (the working folder); nothing is left there"),
        ],
        examples: [
            "capture-ledger bench rebuild --sessions 100000",
            "capture-ledger bench rebuild --ledger /var/tmp/large.ledger --json",
        ],
        exits: [.cannotCreate, .inputOutput],
        run: { invocation, console in
            let figures = try Bench.rebuild(
                sessions: Int(try invocation.integer("sessions", in: 1...100_000_000) ?? 1_000_000),
                rounds: Int(try invocation.integer("rounds", in: 1...1000) ?? 3),
                keptAt: invocation.text("ledger").map(FileSystem.absolute),
                folder: FileSystem.absolute(invocation.text("folder") ?? "."))
            try console.result(
                figures.json,
                Words.table([
                    ["sessions", "events", "best", "processor s", "events/s", "peak memory"],
                    [
                        String(figures.sessions), String(figures.events), "\((figures.best * 100).rounded() / 100) s",
                        String(((figures.processorSeconds.min() ?? 0) * 100).rounded() / 100),
                        String(Int(figures.eventsPerSecond)), Words.bytes(Int64(figures.peakKibibytes) * 1024),
                    ],
                ])
                    + "\nEvery round: \(figures.seconds.map { "\(($0 * 100).rounded() / 100) s" }.joined(separator: ", ")).")
            return .done
        })
}
