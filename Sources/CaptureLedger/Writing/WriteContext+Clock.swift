import EventStorage
import Outbox
import SessionDomain

extension WriteContext {
    /// A clock that stands this long is read anew, so that small corrections do not add up to a jump.
    private static let anchorAgeMilliseconds: Int64 = 3_600_000

    /// Records a jump of the wall clock and moves along with it what is compared with it: what was due in an hour still is.
    func noteClock() throws(LedgerError) {
        guard let boot = clock.boot() else { return }
        let known = try translated { () throws(StorageError) in try outbox.clockAnchor() }
        var anchor = ClockAnchor(
            bootID: boot.id, boottimeMilliseconds: boot.elapsedMilliseconds, wallMilliseconds: wallMilliseconds,
            jumpsMilliseconds: known?.jumpsMilliseconds ?? 0)
        if let known {
            let jump = known.jump(
                bootID: boot.id, boottimeMilliseconds: boot.elapsedMilliseconds, wallMilliseconds: wallMilliseconds)
            if jump != 0 {
                let adjusted = ClockAdjusted(fromMilliseconds: wallMilliseconds - jump, toMilliseconds: wallMilliseconds)
                jumps.append(jump, at: try append(.clockAdjusted(adjusted)))
                try translated { () throws(StorageError) in try outbox.moveTimes(by: jump) }
                knowsErasures = false
                anchor.jumpsMilliseconds += jump
            } else if known.bootID == boot.id,
                boot.elapsedMilliseconds - known.boottimeMilliseconds < Self.anchorAgeMilliseconds
            {
                return
            }
        }
        try translated { () throws(StorageError) in try outbox.write(anchor) }
    }

    /// The session's state with its deadline where the clock, having jumped, says that it is; compared with the store's time.
    func comparable(_ session: OpenSession) -> SessionState {
        var state = session.fold.state
        let moved = jumps.total(after: session.fold.firstPosition) + nowMilliseconds - wallMilliseconds
        if let deadline = state.deadlineAtMilliseconds { state.deadlineAtMilliseconds = deadline + moved }
        return state
    }
}
