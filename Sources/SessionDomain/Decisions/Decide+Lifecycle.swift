extension SessionDecider {
    static func decide(_ start: StartSession, _ state: SessionState, now: Int64) throws(Rejection) -> [Decided] {
        do { try start.configuration.validate() } catch { throw .invalidConfiguration(error) }
        let started = SessionStarted(
            configuration: start.frozen, startedAtMilliseconds: now,
            deadlineAtMilliseconds: start.configuration.deadlineMilliseconds.map { now + $0 }, transaction: start.transaction)
        return [Decided(.sessionStarted(started), secret: start.secret)]
    }

    static func suspend(_ state: SessionState, now: Int64) throws(Rejection) -> [Decided] {
        try requireOpen(state)
        guard state.status == .active else { return [] }
        let suspended = SessionSuspended(suspendedAtMilliseconds: now)
        return endOfRecording(state, cause: .suspended) + [Decided(.sessionSuspended(suspended), secret: nil)]
    }

    /// Ends a pause, or takes back an exit before the deadline.
    static func resume(_ state: SessionState, now: Int64) throws(Rejection) -> [Decided] {
        switch state.status {
        case .active: return []
        case .suspended, .exited: break
        case .none, .completed, .expired, .cancelled: throw .sessionClosed(state.status)
        }
        if state.status == .exited, let deadline = state.deadlineAtMilliseconds, now >= deadline { throw .deadlinePassed }
        let resumed = Decided(.sessionResumed(SessionResumed(resumedAtMilliseconds: now)), secret: nil)
        return completing([resumed], state, now: now)
    }

    static func exit(_ secret: Secret?, _ state: SessionState, now: Int64) throws(Rejection) -> [Decided] {
        if state.status == .exited { return [] }
        try requireOpen(state)
        let exited = SessionExited(exitClass: exitClass(state), durationMilliseconds: duration(state, now: now))
        return endOfRecording(state, cause: .sessionEnded) + [Decided(.sessionExited(exited), secret: secret)]
    }

    static func cancel(_ secret: Secret?, _ state: SessionState, now: Int64) throws(Rejection) -> [Decided] {
        if state.status == .cancelled { return [] }
        guard state.status.isOpen || state.status == .exited else { throw .sessionClosed(state.status) }
        let cancelled = SessionCancelled(durationMilliseconds: duration(state, now: now))
        return endOfRecording(state, cause: .sessionEnded) + [Decided(.sessionCancelled(cancelled), secret: secret)]
    }

    /// Only while capturing: a session whose confirmed captures wait for an answer stays.
    static func expire(_ state: SessionState, now: Int64) throws(Rejection) -> [Decided] {
        if state.status == .expired { return [] }
        try requireOpen(state)
        guard let deadline = state.deadlineAtMilliseconds, now >= deadline else { throw .notDue }
        guard !state.hasConfirmedWaiting else { throw .nothingToExpire }
        let expired = SessionExpired(durationMilliseconds: duration(state, now: now))
        return endOfRecording(state, cause: .sessionEnded) + [Decided(.sessionExpired(expired), secret: nil)]
    }

    static func erase(_ state: SessionState, now: Int64) -> [Decided] {
        guard !state.isErased else { return [] }
        return [Decided(.sessionErased(SessionErased(erasedAtMilliseconds: now)), secret: nil)]
    }

    static func decide(_ purge: PurgeMedia, _ state: SessionState) throws(Rejection) -> [Decided] {
        try requireCode(purge.cause, "cause")
        _ = try slot(purge.piece, state)
        let purged = MediaPurged(
            piece: purge.piece, captureID: purge.captureID, cause: purge.cause, bytes: purge.bytes, commitment: purge.commitment
        )
        return [Decided(.mediaPurged(purged), secret: nil)]
    }

    private static func exitClass(_ state: SessionState) -> ExitClass {
        guard let current = state.currentPiece else {
            return state.order.contains { state.pieces[$0].status == .captured } ? .whileCapturing : .whileWaiting
        }
        let slot = state.pieces[current]
        if slot.status == .rejected { return .afterRejection }
        if slot.failure != nil { return .afterRefusal }
        return state.order.contains { state.pieces[$0].attempts > 0 } ? .whileCapturing : .beforeAnyCapture
    }
}
