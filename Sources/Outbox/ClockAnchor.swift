package import EventStorage
package import SQLite
import SchemaFiles
package import SessionDomain

/// Two clocks read at one moment: what tells a jump of the wall clock from time that passed.
package struct ClockAnchor: Sendable, Equatable {
    package var bootID: UUID128
    package var boottimeMilliseconds: Int64
    package var wallMilliseconds: Int64
    /// The sum of all jumps that are on record.
    package var jumpsMilliseconds: Int64

    package init(bootID: UUID128, boottimeMilliseconds: Int64, wallMilliseconds: Int64, jumpsMilliseconds: Int64) {
        self.bootID = bootID
        self.boottimeMilliseconds = boottimeMilliseconds
        self.wallMilliseconds = wallMilliseconds
        self.jumpsMilliseconds = jumpsMilliseconds
    }

    /// Less is a correction of the kind that every clock gets.
    package static let smallestJumpMilliseconds: Int64 = 60_000

    /// What the wall clock would say now had it not been set.
    package func expectedWall(bootID: UUID128, boottimeMilliseconds: Int64, wallMilliseconds: Int64) -> Int64 {
        // how long a machine was off nobody knows, but not for less than no time
        guard bootID == self.bootID else { return max(wallMilliseconds, self.wallMilliseconds) }
        return self.wallMilliseconds + boottimeMilliseconds - self.boottimeMilliseconds
    }

    /// How far the wall clock jumped since; 0 for none.
    package func jump(bootID: UUID128, boottimeMilliseconds: Int64, wallMilliseconds: Int64) -> Int64 {
        let difference =
            wallMilliseconds
            - expectedWall(bootID: bootID, boottimeMilliseconds: boottimeMilliseconds, wallMilliseconds: wallMilliseconds)
        return abs(difference) > Self.smallestJumpMilliseconds ? difference : 0
    }
}

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

extension ClockAnchor {
    package init?(_ connection: Connection) throws(StorageError) {
        let found = try stored { () throws(SQLiteError) -> ClockAnchor? in
            try Self.read(try Statement(connection, SchemaFiles.findClockAnchor))
        }
        guard let found else { return nil }
        self = found
    }

    package static func read(_ row: Statement) throws(SQLiteError) -> ClockAnchor? {
        defer { row.reset() }
        guard try row.step(), let words = row.words(0) else { return nil }
        return ClockAnchor(
            bootID: UUID128(high: words.0, low: words.1), boottimeMilliseconds: row.int64(1), wallMilliseconds: row.int64(2),
            jumpsMilliseconds: row.int64(3))
    }
}
