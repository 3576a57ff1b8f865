/// The sums that a number of sessions add to the daily tables, or take from them, until they are written.
package struct DailySums {
    /// One day and context.
    struct Cell: Hashable {
        let day: Int64
        /// In `words`.
        let context: Int
    }

    enum Table: Int, CaseIterable {
        case funnel, outcome, attempts, refusal, check, stepTime, answer, guidance
    }

    /// Of a row in a cell; what its fields mean differs from table to table.
    struct Key: Hashable {
        let table: UInt8
        let piece: UInt8
        var first: Int32 = 0
        var second: Int32 = 0
        /// Bits of a threshold, a bucket's lower bound, or nothing.
        var third: Int64 = 0
    }

    /// Of one row, as many as its table has.
    typealias Counts = SIMD8<Int32>

    private(set) var cells: [Cell: Int] = [:]
    private(set) var sums: [SumTable] = []
    private(set) var words: [String] = [""]
    private var numbers: [String: Int] = ["": 0]
    private var latest: (cell: Cell, index: Int)?

    package init() {}

    package var isEmpty: Bool { cells.isEmpty }
    /// How many rows it holds: about 100 bytes each.
    package private(set) var rowCount = 0

    /// Forgets what was written.
    package mutating func removeAll() { self = DailySums() }

    mutating func word(_ text: String) -> Int32 {
        if let known = numbers[text] { return Int32(known) }
        words.append(text)
        numbers[text] = words.count - 1
        return Int32(words.count - 1)
    }

    mutating func index(day: Int64, context: String) -> Int {
        let cell = Cell(day: day, context: Int(word(context)))
        if let latest, latest.cell == cell { return latest.index }
        let index = cells[cell] ?? sums.count
        if index == sums.count {
            cells[cell] = index
            sums.append(SumTable())
        }
        latest = (cell, index)
        return index
    }

    mutating func add(_ counts: Counts, to key: Key, in cell: Int) {
        let before = sums[cell].count
        sums[cell].add(counts, to: key)
        rowCount += sums[cell].count - before
    }

    /// Takes in what was summed apart.
    mutating func add(_ other: DailySums) {
        let known = other.words.map { word($0) }
        for (cell, index) in other.cells {
            let mine = self.index(day: cell.day, context: other.words[cell.context])
            for (key, counts) in zip(other.sums[index].keys, other.sums[index].counts) {
                add(counts, to: Self.moved(key, known), in: mine)
            }
        }
    }

    /// A key with its words' numbers in `words` of another one.
    private static func moved(_ key: Key, _ words: [Int32]) -> Key {
        var key = key
        switch Table(rawValue: Int(key.table)) {
        case .refusal: key.second = words[Int(key.second)]
        case .check:
            key.first = words[Int(key.first)]
            key.second = words[Int(key.second >> 3)] << 3 | key.second & 7
        case .answer:
            key.first = words[Int(key.first)]
            key.third = Int64(words[Int(key.third)])
        case .guidance: key.first = words[Int(key.first)]
        case .funnel, .outcome, .attempts, .stepTime, nil: break
        }
        return key
    }
}
