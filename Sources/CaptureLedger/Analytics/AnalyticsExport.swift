import Dispatch
import EventStorage
import SessionDomain
import StructuredLog
import Synchronization
import SystemCalls

/// Feeds a host's reporter from the log, behind a durable cursor, so that it also gets what other processes appended. It works on a
/// thread of its own: a reporter that sleeps holds up nobody else.
///
/// One process at a time exports a ledger. What was appended while the ledger was open here and no reporter was set is dropped; what
/// other processes appended before it was opened waits for the first reporter.
final class AnalyticsExport: Sendable {
    private struct State {
        var isWorking = false
        var isStopped = false
        var cursor: FollowerCursor?
        /// What was appended before the ledger was opened here and has not been reported: from above the first to the second.
        var earlier: (from: Int64, through: Int64)?
        var position: Int64 = 0
    }

    private static let name = ".analytics"
    private static let page = 256

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "capture-ledger.analytics")

    func begin(_ ledger: Ledger) throws(LedgerError) {
        let last = try ledger.lastPosition()
        state.withLock { state in
            state.position = last
            state.earlier = (0, last)
        }
    }

    /// Told by the feed after every look: nothing here may take long.
    func notice(_ ledger: Ledger) {
        let begins = state.withLock { state -> Bool in
            // A process that only looks at a ledger never began.
            guard state.earlier != nil || state.position > 0 || state.cursor != nil, !state.isStopped, !state.isWorking else {
                return false
            }
            state.isWorking = true
            return true
        }
        guard begins else { return }
        queue.async {
            self.work(ledger)
            self.state.withLock { $0.isWorking = false }
        }
    }

    /// Reports nothing more; a reporter that is being called is not waited for.
    func stop() {
        let cursor = state.withLock { state in
            state.isStopped = true
            return state.cursor
        }
        cursor?.close()
    }

    private func work(_ ledger: Ledger) {
        do throws(LedgerError) {
            guard let reporter = FlowAnalytics.reporter else { return try skip(ledger) }
            guard let cursor = try cursor(ledger) else { return }
            if let earlier = state.withLock({ $0.earlier }) {
                try report(ledger, after: earlier.from, through: earlier.through, reporter, cursor)
                state.withLock { $0.earlier = nil }
            }
            let position = state.withLock { $0.position }
            let last = try report(ledger, after: position, through: .max, reporter, cursor)
            state.withLock { $0.position = last }
        } catch {
            // Whatever kept it from the ledger, the next look tries again.
        }
    }

    /// Events are dropped while there is no reporter.
    private func skip(_ ledger: Ledger) throws(LedgerError) {
        let last = try ledger.lastPosition()
        state.withLock { $0.position = max($0.position, last) }
        if FlowAnalytics.noticeLoss() {
            ledger.hosting.logger.warning("the analytics reporter went away: events are dropped from now on")
        }
    }

    /// nil while another process exports this ledger.
    private func cursor(_ ledger: Ledger) throws(LedgerError) -> FollowerCursor? {
        if let held = state.withLock({ $0.cursor }) { return held }
        guard let lock = try FollowerCursor.lock(Self.name, ledger.files) else { return nil }
        let cursor = FollowerCursor(Self.name, of: ledger, holding: lock)
        // Before the first reporter ever, everything was dropped.
        let known = try cursor.position(in: ledger)
        state.withLock { state in
            state.cursor = cursor
            guard let earlier = state.earlier else { return }
            state.earlier = known.map { $0 < earlier.through ? ($0, earlier.through) : nil } ?? nil
        }
        return cursor
    }

    /// - Returns: the position of what was looked at last.
    @discardableResult
    private func report(
        _ ledger: Ledger, after start: Int64, through last: Int64, _ reporter: any AnalyticsReporting, _ cursor: FollowerCursor
    ) throws(LedgerError) -> Int64 {
        var position = start
        var sessions = AnalyticsSessions()
        while position < last, !state.withLock({ $0.isStopped }) {
            let page = try ledger.analyticsEvents(after: position, through: last, limit: Self.page, &sessions)
            guard let end = page.last?.position else { break }
            for event in page {
                if let (name, parameters) = event.report { reporter.report(event: name, parameters: parameters) }
            }
            try cursor.move(to: end)
            position = end
        }
        return position
    }
}
