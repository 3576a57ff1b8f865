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

        var name: String {
            switch self {
            case .funnel: "daily_funnel"
            case .outcome: "daily_outcome"
            case .attempts: "daily_attempts"
            case .refusal: "daily_refusal"
            case .check: "daily_check"
            case .stepTime: "daily_step_time"
            case .answer: "daily_answer"
            case .guidance: "daily_guidance"
            }
        }
    }

    /// Of a row in a cell; what its fields mean differs from table to table.
    struct Key: Hashable {
        let table: UInt8
        let piece: UInt8
        var first: Int32 = 0
        var second: Int32 = 0
        /// Bits of a threshold, a bucket's lower bound, or nothing.
        var third: Int64 = 0

        @inline(__always) static func == (left: Key, right: Key) -> Bool {
            // the first difference is nearly always here
            left.third == right.third && left.first == right.first && left.second == right.second
                && left.piece == right.piece && left.table == right.table
        }
    }

    /// Of one row, as many as its table has.
    typealias Counts = SIMD8<Int32>

    private(set) var cells: [Cell: Int] = [:]
    private(set) var sums: [SumTable] = []
    private(set) var words: [String] = [""]
    private var numbers: [String: Int] = ["": 0]
    private var latest: (cell: Cell, index: Int)?
    /// The word that was asked for last.
    private var latestWord: (text: String, number: Int32) = ("", 0)

    package init() {}

    package var isEmpty: Bool { cells.isEmpty }
    /// The latest day with a sum.
    var lastDay: Int64? { cells.keys.lazy.map(\.day).max() }
    /// How many rows it holds: about 100 bytes each.
    package private(set) var rowCount = 0

    /// Forgets what was written.
    package mutating func removeAll() { self = DailySums() }

    mutating func word(_ text: String) -> Int32 {
        if text == latestWord.text { return latestWord.number }
        let number = numbers[text] ?? words.count
        if number == words.count {
            words.append(text)
            numbers[text] = number
        }
        latestWord = (text, Int32(number))
        return Int32(number)
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

    /// Takes the sums of some days out.
    mutating func take(_ days: ClosedRange<Int64>) -> DailySums {
        var (taken, rest) = (DailySums(), DailySums())
        for (cell, index) in cells {
            if days.contains(cell.day) {
                taken.put(sums[index], of: cell)
            } else {
                rest.put(sums[index], of: cell)
            }
        }
        (taken.words, taken.numbers) = (words, numbers)
        (rest.words, rest.numbers) = (words, numbers)
        self = rest
        return taken
    }

    private mutating func put(_ table: SumTable, of cell: Cell) {
        cells[cell] = sums.count
        sums.append(table)
        rowCount += table.count
    }

    /// Takes in what was summed apart.
    package mutating func add(_ other: DailySums) {
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
