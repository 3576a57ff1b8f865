extension SessionDecider {
    /// A verifier's answer. One for a capture or a session that has moved on is recorded as late and changes nothing.
    static func decide(_ answer: ApplyAnswer, _ state: SessionState, now: Int64) throws(Rejection) -> [Decided] {
        let configuration = try configuration(state)
        try requireFinite(answer.score, "score")
        let slot = try slot(answer.piece, state)
        let waited = slot.captureID == answer.captureID ? slot.confirmedAtMilliseconds.map { max(0, now - $0) } : nil
        switch answer.outcome {
        case .failed: return []
        case .verified:
            let passMark = answer.piece == .hologram ? configuration.value.hologramPassMark : nil
            if let passMark {
                guard let score = answer.score else { throw .scoreMissing }
                if score < passMark { return try reject(answer, because: .scoreBelowPassMark, slot, waited, state, now: now) }
            }
            let isLate = isLate(answer.captureID, slot, becoming: .verified, state)
            let verified = PieceVerified(
                piece: answer.piece, captureID: answer.captureID, deliveryID: answer.deliveryID,
                destination: answer.destination, evidence: answer.evidence, attempts: answer.attempts, score: answer.score,
                durationMilliseconds: waited, late: isLate)
            let decided = [Decided(.pieceVerified(verified), secret: answer.secret)]
            if isLate { return decided }
            return completing(dropping(answer, state) + decided, state, now: now)
        case .rejected: return try reject(answer, because: .rejectedByVerifier, slot, waited, state, now: now)
        }
    }

    private static func reject(
        _ answer: ApplyAnswer, because failure: CaptureFailure, _ slot: PieceState, _ waited: Int64?, _ state: SessionState,
        now: Int64
    ) throws(Rejection) -> [Decided] {
        let isLate = isLate(answer.captureID, slot, becoming: .rejected, state)
        let rejected = PieceRejected(
            piece: answer.piece, captureID: answer.captureID, deliveryID: answer.deliveryID, destination: answer.destination,
            evidence: answer.evidence, attempts: answer.attempts, score: answer.score, failure: failure,
            durationMilliseconds: waited, late: isLate)
        let decided = [Decided(.pieceRejected(rejected), secret: answer.secret)]
        return isLate ? decided : dropping(answer, state) + decided
    }

    static func decide(_ parking: ParkDelivery, _ state: SessionState) throws(Rejection) -> [Decided] {
        try requireCode(parking.cause, "cause")
        let slot = try slot(parking.piece, state)
        let needsRecapture = mediaIsGone(parking.cause)
        let parked = PieceDeliveryParked(
            piece: parking.piece, captureID: parking.captureID, deliveryID: parking.deliveryID,
            destination: parking.destination, cause: parking.cause, evidence: parking.evidence, attempts: parking.attempts,
            needsRecapture: needsRecapture,
            late: isLate(parking.captureID, slot, becoming: needsRecapture ? .mediaGone : .parked, state))
        return [Decided(.pieceDeliveryParked(parked), secret: nil)]
    }

    static func decide(_ requeue: RequeueDelivery, _ state: SessionState) throws(Rejection) -> [Decided] {
        guard state.status.isOpen || state.status == .exited else { throw .sessionClosed(state.status) }
        let slot = try slot(requeue.piece, state)
        guard slot.captureID == requeue.captureID else { throw .captureSuperseded(requeue.piece) }
        switch slot.status {
        case .parked: break
        case .awaitingVerification: return []
        // an original that did not open may be back by now: a disk was mounted, a backup restored
        case .mediaGone where slot.parkCause == "media_unreadable": break
        case .mediaGone: throw .mediaGone(requeue.piece)
        case .absent, .pending, .captured, .refusedByChecks, .rejected, .verified, .dropped: throw .notParked(requeue.piece)
        }
        let requeued = PieceDeliveryRequeued(
            piece: requeue.piece, captureID: requeue.captureID, deliveryID: requeue.deliveryID, destination: requeue.destination
        )
        return [Decided(.pieceDeliveryRequeued(requeued), secret: nil)]
    }

    /// Causes of parking after which there is nothing left to send.
    package static func mediaIsGone(_ cause: String) -> Bool {
        cause == "media_destroyed" || cause == "media_expired" || cause == "media_unreadable"
    }

    /// An exit keeps its deliveries, so their answers still count for a later resume.
    private static func isLate(_ captureID: CaptureID, _ slot: PieceState, becoming status: PieceStatus, _ state: SessionState)
        -> Bool
    {
        guard state.status.isOpen || state.status == .exited, slot.captureID == captureID,
            slot.confirmedAtMilliseconds != nil
        else { return true }
        switch slot.status {
        case .awaitingVerification: return false
        case .parked, .mediaGone, .rejected, .verified: return status.finality <= slot.status.finality
        case .absent, .pending, .captured, .refusedByChecks, .dropped: return true
        }
    }

    private static func dropping(_ answer: ApplyAnswer, _ state: SessionState) -> [Decided] {
        guard let dropped = droppable(answer.drop, by: .verifier, state) else { return [] }
        return dropped
    }
}
