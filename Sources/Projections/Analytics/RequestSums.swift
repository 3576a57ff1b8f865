import SQLite

/// Requests of the delivery log, counted until they are written.
package struct RequestSums {
    private struct Request: Hashable {
        let day: Int64
        let words: SIMD4<Int32>
        let status: Int64
        let curlCode: Int64
        let bucket: Int64
    }

    private var counts: [Request: Int64] = [:]
    private var words: [String] = []
    private var numbers: [String: Int32] = [:]
    /// The word that a column had last.
    private var latest = SIMD4<Int32>(repeating: -1)

    package init() {}

    /// Counts the current row of `attempts_after`.
    mutating func add(_ row: Statement) {
        let (started, finished) = (row.int64(5), row.int64(6))
        // destination, kind, certainty, explanation
        latest[0] = word(row, 3, latest[0])
        latest[1] = word(row, 4, latest[1])
        latest[2] = word(row, 7, latest[2])
        latest[3] = word(row, 12, latest[3])
        let request = Request(
            day: Day.number(started), words: latest, status: row.int64(9), curlCode: row.int64(8),
            bucket: TimeBucket(finished - started).atLeastMilliseconds)
        counts[request, default: 0] += 1
    }

    /// Takes in what was counted apart.
    mutating func add(_ other: RequestSums) {
        let known = other.words.map { number($0) }
        for (request, count) in other.counts {
            var words = request.words
            for place in 0..<words.scalarCount { words[place] = known[Int(words[place])] }
            let mine = Request(
                day: request.day, words: words, status: request.status, curlCode: request.curlCode, bucket: request.bucket)
            counts[mine, default: 0] += count
        }
    }

    /// - Parameter guess: most rows have the word of the row before.
    private mutating func word(_ row: Statement, _ column: Int32, _ guess: Int32) -> Int32 {
        if guess >= 0, row.isText(column, words[Int(guess)]) { return guess }
        return number(row.text(column))
    }

    private mutating func number(_ text: String) -> Int32 {
        if let known = numbers[text] { return known }
        let number = Int32(words.count)
        words.append(text)
        numbers[text] = number
        return number
    }

    mutating func removeAll() { self = RequestSums() }

    func write(_ add: Statement) throws(SQLiteError) {
        for (request, count) in counts {
            let bucket = TimeBucket(request.bucket)
            add.bind(Day.text(request.day), at: 1)
            for place: Int32 in 0..<3 { add.bind(words[Int(request.words[Int(place)])], at: 2 + place) }
            add.bind(request.status, at: 5)
            add.bind(request.curlCode, at: 6)
            add.bind(words[Int(request.words[3])], at: 7)
            add.bind(bucket.atLeastMilliseconds, at: 8)
            add.bind(bucket.belowMilliseconds, at: 9)
            add.bind(count, at: 10)
            try add.run()
        }
    }
}
