package import CaptureLedger
package import StructuredLog
import Sync

/// One run of the worker as a command line asks for it.
package struct SyncRequest {
    /// At its end nothing new is claimed and what is under way is aborted; nil: each transfer's own limits are the end.
    package var deadlineMilliseconds: Int64?
    /// Deliveries claimed at most.
    package var limit: Int?
    /// How often the process was asked to stop so far: at one the run finishes what is under way, at two it aborts it.
    package var stopRequests: () -> Int = { 0 }
    package var logger = Logger.off
    /// Told after every settlement how many deliveries ended or were put off in this run.
    package var progress: (Int) -> Void = { _ in }

    package init() {}
}

package struct SyncAnswer: Sendable, Hashable {
    /// What an exit code is made of.
    package enum Verdict: Sendable {
        /// Nothing waits any more: 0.
        case drained
        /// 75.
        case workLeft
        /// Nothing was done, and nothing is wrong: 75.
        case anotherRunWorks
        /// 69.
        case everyDestinationPaused
    }

    package var summary: SyncSummary
    /// Names of destinations, sorted.
    package var paused: [String]
    package var verdict: Verdict
}

extension Ledger {
    /// Delivers what is due, from a thread that may block.
    package func deliverAndWait(_ request: SyncRequest) throws(LedgerError) -> SyncAnswer {
        var options = SyncOptions()
        options.deadlineMilliseconds = request.deadlineMilliseconds
        options.limit = request.limit
        var settled = 0
        let result = try synchronizeAndWait(
            options,
            stop: {
                switch request.stopRequests() {
                case ..<1: .none
                case 1: .finish
                default: .abort
                }
            },
            observe: { event in
                event.log(to: request.logger)
                guard case .settled = event else { return }
                settled += 1
                request.progress(settled)
            })
        switch result {
        case .anotherRunWorks: return SyncAnswer(summary: SyncSummary(), paused: [], verdict: .anotherRunWorks)
        case .finished(let report):
            let verdict: SyncAnswer.Verdict =
                switch report.verdict {
                case .drained: .drained
                case .workLeft: .workLeft
                case .everyDestinationPaused: .everyDestinationPaused
                }
            return SyncAnswer(
                summary: SyncSummary(report, nowMilliseconds: clock.nowMilliseconds()), paused: report.paused.map(\.text),
                verdict: verdict)
        }
    }
}
