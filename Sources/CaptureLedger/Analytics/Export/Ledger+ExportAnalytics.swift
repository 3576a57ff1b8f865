import SessionDomain
import SystemCalls

/// What an export of the analytics events is asked for.
package struct AnalyticsExportRequest: Sendable {
    /// The reader's name, behind which the position lies that was exported last; nil remembers nothing.
    package var checkpoint: String?
    /// nil: behind the checkpoint, or with the first event.
    package var firstPosition: Int64?
    /// What lies behind it is not exported; never beyond the ledger's end at the beginning.
    package var lastPosition = Int64.max
    /// Events handed over at once.
    package var batch = 500

    package init() {}
}

/// What an export did.
package struct AnalyticsExported: Sendable, Hashable {
    package internal(set) var events = 0
    package internal(set) var batches = 0
    /// Everything in these positions was looked at; the last is below the first when there was nothing.
    package internal(set) var firstPosition: Int64
    package internal(set) var lastPosition: Int64
    /// It was asked to stop before the end.
    package internal(set) var isStopped = false
}

extension Ledger {
    /// Replays the six analytics events in order, at least once: the checkpoint moves, durably, when `take` has returned, so that
    /// after a crash or a failure the last batch comes again with the same ids. Nothing else ever exports (S33).
    ///
    /// - Parameters:
    ///   - stop: asked before every batch.
    ///   - take: hands a batch over; what it throws ends the export.
    /// - Throws: `checkpoint_behind` for a start that would leave events out; `follower_in_use`, `follower_name_invalid`,
    ///   `cursor_damaged`; what `take` throws.
    package func exportAnalytics(
        _ request: AnalyticsExportRequest, stop: () -> Bool = { false },
        take: (ReportedBatch) throws(LedgerError) -> Void
    ) throws(LedgerError) -> AnalyticsExported {
        let cursor = try request.checkpoint.map { (name) throws(LedgerError) in try FollowerCursor(name, of: self) }
        defer { cursor?.close() }
        let known = try cursor?.position(in: self)
        let last = min(request.lastPosition, try lastPosition())
        var position = request.firstPosition.map { $0 - 1 } ?? known ?? 0
        guard cursor == nil || position <= known ?? 0 else {
            throw LedgerError(
                code: .init(rawValue: "checkpoint_behind"),
                message:
                    "The checkpoint is at position \((known ?? 0)): what lies between it and the start would never be exported.",
                remedy: "Leave the start out to go on at the checkpoint, or leave the checkpoint out.")
        }
        var exported = AnalyticsExported(firstPosition: position + 1, lastPosition: position)
        var sessions = AnalyticsSessions()
        var events: [ReportedEvent] = []
        func handOver() throws(LedgerError) {
            if !events.isEmpty {
                try take(ReportedBatch(ledgerID: ledgerID, epoch: epoch, events: events))
                exported.events += events.count
                exported.batches += 1
                events.removeAll(keepingCapacity: true)
            }
            // never backwards: a repetition of old events leaves the new ones where they are
            if position > known ?? 0 { try cursor?.move(to: position) }
            exported.lastPosition = position
        }
        while position < last {
            guard !stop() else {
                exported.isStopped = true
                break
            }
            let limit = min(256, request.batch - events.count)
            let page = try analyticsEvents(after: position, through: last, limit: limit, &sessions)
            guard let end = page.last?.position else { break }
            events += page.compactMap { ReportedEvent($0) }
            position = end
            if events.count >= request.batch { try handOver() }
        }
        if position > exported.lastPosition { try handOver() }
        return exported
    }
}
