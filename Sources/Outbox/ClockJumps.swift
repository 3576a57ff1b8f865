package import EventStorage
package import SQLite
import SchemaFiles

/// The jumps on record, with the positions of their events.
package struct ClockJumps: Sendable, Equatable {
    private var jumps: [(position: Int64, milliseconds: Int64)] = []

    package init() {}

    package init(_ connection: Connection) throws(StorageError) {
        try stored { () throws(SQLiteError) in
            let row = try Statement(connection, SchemaFiles.listClockJumps)
            while try row.step() { jumps.append((row.int64(0), row.int64(1))) }
        }
    }

    /// Those on record up to `position`.
    package func through(_ position: Int64) -> ClockJumps {
        var earlier = ClockJumps()
        earlier.jumps = jumps.filter { $0.position <= position }
        return earlier
    }

    package mutating func append(_ milliseconds: Int64, at position: Int64) { jumps.append((position, milliseconds)) }

    /// By how much a time that was fixed at `position` lies elsewhere on today's clock.
    package func total(after position: Int64) -> Int64 {
        var total: Int64 = 0
        for jump in jumps.reversed() {
            if jump.position <= position { break }
            total += jump.milliseconds
        }
        return total
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.jumps.elementsEqual(right.jumps) { $0.position == $1.position && $0.milliseconds == $1.milliseconds }
    }
}
