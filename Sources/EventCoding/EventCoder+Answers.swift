import SessionDomain

extension EventCoder {
    static func encode(_ event: PieceVerified) -> EncodedEvent {
        var facts = FactsWriter()
        facts.add("attempts", event.attempts)
        facts.add("delivery", event.deliveryID.uuid)
        facts.add("destination", event.destination)
        facts.add("evidence", event.evidence)
        facts.flag("late", event.late)
        facts.add("score", event.score)
        return EncodedEvent(
            .pieceVerified, piece: event.piece, captureID: event.captureID, outcome: .verified,
            durationMilliseconds: event.durationMilliseconds, facts: facts.finish())
    }

    static func pieceVerified(_ reader: FactsReader) throws(CodingFailure) -> PieceVerified {
        PieceVerified(
            piece: try reader.piece(), captureID: try reader.captureID(), deliveryID: try reader.delivery(),
            destination: try reader.string("destination"), evidence: try reader.optionalDigest("evidence"),
            attempts: try reader.int("attempts"), score: try reader.optional("score") { $0.asDouble },
            durationMilliseconds: reader.stored.durationMilliseconds, late: try reader.flag("late"))
    }

    static func encode(_ event: PieceRejected) -> EncodedEvent {
        var facts = FactsWriter()
        facts.add("attempts", event.attempts)
        facts.add("delivery", event.deliveryID.uuid)
        facts.add("destination", event.destination)
        facts.add("evidence", event.evidence)
        facts.flag("late", event.late)
        facts.add("score", event.score)
        return EncodedEvent(
            .pieceRejected, piece: event.piece, captureID: event.captureID, outcome: .rejected,
            reason: event.failure.rawValue, durationMilliseconds: event.durationMilliseconds, facts: facts.finish())
    }

    static func pieceRejected(_ reader: FactsReader) throws(CodingFailure) -> PieceRejected {
        PieceRejected(
            piece: try reader.piece(), captureID: try reader.captureID(), deliveryID: try reader.delivery(),
            destination: try reader.string("destination"), evidence: try reader.optionalDigest("evidence"),
            attempts: try reader.int("attempts"), score: try reader.optional("score") { $0.asDouble },
            failure: CaptureFailure(rawValue: try reader.reason()), durationMilliseconds: reader.stored.durationMilliseconds,
            late: try reader.flag("late"))
    }

    static func encode(_ event: PieceDeliveryParked) -> EncodedEvent {
        var facts = FactsWriter()
        facts.add("attempts", event.attempts)
        facts.add("delivery", event.deliveryID.uuid)
        facts.add("destination", event.destination)
        facts.add("evidence", event.evidence)
        facts.flag("late", event.late)
        facts.flag("needs_recapture", event.needsRecapture)
        return EncodedEvent(
            .pieceDeliveryParked, piece: event.piece, captureID: event.captureID, outcome: .parked, reason: event.cause,
            facts: facts.finish())
    }

    static func pieceDeliveryParked(_ reader: FactsReader) throws(CodingFailure) -> PieceDeliveryParked {
        PieceDeliveryParked(
            piece: try reader.piece(), captureID: try reader.captureID(), deliveryID: try reader.delivery(),
            destination: try reader.string("destination"), cause: try reader.reason(),
            evidence: try reader.optionalDigest("evidence"), attempts: try reader.int("attempts"),
            needsRecapture: try reader.flag("needs_recapture"), late: try reader.flag("late"))
    }

    static func encode(_ event: PieceDeliveryRequeued) -> EncodedEvent {
        var facts = FactsWriter()
        facts.add("delivery", event.deliveryID.uuid)
        facts.add("destination", event.destination)
        return EncodedEvent(.pieceDeliveryRequeued, piece: event.piece, captureID: event.captureID, facts: facts.finish())
    }

    static func pieceDeliveryRequeued(_ reader: FactsReader) throws(CodingFailure) -> PieceDeliveryRequeued {
        PieceDeliveryRequeued(
            piece: try reader.piece(), captureID: try reader.captureID(), deliveryID: try reader.delivery(),
            destination: try reader.string("destination"))
    }
}
