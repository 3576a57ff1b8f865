import DeliveryMachine
import EventStorage
import Outbox
import SessionDomain

extension WriteContext {
    /// Records a jump of the wall clock and moves along with it what is compared with it: what was due in an hour still is.
    func noteClock() throws(LedgerError) {
        guard let boot = clock.boot() else { return }
        let known = try translated { () throws(StorageError) in try outbox.clockAnchor() }
        let next = ClockAnchor.next(
            after: known, bootID: boot.id, boottimeMilliseconds: boot.elapsedMilliseconds, wallMilliseconds: wallMilliseconds)
        guard let next else { return }
        if next.jump != 0 {
            let adjusted = ClockAdjusted(
                fromMilliseconds: wallMilliseconds - next.jump, toMilliseconds: wallMilliseconds)
            jumps.append(next.jump, at: try append(.clockAdjusted(adjusted)))
            try translated { () throws(StorageError) in try outbox.moveTimes(by: next.jump) }
            knowsErasures = false
        }
        try translated { () throws(StorageError) in try outbox.write(next.anchor) }
    }

    /// The session's state with its deadline where the clock, having jumped, says that it is; compared with the store's time.
    func comparable(_ session: OpenSession) -> SessionState {
        var state = session.fold.state
        let moved = jumps.total(after: session.fold.firstPosition) + nowMilliseconds - wallMilliseconds
        if let deadline = state.deadlineAtMilliseconds { state.deadlineAtMilliseconds = deadline + moved }
        return state
    }
}
