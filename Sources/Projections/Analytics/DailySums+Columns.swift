import SessionDomain

extension DailySums.Table {
    /// What stands in a column of a row's key.
    enum Column {
        /// A number in `words`.
        case word
        case integer
        /// The bits of a double.
        case double
    }

    /// Of a row's key, behind day and context.
    var columns: [Column] { Self.keys[rawValue] }

    private static let keys: [[Column]] = allCases.map { table in
        switch table {
        case .funnel: [.word]
        case .outcome: [.word, .word, .word, .word]
        case .attempts: [.word, .integer, .integer]
        case .refusal: [.word, .word, .word]
        case .check: [.word, .word, .word, .word, .double]
        case .stepTime: [.word, .word, .integer]
        case .answer: [.word, .word, .word, .word]
        case .guidance: [.word, .word, .integer]
        }
    }

    var countColumns: Int {
        switch self {
        case .funnel: 8
        case .outcome, .attempts, .stepTime: 1
        case .refusal, .check: 3
        case .answer, .guidance: 2
        }
    }
}

extension DailySums {
    /// The words of codes, and how all words are ordered as SQLite orders them.
    struct Words {
        fileprivate let pieces: [Int64], outcomes: [Int64], exits: [Int64], stops: [Int64], origins: [Int64]
        fileprivate let directions: [Int64], standings: [Int64], steps: [Int64]
        /// By the word's number.
        let ranks: [Int64]

        /// - Parameter sums: gets the words that it does not have.
        init(of sums: inout DailySums) {
            pieces = Self.numbers(Piece.allCases.map { ($0.code, $0.rawValue) }, &sums)
            outcomes = Self.numbers(AnalyticsCode.Outcome.allCases.map { ($0.rawValue, $0.name) }, &sums)
            exits = Self.numbers(ExitClass.allCases.map { ($0.analyticsCode, $0.rawValue) }, &sums)
            stops = Self.numbers(AnalyticsCode.Step.allCases.map { ($0.rawValue, $0.name) }, &sums)
            origins = Self.numbers(AnalyticsCode.Origin.allCases.map { ($0.rawValue, $0.name) }, &sums)
            directions = Self.numbers(Finding.Direction.allCases.map { ($0.analyticsCode, $0.rawValue) }, &sums)
            standings = Self.numbers(Standing.allCases.map { (Int($0.rawValue), $0.name) }, &sums)
            steps = Self.numbers(Step.allCases.map { (Int($0.rawValue), $0.name) }, &sums)
            var ranks = [Int64](repeating: 0, count: sums.words.count)
            let words = sums.words
            let ordered = words.indices.sorted { words[$0].utf8.lexicographicallyPrecedes(words[$1].utf8) }
            for (rank, number) in ordered.enumerated() { ranks[number] = Int64(rank) }
            self.ranks = ranks
        }

        /// By code; '' for one that nobody has.
        private static func numbers(_ names: [(code: Int, name: String)], _ sums: inout DailySums) -> [Int64] {
            var numbers = [Int64](repeating: 0, count: (names.map(\.code).max() ?? 0) + 1)
            for (code, name) in names { numbers[code] = Int64(sums.word(name)) }
            return numbers
        }
    }

    /// What stands in the columns of a row's key, in their order.
    static func fields(_ table: Table, _ key: Key, _ words: Words) -> SIMD8<Int64> {
        func word(_ numbers: [Int64], _ code: Int32) -> Int64 {
            numbers.indices.contains(Int(code)) ? numbers[Int(code)] : 0
        }
        let piece = word(words.pieces, Int32(key.piece))
        let (first, second) = (Int64(key.first), Int64(key.second))
        return switch table {
        case .funnel: [piece, 0, 0, 0, 0, 0, 0, 0]
        case .outcome:
            [
                word(words.outcomes, key.first >> 8), word(words.exits, key.second), piece,
                word(words.stops, key.first & 255), 0, 0, 0, 0,
            ]
        case .attempts: [piece, first, second, 0, 0, 0, 0, 0]
        case .refusal: [piece, word(words.origins, key.first), second, 0, 0, 0, 0, 0]
        case .check: [piece, second >> 3, first, word(words.directions, key.second & 7), key.third, 0, 0, 0]
        case .stepTime: [piece, word(words.steps, key.first), key.third, 0, 0, 0, 0, 0]
        case .answer: [piece, first, word(words.standings, key.second), key.third, 0, 0, 0, 0]
        case .guidance: [piece, first, second, 0, 0, 0, 0, 0]
        }
    }
}
