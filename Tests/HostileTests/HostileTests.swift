import DeliveryMachine
import SessionDomain
import TestSupport
import Testing

/// Every way in which a server or a network can behave, through the real worker, over libcurl.
@Suite struct HostileTests {
    private func cells(of row: Row) throws -> [(Cell, Cell.Played)] {
        let matrix = try Matrix.shared.get()
        return matrix.cells.filter { $0.row.name == row.name }.map { ($0, matrix.played($0)) }
    }

    private func check(_ row: Row) throws {
        let cells = try cells(of: row)
        #expect(cells.count == Matrix.cells(of: row).count)
        for (cell, played) in cells {
            #expect(played.failure == nil, "\(cell.name): \(played.failure ?? "")")
            let isOutrun = row.outrun.map { fit(played.steps, $0) } ?? false
            let expected = isOutrun ? row.outrun ?? [] : cell.expected
            let codes = played.attempts.map { "\($0.curlCode)/\($0.status)/\($0.bytesSent)" }
            #expect(
                fit(played.steps, expected),
                "\(cell.name): \(played.steps) instead of \(expected), codes \(codes)")
            #expect(played.left == 0, "\(cell.name): \(played.left) left once the server is well again")
            switch expected.last?.next {
            case .parks: #expect(played.outcomes.isEmpty, "\(cell.name): an outcome after it was parked")
            default:
                #expect(played.outcomes.count == 1, "\(cell.name): \(played.outcomes.count) outcomes, \(played.drained as Any)")
            }
            if row.hasOwnAnswer, case .verified? = played.outcomes.first, let outcome = played.outcomes.first {
                #expect(outcome.belongs(to: played.identity), "\(cell.name): another delivery's answer was applied")
            }
            if cell.isReused, cell.row.before == nil {
                #expect(played.seen.contains { $0.request > 1 }, "\(cell.name): the connection was not reused")
            }
        }
    }

    private func fit(_ actual: [Expected], _ expected: [Expected]) -> Bool {
        actual.count == expected.count && zip(actual, expected).allSatisfy(fits)
    }

    private func fits(_ actual: Expected, _ expected: Expected) -> Bool {
        var expected = expected
        // a wait is at least as long as was asked, and jitter comes on top
        if case .waits(let seconds) = actual.next, case .waits(let asked) = expected.next, seconds >= asked {
            expected.next = .waits(seconds)
        }
        return actual == expected
    }

    @Test(arguments: Row.connections) func `F1 F16 connections that break`(row: Row) throws { try check(row) }
    @Test(arguments: Row.messages) func `messages that are none or say two things`(row: Row) throws { try check(row) }
    @Test(arguments: Row.statuses) func `every status, and what comes with it`(row: Row) throws { try check(row) }
    @Test(arguments: Row.answers) func `F15 a good status and something else inside`(row: Row) throws { try check(row) }
    @Test(arguments: Row.leftovers) func `what one answer leaves on a connection is not the next one's`(row: Row) throws {
        try check(row)
    }

    @Test func `every code of libcurl that a server can cause was seen`() throws {
        let matrix = try Matrix.shared.get()
        let codes = Set(matrix.cells.flatMap { matrix.played($0).attempts.map(\.curlCode) })
        #expect(codes.isSuperset(of: [0, 1, 7, 8, 18, 23, 28, 35, 52, 55, 56, 58, 60, 65, 77]), "\(codes.sorted())")
    }

    @Test func `every status of the table was answered, and what is none of them too`() throws {
        let matrix = try Matrix.shared.get()
        let statuses = Set(matrix.cells.flatMap { matrix.played($0).attempts.map(\.status) })
        let named: [Int] = [
            200, 202, 400, 401, 403, 404, 405, 407, 408, 409, 410, 411, 413, 414, 415, 421, 422, 423, 424, 425, 429, 431, 451,
            500, 501, 502, 503, 504, 507, 511, 520, 521, 522, 523, 524, 529, 530, 598, 599,
        ]
        #expect(statuses.isSuperset(of: named) && statuses.isSuperset(of: [100, 101, 103, 0, 999]), "\(statuses.sorted())")
    }

    @Test func `F16 one effect for each submission, one key, one body, by the server's own record`() throws {
        let matrix = try Matrix.shared.get()
        #expect(matrix.verdict.problems.isEmpty, "\(matrix.verdict.problems.joined(separator: "\n"))")
        #expect(matrix.verdict.effects > 300 && matrix.verdict.partial > 30 && matrix.verdict.requests > matrix.verdict.keys)
    }
}
