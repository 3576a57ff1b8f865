import DeliveryMachine
import SessionDomain
import Testing

/// libcurl sends a request again by itself when a reused connection ends before the first byte of an answer. The worker decides
/// about repeats, never the transport: a delivery that the server has had whole is asked about first, where that is possible.
@Suite struct RepeatTests {
    /// The ways to say nothing at all after a whole request.
    static let silences = ["reset-without-answer", "close-without-answer"]

    private func row(_ behaviour: String, size: Int = 300, path: String? = nil) -> Row {
        var row = Row(behaviour, behaviour, .lost, size: size)
        row.steps[0].times = 1
        row.path = path
        return row
    }

    @Test(arguments: silences, [false, true])
    func `F16 a submission that was taken in is not repeated behind the worker's back`(behaviour: String, isSecure: Bool) throws
    {
        let server = try HostileServer()
        for path in [nil, "/naive/verifier"] {
            let cell = Cell(
                row: row(behaviour, path: path), isReused: true, isSecure: isSecure, number: path == nil ? 1 : 3)
            let site = CellSite(cell, server)
            if path != nil { site.asksForStatus() }
            let played = cell.play(on: site, server)
            #expect(played.failure == nil && played.steps == [.lost.waiting(played)], "\(played.steps) \(played.attempts)")
            #expect(played.seen.first.map { $0.request > 1 } == true, "the connection was not reused")
            #expect(played.outcomes.count == 1)
            let posts = played.seen.count { $0.method == "POST" }
            // without a status address the worker sends the same again; with one it asks, and nothing is sent twice
            #expect(posts == (path == nil ? 2 : 1), "\(played.seen)")
        }
        let verdict = try server.verdict(deliveries: 4)
        #expect(verdict.problems.isEmpty && verdict.effects == 4, "\(verdict)")
    }

    @Test func `a connection that ended while it was kept costs nothing`() throws {
        let server = try HostileServer()
        var row = row("honest")
        row.before = .init(behaviour: "then-silent-close")
        let played = Cell(row: row, isReused: true, isSecure: false, number: 1).play(server)
        #expect(played.steps == [.yes] && played.seen.map(\.method) == ["POST"])
    }

    @Test func `a server that never looks at keys gets one submission when its status address is asked`() throws {
        let server = try HostileServer()
        var number = 1
        for behaviour in ["reset-without-answer", "close-mid-answer", "reset-after-headers", "garbage", "chunked-cut"] {
            for isReused in [false, true] {
                let cell = Cell(
                    row: row(behaviour, path: "/naive/verifier"), isReused: isReused, isSecure: false, number: number)
                let site = CellSite(cell, server)
                site.asksForStatus()
                let played = cell.play(on: site, server)
                #expect(played.outcomes.count == 1 && played.seen.count { $0.method == "POST" } == 1, "\(cell.name)")
                number += 2
            }
        }
        let verdict = try server.verdict(deliveries: nil)
        #expect(verdict.problems.isEmpty && verdict.effects == 15, "\(verdict)")
    }
}

extension Expected {
    /// With the wait that was drawn.
    fileprivate func waiting(_ played: Cell.Played) -> Expected {
        var copy = self
        if case .waits? = played.steps.first?.next, let next = played.steps.first?.next { copy.next = next }
        return copy
    }
}
