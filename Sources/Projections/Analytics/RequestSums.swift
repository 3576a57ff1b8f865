import SQLite

/// Requests of the delivery log, counted until they are written.
struct RequestSums {
    struct Request: Hashable {
        let day: Int64
        let destination: String
        let kind: String
        let certainty: String
        let status: Int64
        let curlCode: Int64
        let explanation: String
        let bucket: TimeBucket
    }

    private var counts: [Request: Int64] = [:]

    mutating func add(_ request: Request) { counts[request, default: 0] += 1 }

    mutating func removeAll() { counts.removeAll() }

    func write(_ add: Statement) throws(SQLiteError) {
        for (request, count) in counts {
            add.bind(Day.text(request.day), at: 1)
            add.bind(request.destination, at: 2)
            add.bind(request.kind, at: 3)
            add.bind(request.certainty, at: 4)
            add.bind(request.status, at: 5)
            add.bind(request.curlCode, at: 6)
            add.bind(request.explanation, at: 7)
            add.bind(request.bucket.atLeastMilliseconds, at: 8)
            add.bind(request.bucket.belowMilliseconds, at: 9)
            add.bind(count, at: 10)
            try add.run()
        }
    }
}
