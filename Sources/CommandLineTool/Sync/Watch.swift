import CaptureLedger
import StructuredLog
import Sync
import SystemCalls

/// The worker as a daemon: it delivers as soon as something is due, and lives through what goes wrong.
final class Watch {
    private static let longestWaitMilliseconds: Int64 = 30_000
    /// How often a destination that is held up is looked at again, and a credential with it.
    private static let heldUpMilliseconds: Int64 = 5_000
    private static let longestBackOffMilliseconds: Int64 = 60_000

    private let invocation: Invocation
    private let path: String
    private let notifier: ServiceNotifier
    private var runner: RoundRunner
    private var diary: WatchDiary
    private var ledger: Ledger
    /// nil where the kernel cannot watch it.
    private let folder: FolderWatch?
    private var settings: FileStatus?
    private var reloads = 0
    private var failures = 0
    private var last: Round?

    /// - Throws: what keeps the ledger from being opened: a daemon that cannot begin says so and ends.
    init(_ invocation: Invocation, _ console: Console, _ plan: SyncPlan) throws {
        TerminationSignals.watch(hangup: .reloads)
        self.invocation = invocation
        path = invocation.ledgerPath
        let notifier = ServiceNotifier(invocation.environment)
        self.notifier = notifier
        runner = RoundRunner(invocation, console, plan)
        runner.options.patienceMilliseconds = 1_000
        runner.beat = { notifier.beat() }
        diary = WatchDiary(console)
        folder = try? FolderWatch(path)
        settings = try? FileStatus.of(LedgerFiles(folder: path).settings)
        ledger = try invocation.openLedger()
    }

    func run() throws -> ExitCode {
        notifier.ready()
        while TerminationSignals.count == 0 {
            notifier.beat()
            readSettingsAgainIfAsked()
            let position = (try? ledger.lastPosition()) ?? 0
            let round = runner.work(ledger, path, deadlineMilliseconds: nil)
            last = round
            try diary.note(round)
            if diary.isTellingDue(SystemClock.boottimeNanoseconds()) { runner.tell(round, ledger) }
            notifier.status(diary.status(round))
            if case .failed = round.outcome {
                recover()
            } else {
                failures = 0
                // what came through makes the next one due; the round after it finds nothing and ends the haste
                if round.report.map({ $0.delivered + $0.parked > 0 }) ?? false { continue }
                waitForWork(since: position)
            }
        }
        notifier.stopping()
        if let last { runner.tell(last, ledger) }
        try diary.close()
        return .done
    }

    /// Until another process appends, something is due, a signal comes, or it is time to look again.
    private func waitForWork(since position: Int64) {
        let end = SystemClock.boottimeNanoseconds() + idleMilliseconds() * 1_000_000
        while TerminationSignals.count == 0, TerminationSignals.reloadCount == reloads {
            notifier.beat()
            folder?.drain()
            if let now = try? ledger.lastPosition(), now != position { return }
            if settings != (try? FileStatus.of(ledger.files.settings)) { return }
            let left = (end - SystemClock.boottimeNanoseconds()) / 1_000_000
            if left <= 0 { return }
            // without inotify a short look now and then
            TerminationSignals.wait(
                milliseconds: min(left, notifier.longestWaitMilliseconds, folder == nil ? 500 : .max),
                descriptor: folder?.number ?? -1)
            // many small appends are taken together
            if folder != nil { TerminationSignals.wait(milliseconds: min(20, left)) }
        }
    }

    private func idleMilliseconds() -> Int64 {
        guard let due = try? ledger.backlog().nextDueAtMilliseconds else { return Self.longestWaitMilliseconds }
        let left = due - ledger.clock.nowMilliseconds()
        // due, and not taken: a pause or a breaker holds it up, or an earlier piece of its session
        if left <= 0 { return Self.heldUpMilliseconds }
        return min(left, Self.longestWaitMilliseconds)
    }

    /// Settings that are wrong change nothing: the daemon goes on with those it has.
    private func readSettingsAgainIfAsked() {
        let found = try? FileStatus.of(ledger.files.settings)
        let isAsked = TerminationSignals.reloadCount != reloads
        guard isAsked || found != settings else { return }
        reloads = TerminationSignals.reloadCount
        settings = found
        notifier.reloading()
        do {
            let fresh = try invocation.openLedger()
            invocation.opened.closeAll(but: fresh)
            ledger = fresh
            runner.logger.notice("the settings were read again")
        } catch {
            runner.logger.error(
                "the settings cannot be used; the earlier ones stay in force",
                [Field("why", Complaint(anything: error).message)])
        }
        notifier.ready()
    }

    /// Waits, longer from time to time, and opens the ledger anew.
    private func recover() {
        failures += 1
        let pause = min(Self.longestBackOffMilliseconds, 1_000 << Int64(min(failures - 1, 10)))
        let end = SystemClock.boottimeNanoseconds() + pause * 1_000_000
        while TerminationSignals.count == 0, TerminationSignals.reloadCount == reloads {
            notifier.beat()
            let left = (end - SystemClock.boottimeNanoseconds()) / 1_000_000
            if left <= 0 { break }
            TerminationSignals.wait(milliseconds: min(left, notifier.longestWaitMilliseconds))
        }
        if let fresh = try? invocation.openLedger() {
            invocation.opened.closeAll(but: fresh)
            ledger = fresh
        }
    }
}
