import CaptureLedger
import SessionDomain
import SystemCalls

extension Verb {
    static let sync = Verb(
        path: ["sync"], summary: "Deliver what is confirmed and due, then stop.",
        details:
            "The first SIGTERM finishes what is under way, the second aborts it; neither loses anything. Lengths of time are seconds, or such as 90m and 2h.",
        options: [
            .value("deadline", "TIME", "stop then, whatever is under way; counted from the program's start"),
            .value("limit", "N", "begin this many at most"),
            .value("splay", "TIME", "wait for a random part of it first"),
            .flag("watch", "go on until interrupted, as a daemon; SIGHUP reads the settings again"),
            .flag("dry-run", "say what would be sent and what holds the rest up; send and write nothing"),
            .flag("cron", "be silent and end with 0 unless a person is needed"),
            .value("page-after", "TIME", "how long nothing may get through before a person is needed (2h, or the settings')"),
            .value("all-ledgers", "GLOB", "work on every ledger that the quoted pattern names, one after the other"),
        ],
        examples: [
            "capture-ledger sync", "capture-ledger sync --cron --deadline 50 --splay 10 --page-after 90m",
            "capture-ledger sync --cron --all-ledgers /var/lib/*/my.ledger", "capture-ledger sync --watch",
        ],
        exits: [.refused, .notFound, .allPaused, .inputOutput, .workLeft, .notPermitted],
        run: { invocation, console in
            let plan = try SyncPlan(invocation)
            if invocation.has("dry-run") { return try DryRun(try invocation.openForReading(), console, plan).say() }
            if invocation.has("watch") { return try Watch(invocation, console, plan).run() }
            TerminationSignals.watch(hangup: .ends)
            plan.waitForSplay()
            let runner = RoundRunner(invocation, console, plan)
            if let pattern = plan.pattern { return try all(LedgerSearch.ledgers(matching: pattern), runner) }
            return try one(runner)
        })

    private static func one(_ runner: RoundRunner) throws -> ExitCode {
        let round = runner.run(runner.invocation.ledgerPath, deadlineMilliseconds: nil)
        guard runner.plan.isCron else {
            if let complaint = round.complaint { throw complaint }
            try runner.console.report([round], isMany: false)
            return round.exit
        }
        guard let exit = round.needsPerson else { return .done }
        if let complaint = round.complaint, round.attention.isEmpty { throw complaint }
        try runner.console.report([round], isMany: false)
        return exit
    }

    private static func all(_ paths: [String], _ runner: RoundRunner) throws -> ExitCode {
        var rounds: [Round] = []
        for (index, path) in paths.enumerated() {
            guard TerminationSignals.count == 0 else {
                rounds.append(Round(ledgerPath: path, outcome: .notReached))
                continue
            }
            // a slow ledger takes no more than its share of what is left, so the last one gets its turn too
            let share = runner.plan.millisecondsLeft.map { $0 / Int64(paths.count - index) }
            rounds.append(runner.run(path, deadlineMilliseconds: share))
        }
        guard runner.plan.isCron else {
            try runner.console.report(rounds, isMany: true)
            return rounds.map(\.exit).max { $0.severity < $1.severity } ?? .done
        }
        guard let worst = rounds.compactMap(\.needsPerson).max(by: { $0.severity < $1.severity }) else { return .done }
        try runner.console.report(rounds, isMany: true)
        return worst
    }
}

/// Finds the ledgers that a pattern names.
enum LedgerSearch {
    /// - Throws: a ``Complaint`` with exit code 66 when there is none: a pattern that names nothing would be silent for ever.
    static func ledgers(matching pattern: String) throws(Complaint) -> [String] {
        let found: [String]
        do throws(SystemError) { found = try FileSystem.matching(pattern) } catch {
            throw Complaint(
                error.code.rawValue, "A folder that --all-ledgers names cannot be read: \(error.message).",
                remedy: error.remedy,
                exit: error.code == .permissionDenied ? .notPermitted : .inputOutput)
        }
        let ledgers = found.filter { path in
            let files = LedgerFiles(folder: path)
            return [files.database, files.settings].contains { isThere($0) }
        }
        guard !ledgers.isEmpty else {
            throw Complaint(
                "no_such_ledger", "The pattern of --all-ledgers names no ledger.",
                remedy: "Check it, and put it in quotes so that no shell reads it first.", exit: .notFound)
        }
        return ledgers
    }

    /// What cannot be looked at is taken for there: opening the ledger says what is wrong, and nothing is passed over for ever.
    private static func isThere(_ path: String) -> Bool {
        do throws(SystemError) { return try FileStatus.of(path) != nil } catch { return true }
    }
}
