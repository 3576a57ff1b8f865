import SessionDomain

extension EventCoder {
    static func timed(_ type: EventType, _ milliseconds: Int64) -> EncodedEvent {
        var facts = FactsWriter()
        facts.add("at_ms", milliseconds)
        return EncodedEvent(type, facts: facts.finish())
    }

    static func lasting(_ type: EventType, _ milliseconds: Int64) -> EncodedEvent {
        EncodedEvent(type, durationMilliseconds: milliseconds)
    }

    static func encode(_ event: SessionStarted, internConfiguration: (String) -> String) -> EncodedEvent {
        var facts = FactsWriter()
        facts.add("configuration", internConfiguration(event.configuration.canonicalJSON))
        facts.add("deadline_at_ms", event.deadlineAtMilliseconds)
        facts.add("started_at_ms", event.startedAtMilliseconds)
        facts.add("transaction", event.transaction)
        return EncodedEvent(.sessionStarted, facts: facts.finish())
    }

    static func started(
        _ reader: FactsReader, frozen: (String) -> FrozenConfiguration?
    ) throws(CodingFailure) -> SessionStarted {
        guard let configuration = frozen(try reader.string("configuration")) else {
            throw CodingFailure(.configurationMissing, type: reader.type.name, field: "configuration")
        }
        return SessionStarted(
            configuration: configuration, startedAtMilliseconds: try reader.integer("started_at_ms"),
            deadlineAtMilliseconds: try reader.optionalInteger("deadline_at_ms"),
            transaction: try reader.optionalDigest("transaction"))
    }

    static func encode(_ event: SessionExited) -> EncodedEvent {
        EncodedEvent(
            .sessionExited, outcome: OutcomeCode(event.exitClass), durationMilliseconds: event.durationMilliseconds)
    }

    static func sessionExited(_ reader: FactsReader) throws(CodingFailure) -> SessionExited {
        guard let code = reader.stored.outcome else { throw reader.missing("outcome") }
        guard let exitClass = OutcomeCode(rawValue: code)?.exitClass else { throw reader.invalid("outcome") }
        return SessionExited(exitClass: exitClass, durationMilliseconds: try reader.duration())
    }

    static func encode(_ event: PendingPiecesDropped) -> EncodedEvent {
        var facts = FactsWriter()
        facts.add("by", event.by.rawValue)
        facts.list("pieces", event.pieces.map { .string($0.rawValue) })
        return EncodedEvent(.pendingPiecesDropped, facts: facts.finish())
    }

    static func pendingPiecesDropped(_ reader: FactsReader) throws(CodingFailure) -> PendingPiecesDropped {
        PendingPiecesDropped(
            pieces: try reader.required("pieces") { PartsCoding.list($0) { $0.asString.flatMap { Piece(rawValue: $0) } } },
            by: try reader.name("by", as: DropOrigin.self))
    }

    static func encode(_ event: InteractionRecorded) -> EncodedEvent {
        var facts = FactsWriter()
        facts.add("remind_at_ms", event.remindAtMilliseconds)
        return EncodedEvent(
            .interactionRecorded, piece: event.piece, reason: event.interaction.rawValue, facts: facts.finish())
    }

    static func interactionRecorded(_ reader: FactsReader) throws(CodingFailure) -> InteractionRecorded {
        InteractionRecorded(
            interaction: try reader.reason(as: Interaction.self),
            piece: reader.stored.piece == nil ? nil : try reader.piece(),
            remindAtMilliseconds: try reader.optionalInteger("remind_at_ms"))
    }
}
