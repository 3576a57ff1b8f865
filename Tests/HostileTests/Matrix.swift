import Dispatch
import Synchronization

/// Every row over every kind of connection, played once a process, many cells at a time.
final class Matrix: Sendable {
    static let rows = Row.connections + Row.messages + Row.statuses + Row.answers + Row.leftovers
    static let shared = Result { try Matrix() }

    private let played: [String: Cell.Played]
    let verdict: HostileServer.Verdict
    let cells: [Cell]

    static func cells(of row: Row) -> [(isReused: Bool, isSecure: Bool)] {
        if row.isFreshOnly { return [(false, true)] }
        if row.before != nil { return [(true, false), (true, true)] }
        return [(false, false), (true, false), (false, true), (true, true)]
    }

    private init() throws {
        let server = try HostileServer()
        var cells: [Cell] = []
        for row in Self.rows {
            for (isReused, isSecure) in Self.cells(of: row) {
                cells.append(Cell(row: row, isReused: isReused, isSecure: isSecure, number: 1 + cells.count * 2))
            }
        }
        self.cells = cells
        let work = cells
        let results = Mutex<[String: Cell.Played]>([:])
        let next = Atomic<Int>(0)
        let group = DispatchGroup()
        for hand in 0..<12 {
            DispatchQueue(label: "hostile.\(hand)").async(group: group) {
                while true {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard index < work.count else { return }
                    let outcome = work[index].play(server)
                    results.withLock { $0[work[index].name] = outcome }
                }
            }
        }
        group.wait()
        played = results.withLock { $0 }
        let deliveries = cells.reduce(0) { $0 + ($1.isReused ? 2 : 1) }
        verdict = try server.verdict(deliveries: deliveries)
    }

    func played(_ cell: Cell) -> Cell.Played { played[cell.name] ?? Cell.Played() }
}
