import EventStorage
import SQLite
import SchemaFiles
import SessionDomain

/// How far one step of a replay came.
package struct ReplayStep: Sendable, Equatable {
    /// Events handed over.
    package internal(set) var count = 0
    /// The next step goes on behind it.
    package internal(set) var position: Int64
    /// Nothing that the filter wants is left by now.
    package internal(set) var isEnd = false
}

extension Ledger {
    /// Looks at up to `limit` events behind `position` and appends those that the filter wants to `output`. A step reads for a short while
    /// only, so that the write-ahead log can be reset under a long replay; memory does not grow with the ledger.
    package func replay(
        _ filter: ReplayFilter, after position: Int64, limit: Int = 2000, as form: ReplayForm, into output: inout [UInt8]
    ) throws(LedgerError) -> ReplayStep {
        var writer = JSONWriter()
        swap(&writer.bytes, &output)
        defer { swap(&writer.bytes, &output) }
        return try scan(filter, after: position, limit: limit) { row in
            switch form {
            case .jsonLines: writer.line(row)
            case .csv: writer.csv(row)
            }
        }
    }

    /// The same as values.
    package func replay(
        _ filter: ReplayFilter, after position: Int64, limit: Int = 1000, each: (EventView) -> Void
    ) throws(LedgerError) -> ReplayStep {
        try scan(filter, after: position, limit: limit) { each(EventView($0)) }
    }

    /// The first position that was recorded then or later; one behind the last when there is none.
    package func firstPosition(atOrAfter milliseconds: Int64) throws(LedgerError) -> Int64 {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.lastPosition(recordedBefore: milliseconds) + 1 }
        }
    }

    func scan(
        _ filter: ReplayFilter, after position: Int64, limit: Int, _ body: (ReplayRow) -> Void
    ) throws(LedgerError) -> ReplayStep {
        try read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in
                var step = ReplayStep(position: position)
                if let since = filter.sinceMilliseconds {
                    step.position = max(position, try context.lastPosition(recordedBefore: since))
                }
                let rows = try stored { () throws(SQLiteError) in try context.rows(filter, after: step.position, limit) }
                var looked = 0
                while try stored({ () throws(SQLiteError) in try rows.step() }) {
                    let row = ReplayRow(rows)
                    if let until = filter.untilMilliseconds, row.recordedAtMilliseconds > until {
                        step.isEnd = true
                        return step
                    }
                    looked += 1
                    step.position = row.position
                    guard filter.includes(row) else { continue }
                    body(row)
                    step.count += 1
                }
                step.isEnd = looked < limit
                return step
            }
        }
    }
}

extension ReadContext {
    fileprivate func rows(_ filter: ReplayFilter, after position: Int64, _ limit: Int) throws(SQLiteError) -> Statement {
        let sql = filter.session == nil ? SchemaFiles.replayEvents : SchemaFiles.replayEventsOfSession
        let statement = try Statement(connection, sql)
        statement.bind(position, at: 1)
        statement.bind(filter.through, at: 2)
        statement.bind(limit, at: 3)
        if let session = filter.session { statement.bind(session.uuid.bytes, at: 4) }
        return statement
    }

    /// Recorded times never decrease from one position to the next: the place is found by halving.
    func lastPosition(recordedBefore time: Int64) throws(StorageError) -> Int64 {
        var (low, high) = (Int64(0), try events.lastPosition())
        return try stored { () throws(SQLiteError) in
            let recorded = try Statement(connection, SchemaFiles.recordedAt)
            while low < high {
                let middle = low + (high - low + 1) / 2
                recorded.bind(middle, at: 1)
                let isBefore = try recorded.step() ? recorded.int64(0) < time : true
                recorded.reset()
                if isBefore { low = middle } else { high = middle - 1 }
            }
            return low
        }
    }
}
