import Outbox
import Projections
import SQLite

/// The rows of a few hundred sessions, packed where they were folded and ready to be written elsewhere. It changes hands, and nobody
/// changes it who does not hold it.
final class ProjectionPage: @unchecked Sendable {
    let flows = PackedRows(reserving: 1 << 16)
    let deliveries = PackedRows(reserving: 1 << 16)
    let analytics = AnalyticsRows()
    private(set) var sums = DailySums()
    private(set) var sessions: Int64 = 0
    var events: Int64 = 0

    /// Adds a session's rows.
    func add(_ session: ProjectedSession, jumps: ClockJumps) {
        sessions += 1
        addFlow(session, jumps: jumps)
        analytics.add(session.facts, number: session.number, session: session.id)
        sums.add(session.facts, sign: 1)
    }

    /// Flow and delivery rows alone.
    func addFlow(_ session: ProjectedSession, jumps: ClockJumps) {
        let moved = jumps.total(after: session.fold.firstPosition)
        FlowRow(session.fold, sessionNumber: session.number, jumps: moved)?.pack(into: flows)
        for row in session.deliveries.rows {
            row.pack(
                into: deliveries, Identifiers.delivery(session.id, row.capture, row.destination), session: session.number)
        }
    }
}
