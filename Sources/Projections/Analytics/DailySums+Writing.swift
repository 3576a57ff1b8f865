import SQLite

/// Rows of the daily tables, packed for their statements or for tables that are filled.
struct DailyRows {
    /// By table.
    let additions = DailySums.Table.allCases.map { _ in PackedRows() }
    /// The keys of rows of which nothing may be left.
    let losses = DailySums.Table.allCases.map { _ in PackedRows() }

    func removeAll() { for rows in additions + losses { rows.removeAll() } }
}

extension DailySums {
    /// Hands over the rows of each day and context, every table's in the order of its key.
    func forEachCell<Failure: Error>(_ body: (DailyRows) throws(Failure) -> Void) throws(Failure) {
        var named = self
        let words = Words(of: &named)
        let ordered = cells.keys.sorted {
            ($0.day, words.ranks[$0.context]) < ($1.day, words.ranks[$1.context])
        }
        let rows = DailyRows()
        for cell in ordered {
            guard let index = cells[cell] else { continue }
            rows.removeAll()
            named.pack(cell, sums[index], words, into: rows)
            try body(rows)
        }
    }

    /// Adds every sum to its row, and takes rows away of which nothing is left.
    func write(_ statements: [Table: SumStatements]) throws(SQLiteError) {
        try forEachCell { (rows) throws(SQLiteError) in
            for table in Table.allCases {
                guard let statement = statements[table] else { continue }
                try statement.add.run(rows.additions[table.rawValue])
                try statement.drop.run(rows.losses[table.rawValue])
            }
        }
    }

    /// A sum's row among others: its table, then its key.
    private struct Place {
        var order: SIMD8<Int64>
        let table: Table
        let fields: SIMD8<Int64>
        let index: Int

        static func < (left: Place, right: Place) -> Bool {
            if left.table != right.table { return left.table.rawValue < right.table.rawValue }
            for lane in 0..<left.order.scalarCount where left.order[lane] != right.order[lane] {
                return left.order[lane] < right.order[lane]
            }
            return false
        }
    }

    private func pack(_ cell: Cell, _ sums: SumTable, _ words: Words, into rows: DailyRows) {
        var places: [Place] = []
        places.reserveCapacity(sums.count)
        for (index, key) in sums.keys.enumerated() where sums.counts[index] != Counts() {
            guard let table = Table(rawValue: Int(key.table)) else { continue }
            let fields = Self.fields(table, key, words)
            places.append(
                Place(order: Self.order(fields, table.columns, words), table: table, fields: fields, index: index))
        }
        places.sort { $0 < $1 }
        let (day, context) = (Day.text(cell.day), self.words[cell.context])
        for place in places {
            let counts = sums.counts[place.index]
            pack(day, context, place, into: rows.additions[place.table.rawValue])
            add(counts, sums.keys[place.index], place.table, into: rows.additions[place.table.rawValue])
            if counts.min() < 0 { pack(day, context, place, into: rows.losses[place.table.rawValue]) }
        }
    }

    private static func order(_ fields: SIMD8<Int64>, _ columns: [Table.Column], _ words: Words) -> SIMD8<Int64> {
        var order = fields
        for (lane, column) in columns.enumerated() {
            switch column {
            case .word: order[lane] = words.ranks[Int(fields[lane])]
            case .integer: break
            // the bits of doubles below zero run the other way
            case .double: if fields[lane] < 0 { order[lane] = fields[lane] ^ .max }
            }
        }
        return order
    }

    private func pack(_ day: String, _ context: String, _ place: Place, into rows: PackedRows) {
        rows.append(day)
        rows.append(context)
        for (lane, column) in place.table.columns.enumerated() {
            let value = place.fields[lane]
            switch column {
            case .word: rows.append(words[Int(value)])
            case .integer: rows.append(value)
            case .double: rows.append(Double(bitPattern: UInt64(bitPattern: value)))
            }
        }
    }

    private func add(_ counts: Counts, _ key: Key, _ table: Table, into rows: PackedRows) {
        if table == .stepTime { rows.append(TimeBucket(key.third).belowMilliseconds) }
        for lane in 0..<table.countColumns { rows.append(Int64(counts[lane])) }
    }
}
