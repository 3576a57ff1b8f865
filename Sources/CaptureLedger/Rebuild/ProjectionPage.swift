import Outbox
import Projections
import SQLite

/// The rows of a few hundred sessions, packed where they were folded and ready to be written elsewhere. It changes hands, and nobody
/// changes it who does not hold it.
final class ProjectionPage: @unchecked Sendable {
    let flows = PackedRows(reserving: 1 << 16)
    let deliveries = DeliveryOrder.Rows()
    /// Each delivery's session, number and number again: the entries of an index.
    let deliveriesOfSessions = PackedRows()
    /// When open sessions with a deadline end, and their numbers.
    private(set) var expiring: [(atMilliseconds: Int64, session: Int64)] = []
    /// Where deliveries wait to be sent to, and their numbers.
    private(set) var waiting: [(destination: String, number: Int64)] = []
    /// The numbers of parked deliveries.
    private(set) var parked: [Int64] = []
    /// Where the first of these sessions began.
    private(set) var firstPosition = Int64.max
    let analytics = AnalyticsRows()
    /// Of these sessions and of pages of the same reader before; now and then.
    var sums: DailySums?
    private(set) var sessions: Int64 = 0
    private let names = DeliveryNames()
    var events: Int64 = 0

    /// Adds a session's rows; its sums are added apart.
    func add(_ session: inout ProjectedSession, jumps: ClockJumps) {
        sessions += 1
        addFlow(&session, jumps: jumps)
        analytics.add(session.facts, number: session.number, session: session.id)
    }

    /// Flow and delivery rows alone.
    func addFlow(_ session: inout ProjectedSession, jumps: ClockJumps) {
        let moved = jumps.total(after: session.fold.firstPosition)
        if let row = FlowRow(&session.fold, sessionNumber: session.number, jumps: moved) {
            row.pack(into: flows)
            if let time = row.expiresAtMilliseconds, row.endedAtMilliseconds == nil { expiring.append((time, session.number)) }
        }
        firstPosition = min(firstPosition, session.fold.firstPosition)
        for row in session.deliveries.rows {
            let id = names.delivery(session.id, row.capture, row.destination)
            deliveries.add(row.number) { row.pack(into: $0, id, session: session.number) }
            deliveriesOfSessions.append(session.number)
            for _ in 0..<2 { deliveriesOfSessions.append(row.number) }
            if row.status == .waiting { waiting.append((row.destination, row.number)) }
            if row.status == .parked { parked.append(row.number) }
        }
    }
}
