import SQLite
import SessionDomain

extension DailySums {
    /// A value in a row's key or among its sums.
    private enum Value {
        case text(String)
        case integer(Int64)
        case double(Double)

        func bind(_ statement: Statement, at index: Int32) {
            switch self {
            case .text(let text): statement.bind(text, at: index)
            case .integer(let value): statement.bind(value, at: index)
            case .double(let value): statement.bind(value, at: index)
            }
        }
    }

    /// Adds every sum to its row, and takes rows away of which nothing is left.
    func write(_ statements: [Table: SumStatements]) throws(SQLiteError) {
        let ordered = cells.sorted {
            ($0.key.day, words[$0.key.context]) < ($1.key.day, words[$1.key.context])
        }
        for (cell, index) in ordered {
            let (day, context) = (Value.text(Day.text(cell.day)), Value.text(words[cell.context]))
            for (key, counts) in zip(sums[index].keys, sums[index].counts) where counts != Counts() {
                guard let table = Table(rawValue: Int(key.table)), let statement = statements[table] else { continue }
                let columns = [day, context, .text(Piece(code: Int(key.piece))?.rawValue ?? "")] + fields(table, key)
                let ordered = table == .outcome ? outcome(columns) : columns
                for (place, value) in ordered.enumerated() { value.bind(statement.add, at: Int32(place + 1)) }
                var place = Int32(ordered.count + 1)
                if table == .stepTime {
                    statement.add.bind(TimeBucket(key.third).belowMilliseconds, at: place)
                    place += 1
                }
                for number in 0..<table.countColumns {
                    statement.add.bind(Int64(counts[number]), at: place + Int32(number))
                }
                try statement.add.run()
                guard counts.min() < 0 else { continue }
                for (place, value) in ordered.enumerated() { value.bind(statement.drop, at: Int32(place + 1)) }
                try statement.drop.run()
            }
        }
    }

    /// What stands in a row's key after day, context and piece.
    private func fields(_ table: Table, _ key: Key) -> [Value] {
        switch table {
        case .funnel: []
        case .outcome:
            [
                .text(AnalyticsCode.Outcome(rawValue: Int(key.first >> 8))?.name ?? ""),
                .text(ExitClass.allCases.first { $0.analyticsCode == Int(key.second) }?.rawValue ?? ""),
                .text(AnalyticsCode.Step(rawValue: Int(key.first & 255))?.name ?? ""),
            ]
        case .attempts: [.integer(Int64(key.first)), .integer(Int64(key.second))]
        case .refusal:
            [.text(AnalyticsCode.Origin(rawValue: Int(key.first))?.name ?? ""), .text(words[Int(key.second)])]
        case .check:
            [
                .text(words[Int(key.second >> 3)]), .text(words[Int(key.first)]),
                .text(Finding.Direction.allCases.first { $0.analyticsCode == Int(key.second & 7) }?.rawValue ?? ""),
                .double(Double(bitPattern: UInt64(bitPattern: key.third))),
            ]
        case .stepTime: [.text(Step(rawValue: key.first)?.name ?? ""), .integer(key.third)]
        case .answer:
            [
                .text(words[Int(key.first)]), .text(Standing(rawValue: key.second)?.name ?? ""), .text(words[Int(key.third)]),
            ]
        case .guidance: [.text(words[Int(key.first)]), .integer(Int64(key.second))]
        }
    }

    /// day, context, outcome, exit class, piece, step
    private func outcome(_ columns: [Value]) -> [Value] {
        [columns[0], columns[1], columns[3], columns[4], columns[2], columns[5]]
    }
}

extension DailySums.Table {
    fileprivate var countColumns: Int {
        switch self {
        case .funnel: 8
        case .outcome, .attempts, .stepTime: 1
        case .refusal, .check: 3
        case .answer, .guidance: 2
        }
    }
}
