/// What a look at everything that waited for a judgement came to.
public struct CheckSummary: Sendable, Hashable {
    public let passed: Int
    public let failed: Int
    /// Captures that still wait.
    public let left: Int
    /// Why the checks could not run; nil when they did.
    public let obstacle: LedgerError?
}

extension Ledger {
    /// Judges captures that wait for it, oldest session first: those that a crash left unchecked, those whose scanner was not ready, those of
    /// sessions with deferred checks. Flows hear of it as of everything else.
    ///
    /// - Parameter limit: captures to judge at most.
    /// - Throws: what the store cannot do. That the checks cannot run is no error: nothing changes, and the summary says why.
    public func checkPending(limit: Int = .max) async throws(LedgerError) -> CheckSummary {
        let done = try await hosting.work.run { [self] () throws(LedgerError) in try judgePending(limit: limit) }
        return CheckSummary(
            passed: done.passed, failed: done.failed, left: done.left,
            obstacle: done.obstacle.map { LedgerError($0) } ?? done.broken.first?.error)
    }
}
