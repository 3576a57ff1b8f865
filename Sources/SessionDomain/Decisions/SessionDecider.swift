/// The pure rules of a session: what a command leads to, and what an event means.
package enum SessionDecider {
    /// What happens when `command` meets `state`; empty when it changes nothing.
    ///
    /// - Parameter now: the store's clock in milliseconds.
    /// - Throws: ``Rejection``; nothing may be appended then.
    package static func decide(_ command: SessionCommand, _ state: SessionState, now: Int64) throws(Rejection) -> [Decided] {
        try admit(command, state)
        return switch command {
        case .start(let start): try decide(start, state, now: now)
        case .suspend: try suspend(state, now: now)
        case .resume: try resume(state, now: now)
        case .refuseCapture(let refusal): try decide(refusal, state)
        case .capture(let capture): try decide(capture, state, now: now)
        case .recordChecks(let checks): try decide(checks, state, now: now)
        case .confirm(let piece, let captureID): try confirm(piece, captureID, state, now: now)
        case .retake(let piece, let captureID): try retake(piece, captureID, state)
        case .applyAnswer(let answer): try decide(answer, state, now: now)
        case .parkDelivery(let parking): try decide(parking, state)
        case .requeueDelivery(let requeue): try decide(requeue, state)
        case .drop(let pieces): try drop(pieces, by: .host, state, now: now)
        case .startHologramRecording: try startRecording(state)
        case .cancelHologramRecording(let cause): try cancelRecording(cause, state)
        case .observe(let observations): try observe(observations, state, now: now)
        case .recordInteraction(let interaction): try decide(interaction, state)
        case .bindTransaction(let transaction, let secret): try bind(transaction, secret, state)
        case .exit(let secret): try exit(secret, state, now: now)
        case .cancel(let secret): try cancel(secret, state, now: now)
        case .expire: try expire(state, now: now)
        case .purgeMedia(let purge): try decide(purge, state)
        case .erase: erase(state, now: now)
        }
    }

    /// Refuses a command that was decided on an older state. A repeated command is recognised before this is asked.
    package static func check(expectedVersion: Int64?, _ state: SessionState) throws(Rejection) {
        guard let expectedVersion, expectedVersion != state.version else { return }
        throw .staleVersion(expected: expectedVersion, actual: state.version)
    }

    /// What holds for every command: a session that was started, is known in full and is not erased.
    private static func admit(_ command: SessionCommand, _ state: SessionState) throws(Rejection) {
        switch command {
        case .start: guard state.status == .none else { throw .alreadyStarted }
        case .erase, .purgeMedia: guard state.status != .none else { throw .notStarted }
        default:
            guard state.status != .none else { throw .notStarted }
            guard !state.isErased else { throw .sessionErased }
            guard !state.needsNewerVersion else { throw .needsNewerVersion }
        }
    }

    /// The configuration of a session that was started.
    static func configuration(_ state: SessionState) throws(Rejection) -> FrozenConfiguration {
        guard let configuration = state.configuration else { throw .notStarted }
        return configuration
    }

    static func requireOpen(_ state: SessionState) throws(Rejection) {
        guard state.status.isOpen else { throw .sessionClosed(state.status) }
    }

    static func requireActive(_ state: SessionState) throws(Rejection) {
        try requireOpen(state)
        guard state.status == .active else { throw .sessionSuspended }
    }

    /// The piece's state, when the session asks for it.
    static func slot(_ piece: Piece, _ state: SessionState) throws(Rejection) -> PieceState {
        let slot = state.pieces[piece]
        guard slot.status != .absent else { throw .unknownPiece(piece) }
        return slot
    }

    static func evolved(_ state: SessionState, _ decided: [Decided]) -> SessionState {
        decided.reduce(state) { evolve($0, $1.event) }
    }

    /// `decided`, and the completion if it leaves nothing unverified.
    static func completing(_ decided: [Decided], _ state: SessionState, now: Int64) -> [Decided] {
        let after = evolved(state, decided)
        guard after.status.isOpen, after.isEverythingVerified else { return decided }
        let end = endOfRecording(after, cause: .sessionEnded)
        let completed = SessionCompleted(durationMilliseconds: duration(state, now: now))
        return decided + end + [Decided(.sessionCompleted(completed), secret: nil)]
    }

    /// Since the session's start; never negative, whatever the clock did.
    static func duration(_ state: SessionState, now: Int64) -> Int64 { max(0, now - state.startedAtMilliseconds) }
}
