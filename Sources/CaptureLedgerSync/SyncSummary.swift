import Sync

/// What one run of the worker did and left.
public struct SyncSummary: Sendable, Hashable {
    /// Decided by the endpoint: verified or rejected.
    public var delivered = 0
    public var verified = 0
    public var rejected = 0
    /// Tried in this run and to be tried again.
    public var retrying = 0
    /// Given up in this run, for a cause that `sync list` names.
    public var parked = 0
    /// Not finished, whether this run tried them or not.
    public var left = 0
    /// How long the oldest of those has waited since it was confirmed.
    public var oldestWaitingMilliseconds: Int64?

    public init() {}

    init(_ report: SyncReport, nowMilliseconds: Int64) {
        delivered = report.delivered
        verified = report.verified
        rejected = report.rejected
        retrying = report.retrying
        parked = report.parked
        left = report.left
        oldestWaitingMilliseconds = report.oldestConfirmedAtMilliseconds.map { max(0, nowMilliseconds - $0) }
    }
}
