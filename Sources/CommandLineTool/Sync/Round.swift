import CaptureLedger
import CaptureLedgerSync
import DeliveryMachine
import Sync

/// What one run on one ledger came to.
struct Round {
    enum Outcome {
        case finished(SyncReport)
        case anotherRunWorks
        /// The run was asked to end before it came to this ledger.
        case notReached
        case failed(Complaint)
    }

    let ledgerPath: String
    var outcome: Outcome
    /// nil where even reading failed.
    var standing: DeliveryStanding?
    var attention: [Attention] = []
    /// nil where the settings name no witness, or another run was at work.
    var witness: WitnessOutcome?
    var durationMilliseconds: Int64 = 0
    /// A second request to end cut it short.
    var isAborted = false

    var report: SyncReport? {
        if case .finished(let report) = outcome { report } else { nil }
    }

    var complaint: Complaint? {
        switch outcome {
        case .finished: nil
        case .anotherRunWorks: Self.anotherRunWorks
        case .notReached: Self.notReached
        case .failed(let complaint): complaint
        }
    }

    /// How a run that somebody watches ends.
    var exit: ExitCode { report?.exit ?? complaint?.exit ?? .done }

    /// What would have come by itself is not told by a run that nobody watches.
    var needsPerson: ExitCode? {
        if case .failed(let complaint) = outcome, complaint.exit != .workLeft { return complaint.exit }
        return attention.map(\.exit).max { $0.severity < $1.severity }
    }

    var isOthersWork: Bool {
        if case .anotherRunWorks = outcome { true } else { false }
    }

    /// Nothing is wrong: it went through, and what waits does not wait for a person.
    var isHealthy: Bool { report != nil && attention.isEmpty && !isAborted }

    static let anotherRunWorks = Complaint(
        "another_run_works", "Another run delivers from this ledger already.", remedy: "Wait for it to end, or let it work.",
        exit: .workLeft)

    private static let notReached = Complaint(
        "run_ended", "The run was asked to end before it came to this ledger.", remedy: "The next run works on it.",
        exit: .workLeft)
}

extension ExitCode {
    /// Among the runs on many ledgers the worst one decides how the program ends.
    var severity: Int {
        let order: [ExitCode] = [
            .done, .workLeft, .allPaused, .cannotCreate, .refused, .notFound, .notPermitted, .configuration, .usage,
            .inputOutput, .fault,
        ]
        return order.firstIndex(of: self) ?? order.count
    }
}

extension SyncReport {
    var exit: ExitCode {
        switch verdict {
        case .drained: .done
        case .workLeft: .workLeft
        case .everyDestinationPaused: .allPaused
        }
    }
}
