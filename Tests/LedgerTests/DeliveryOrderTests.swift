import SQLite
import TestSupport
import Testing

@testable import CaptureLedger

/// Deliveries come session by session and leave in the order of their numbers.
@Suite struct DeliveryOrderTests {
    /// Pages of sessions that began one after the other: where each page begins, and the numbers of its deliveries.
    private func pages(_ random: inout SeededRandom) -> [(first: Int64, numbers: [Int64])] {
        var (first, used): (Int64, Set<Int64>) = (1, [])
        return (0..<30).map { _ in
            defer { first += Int64.random(in: 1...40, using: &random) }
            let numbers = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                first + Int64.random(in: 1...(random.one(in: 8) ? 900 : 60), using: &random)
            }
            return (first, numbers.filter { used.insert($0).inserted })
        }
    }

    private func rows(_ numbers: [Int64]) -> DeliveryOrder.Rows {
        let rows = DeliveryOrder.Rows()
        for number in numbers { rows.add(number) { $0.append(number) } }
        return rows
    }

    private func numbers(_ rows: PackedRows) throws -> [Int64] {
        let connection = try Connection(path: ":memory:", mode: .create)
        try connection.execute("CREATE TABLE row (number INTEGER)")
        try Statement(connection, "INSERT INTO row VALUES (?1)").run(rows)
        return try answers(connection, "SELECT number FROM row ORDER BY rowid").compactMap { Int64($0) }
    }

    @Test func `all rows leave, each behind those before it`() throws {
        let seed = SeededRandom.seed(for: "delivery order")
        var random = SeededRandom(seed: seed)
        for _ in 0..<20 {
            let (pages, order) = (pages(&random), DeliveryOrder(most: .max))
            var left: [Int64] = []
            for page in pages {
                let ready = try #require(order.add(rows(page.numbers), first: page.first))
                let numbers = try numbers(ready)
                #expect(numbers.allSatisfy { $0 < page.first })
                left += numbers
            }
            left += try numbers(order.waiting.packed)
            #expect(left == pages.flatMap(\.numbers).sorted())
        }
    }

    @Test func `a row that is late, or one too many, loses the order and nothing else`() throws {
        let order = DeliveryOrder(most: 3)
        _ = try #require(order.add(rows([5, 9]), first: 1))
        #expect(try numbers(try #require(order.add(rows([12]), first: 7))) == [5])
        #expect(order.add(rows([4]), first: 20) == nil)
        #expect(order.add(rows([13, 14]), first: 8) == nil)
        #expect(try numbers(order.waiting.packed) == [9, 12])
        #expect(try numbers(try #require(order.add(rows([30, 31]), first: 12))) == [9])
        #expect(try numbers(order.waiting.packed) == [12, 30, 31])
    }
}
