package import CaptureLedger
import EventStorage
package import SessionDomain
import SystemCalls

/// What reading a whole ledger in order took.
package struct ReadFigures: Sendable {
    package var events = 0
    package var rounds = 0
    /// Every column of every row is looked at where it lies. Median of the rounds.
    package var eventsPerSecond = 0.0
    /// What the first way used of the processor.
    package var processorMicrosecondsPerEvent = 0.0
    /// The same with a value, strings and all, made of every event. Median of the rounds.
    package var valuesPerSecond = 0.0
    /// The most memory that was ever resident meanwhile.
    package var peakKibibytes = 0

    package var json: JSONValue {
        .members([
            .init("events", .integer(Int64(events))), .init("rounds", .integer(Int64(rounds))),
            .init("events_per_second", .rounded(eventsPerSecond, to: 1)),
            .init("cpu_us_per_event", .rounded(processorMicrosecondsPerEvent, to: 10_000)),
            .init("values_per_second", .rounded(valuesPerSecond, to: 1)),
            .init("peak_memory_kib", .integer(Int64(peakKibibytes))),
        ])
    }
}

extension Bench {
    /// Reads a ledger from its first event to its last, in the ways in which the product does.
    ///
    /// - Parameters:
    ///   - path: the ledger; nil: one that is made in `folder` with so many `events`.
    package static func read(
        at path: String?, events: Int, rounds: Int, folder: String
    ) async throws(LedgerError) -> ReadFigures {
        try await withHistory(at: path, events: events, folder: folder) { (ledger) throws(LedgerError) in
            var (rows, values): ([Double], [Double]) = ([], [])
            var figures = ReadFigures()
            MemoryPeak.forget()
            let used = SystemClock.processorNanoseconds()
            for _ in 0..<max(1, rounds) {
                let began = SystemClock.monotonicNanoseconds()
                figures.events = try scan(ledger)
                rows.append(Double(figures.events) / seconds(since: began))
            }
            figures.processorMicrosecondsPerEvent =
                Double(SystemClock.processorNanoseconds() - used) / 1000 / Double(max(1, figures.events * rows.count))
            figures.peakKibibytes = MemoryPeak.kibibytes()
            for _ in 0..<max(1, rounds) {
                let began = SystemClock.monotonicNanoseconds()
                values.append(Double(try readValues(ledger)) / seconds(since: began))
            }
            (figures.rounds, figures.eventsPerSecond, figures.valuesPerSecond) = (rows.count, median(rows), median(values))
            return figures
        }
    }

    /// Looks at every column of every row.
    ///
    /// - Returns: how many rows.
    static func scan(_ ledger: Ledger) throws(LedgerError) -> Int {
        var (count, sum): (Int, Int64) = (0, 0)
        _ = try ledger.read { (context) throws(LedgerError) in
            try stored { () throws(StorageError) in
                try context.events.forEachRow(after: 0) { (row) throws(StorageError) in
                    count += 1
                    sum &+= look(row)
                }
            }
        }
        sink(sum)
        return count
    }

    private static func look(_ row: borrowing EventRow) -> Int64 {
        var sum = row.position &+ row.sessionNumber &+ row.version &+ row.recordedAtMilliseconds
        sum &+= Int64(row.type) &+ Int64(row.schemaVersion) &+ Int64(row.flags.rawValue)
        sum &+= Int64(truncatingIfNeeded: row.eventID?.low ?? 0)
        sum &+= row.occurredAtMilliseconds ?? 0
        sum &+= row.causationPosition ?? 0
        sum &+= Int64(row.piece ?? 0) &+ Int64(row.source ?? 0) &+ Int64(row.outcome ?? 0)
        sum &+= Int64(truncatingIfNeeded: row.captureID?.low ?? 0)
        sum &+= row.durationMilliseconds ?? 0
        sum &+= ends(row, .commandID) &+ ends(row, .correlationID) &+ ends(row, .actor)
        sum &+= ends(row, .reason) &+ ends(row, .facts) &+ ends(row, .sealed)
        return sum
    }

    private static func ends(_ row: borrowing EventRow, _ column: EventRow.Bytes) -> Int64 {
        row.with(column) { bytes in bytes.isEmpty ? 0 : Int64(bytes[0]) &+ Int64(bytes[bytes.count - 1]) }
    }

    static func readValues(_ ledger: Ledger) throws(LedgerError) -> Int {
        var (count, length, position): (Int, Int, Int64) = (0, 0, 0)
        while true {
            let page = try ledger.read { (context) throws(LedgerError) in
                try stored { () throws(StorageError) in try context.events.events(after: position, limit: 1000) }
            }
            guard let last = page.last else { break }
            count += page.count
            for event in page { length &+= event.encoded.facts.utf8.count }
            position = last.position
        }
        sink(Int64(length))
        return count
    }

    static func seconds(since began: Int64) -> Double {
        Double(SystemClock.monotonicNanoseconds() - began) / 1e9
    }

    /// Keeps the compiler from leaving out what led to a value.
    @inline(never) static func sink(_ value: Int64) {
        if value == .min { StandardError.write("") }
    }
}
