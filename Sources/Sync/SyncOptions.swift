/// How far one run goes.
package struct SyncOptions: Hashable, Sendable {
    /// Measured from the start on a clock that also counts suspension. At its end nothing new is claimed and what is under way
    /// is aborted, which spends no attempt.
    package var deadlineMilliseconds: Int64?
    /// Deliveries claimed at most.
    package var limit: Int?
    /// How long an idle run waits for a delivery that is nearly due, or for the outcome of one that was accepted.
    package var patienceMilliseconds: Int64 = 5_000

    package init() {}
}

/// What a person or the system asked of a running worker.
package enum StopRequest: Sendable {
    case none
    /// Claim nothing more, finish what is under way: the first SIGTERM.
    case finish
    /// Abort what is under way: the second.
    case abort
}

/// Time for a run: wall-clock milliseconds for what is stored, and a steady clock for the deadline.
package struct SyncClock: Sendable {
    package var nowMilliseconds: @Sendable () -> Int64
    package var steadyMilliseconds: @Sendable () -> Int64

    package init(
        nowMilliseconds: @escaping @Sendable () -> Int64, steadyMilliseconds: @escaping @Sendable () -> Int64
    ) {
        self.nowMilliseconds = nowMilliseconds
        self.steadyMilliseconds = steadyMilliseconds
    }
}
