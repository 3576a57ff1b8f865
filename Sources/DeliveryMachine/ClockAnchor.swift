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

    /// A clock that stands this long is read anew, so that small corrections do not add up to a jump.
    private static let ageMilliseconds: Int64 = 3_600_000

    /// What is to be on record from now on, with the jump that is new in it, or 0; nil when `known` will still do.
    package static func next(
        after known: ClockAnchor?, bootID: UUID128, boottimeMilliseconds: Int64, wallMilliseconds: Int64
    ) -> (anchor: ClockAnchor, jump: Int64)? {
        var anchor = ClockAnchor(
            bootID: bootID, boottimeMilliseconds: boottimeMilliseconds, wallMilliseconds: wallMilliseconds,
            jumpsMilliseconds: known?.jumpsMilliseconds ?? 0)
        guard let known else { return (anchor, 0) }
        let jump = known.jump(
            bootID: bootID, boottimeMilliseconds: boottimeMilliseconds, wallMilliseconds: wallMilliseconds)
        let isFresh = known.bootID == bootID && boottimeMilliseconds - known.boottimeMilliseconds < ageMilliseconds
        if jump == 0, isFresh { return nil }
        anchor.jumpsMilliseconds += jump
        return (anchor, jump)
    }
}
