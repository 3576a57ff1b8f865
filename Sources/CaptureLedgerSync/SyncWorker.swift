public import CaptureLedger
import Dispatch
import Sync

/// Delivers confirmed captures from inside a host's process. The command's `sync` does the same from outside.
///
/// It may be used from any thread; the work itself is done on a thread of its own.
public final class SyncWorker: Sendable {
    private let ledger: Ledger
    private let queue = DispatchQueue(label: "capture-ledger.sync")

    public init(ledger: Ledger) { self.ledger = ledger }

    /// Sends what is due and returns when nothing is due any more, or at the deadline.
    ///
    /// - Parameter deadline: at its end what is under way is aborted, which spends no attempt.
    /// - Throws: `another_run_works` when this or another process is at it already (retryable); what the settings refuse; what
    ///   kept the ledger or libcurl from working. Nothing is lost: the next run goes on with the same bytes.
    public func runOnce(deadline: Duration = .seconds(50)) async throws(LedgerError) -> SyncSummary {
        let ledger = ledger
        var options = SyncOptions()
        options.deadlineMilliseconds = Int64(max(0, deadline / .milliseconds(1)))
        let chosen = options
        let clock = ContinuousClock()
        let end = clock.now + max(.zero, deadline)
        let result: Result<SyncResult, LedgerError> = await withCheckedContinuation { continuation in
            queue.async {
                do throws(LedgerError) {
                    let result = try ledger.synchronizeAndWait(chosen)
                    // a witness that fails costs nothing but its signature
                    if case .finished = result { _ = ledger.sendCheckpoint { clock.now >= end } }
                    continuation.resume(returning: .success(result))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        switch try result.get() {
        case .finished(let report): return SyncSummary(report, nowMilliseconds: ledger.clock.nowMilliseconds())
        case .anotherRunWorks:
            throw LedgerError(
                code: .init(rawValue: "another_run_works"), message: "Another run delivers from this ledger already.",
                remedy: "Wait for it to end, or let it work.", isRetryable: true)
        }
    }
}
