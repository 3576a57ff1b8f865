import DeliveryMachine

/// The one source of chance of a world: what is drawn depends on the seed and on what was drawn before, never on the machine.
struct Chance: RandomNumberGenerator {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func next() -> UInt64 { generator.next() }

    /// From 0 up to but not including `count`; 0 for none.
    mutating func below(_ count: Int) -> Int {
        count <= 1 ? 0 : Int(generator.next().multipliedFullWidth(by: UInt64(count)).high)
    }

    mutating func within(_ range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(below(Int(range.upperBound - range.lowerBound) + 1))
    }

    /// True `share` times in a million.
    mutating func happens(_ share: Int) -> Bool { share > 0 && below(1_000_000) < share }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

    /// Short spans often, long ones seldom: every order of magnitude of the range is as likely as another.
    mutating func spread(_ range: ClosedRange<Int64>) -> Int64 {
        var doublings = 0
        while range.lowerBound << Int64(doublings) < range.upperBound { doublings += 1 }
        let low = max(1, range.lowerBound) << Int64(below(max(1, doublings)))
        return min(range.upperBound, within(low...max(low, 2 * low)))
    }

    /// A generator of its own for a part of the world, so that one part's draws do not move another's.
    mutating func fork() -> Chance { Chance(seed: generator.next()) }
}
