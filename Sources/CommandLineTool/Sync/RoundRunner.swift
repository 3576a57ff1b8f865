import CaptureLedger
import CaptureLedgerSync
import DeliveryMachine
import StructuredLog
import Sync
import SystemCalls

/// Runs the worker on one ledger, judges how delivery stands afterwards, and tells those who watch from outside.
struct RoundRunner {
    let invocation: Invocation
    let console: Console
    let plan: SyncPlan
    let logger: Logger
    var options = SyncOptions()
    /// Called several times a second while a run works.
    var beat: () -> Void = {}

    init(_ invocation: Invocation, _ console: Console, _ plan: SyncPlan) {
        self.invocation = invocation
        self.console = console
        self.plan = plan
        options.limit = plan.limit
        // A run that nobody watches keeps silent; one whose lines are kept tells what it did; at a terminal the bar does.
        let usual: Level? = plan.isCron ? nil : console.isWatched || plan.isWatch ? .warning : .info
        if let level = invocation.logChoice.level ?? usual {
            logger = console.logger.at(level)
        } else {
            logger = .off
        }
    }

    /// Opens, works, tells, closes.
    ///
    /// - Parameter deadline: milliseconds that this ledger may take; nil without end.
    func run(_ path: String, deadlineMilliseconds deadline: Int64?) -> Round {
        let began = SystemClock.boottimeNanoseconds()
        var round: Round
        defer { invocation.opened.closeAll() }
        do {
            let ledger = try invocation.openLedger(at: path)
            round = work(ledger, path, deadlineMilliseconds: deadline)
            round.durationMilliseconds = (SystemClock.boottimeNanoseconds() - began) / 1_000_000
            tell(round, ledger)
        } catch {
            round = Round(ledgerPath: path, outcome: .failed(Complaint(anything: error)))
            round.durationMilliseconds = (SystemClock.boottimeNanoseconds() - began) / 1_000_000
            // a ledger that cannot be worked on can often still be looked at
            if let ledger = try? invocation.openForReading(at: path) {
                judge(&round, ledger)
                tell(round, ledger)
            }
        }
        return round
    }

    func tell(_ round: Round, _ ledger: Ledger) {
        Aftermath(ledger: ledger, logger: logger).tell(round, millisecondsLeft: plan.millisecondsLeft)
    }

    /// One run on a ledger that is open.
    func work(_ ledger: Ledger, _ path: String, deadlineMilliseconds deadline: Int64?) -> Round {
        let began = SystemClock.boottimeNanoseconds()
        var round = Round(ledgerPath: path, outcome: .anotherRunWorks)
        let witness = RunWitness(
            ProgressBar(console, invocation.environment, isWanted: !plan.isCron && !plan.isWatch), logger)
        do {
            if case .finished(let report) = try deliver(ledger, deadline, witness) {
                round.outcome = .finished(report)
                round.witness = witnessed(ledger)
            }
        } catch {
            round.outcome = .failed(Complaint(anything: error))
        }
        witness.bar?.clear()
        round.isAborted = TerminationSignals.count > 1
        round.attention = witness.alarms.map { $0.attention(ledger.clock.nowMilliseconds()) }
        judge(&round, ledger)
        if round.report != nil, !round.isAborted { keepAnalytics(ledger) }
        round.durationMilliseconds = (SystemClock.boottimeNanoseconds() - began) / 1_000_000
        return round
    }

    /// Reports are of use when they are late, and a run is one when they fail.
    private func keepAnalytics(_ ledger: Ledger) {
        do { _ = try ledger.keepAnalytics() } catch {
            logger.warning("analytics.sqlite was not brought up to date", [Field("why", "\(Complaint(anything: error).code)")])
        }
    }

    /// The log of this run leaves the machine. A witness that fails never fails a run.
    private func witnessed(_ ledger: Ledger) -> WitnessOutcome? {
        let isOver = { TerminationSignals.count > 0 || plan.millisecondsLeft == 0 }
        guard !isOver() else { return nil }
        let outcome = ledger.sendCheckpoint {
            beat()
            return isOver()
        }
        if let failure = outcome?.failure {
            logger.warning(
                "the checkpoint was not witnessed",
                [Field("code", failure.code.rawValue), Field("why", failure.message), Field("remedy", failure.remedy)])
        }
        return outcome
    }

    private func deliver(_ ledger: Ledger, _ deadline: Int64?, _ witness: RunWitness) throws -> SyncResult {
        if let bar = witness.bar { bar.expect(try ledger.backlog().waiting) }
        var options = options
        // measured as late as can be: opening took its time
        options.deadlineMilliseconds = [deadline, plan.millisecondsLeft].compactMap { $0 }.min()
        let beat = beat
        return try ledger.synchronizeAndWait(
            options,
            stop: {
                beat()
                witness.bar?.draw()
                return StopRequest(afterSignals: TerminationSignals.count)
            }, observe: { witness.see($0) }, handedOver: { witness.bar?.handedOver($0) })
    }

    private func judge(_ round: inout Round, _ ledger: Ledger) {
        guard let standing = try? ledger.standing() else { return }
        round.standing = standing
        let rule = PageRule(
            pageAfterMilliseconds: plan.pageAfterMilliseconds ?? ledger.settings.sync.pageAfterMilliseconds)
        round.attention += rule.attention(
            standing, isWorking: round.isOthersWork,
            everyDestinationIsPaused: round.report?.verdict == .everyDestinationPaused)
        let long = standing.takenAtMilliseconds - rule.pageAfterMilliseconds
        if let pause = (try? ledger.sessionPause(since: long)) ?? nil {
            round.attention.append(.paused(pause.session, since: pause.sinceMilliseconds))
        }
        if let since = (try? ledger.erasureStuckSince()) ?? nil { round.attention.append(.erasureStuck(since: since)) }
    }
}

extension StopRequest {
    /// The first request to end lets what is under way finish, the second aborts it.
    init(afterSignals count: Int) { self = count == 0 ? .none : count == 1 ? .finish : .abort }
}

/// Sees a run go by.
private final class RunWitness {
    let bar: ProgressBar?
    private let logger: Logger
    private(set) var alarms: [ParkedAlarm] = []

    init(_ bar: ProgressBar?, _ logger: Logger) {
        self.bar = bar
        self.logger = bar.map { bar in logger.at(logger.minimum) { bar.clearing($0) } } ?? logger
    }

    func see(_ event: SyncEvent) {
        event.log(to: logger)
        bar?.see(event)
        if let alarm = ParkedAlarm(event) { alarms.append(alarm) }
    }
}

/// A delivery was given up for a reason that is not its endpoint's: somebody must look.
struct ParkedAlarm {
    private static let causes: [ParkCause] = [.keyReused, .mediaUnreadable, .quarantined]

    let cause: ParkCause
    let destination: String

    init?(_ event: SyncEvent) {
        guard case .settled(let claim, let settlement) = event, case .parked(let cause) = settlement.state,
            Self.causes.contains(cause)
        else { return nil }
        self.cause = cause
        destination = claim.destination.text
    }

    func attention(_ now: Int64) -> Attention {
        Attention(
            code: cause.rawValue, destination: destination, sinceMilliseconds: now,
            message: "has a delivery that was parked just now: \(Words.plain(cause.rawValue))",
            remedy: "Run capture-ledger sync list --status parked --cause \(cause.rawValue), and sync explain what it names.",
            exit: .fault)
    }
}
