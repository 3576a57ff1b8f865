import SessionDomain

extension EventCoder {
    static func encode(_ event: HologramRecordingStarted) -> EncodedEvent {
        var facts = FactsWriter()
        facts.add("recording", event.recording)
        return EncodedEvent(.hologramRecordingStarted, piece: .hologram, facts: facts.finish())
    }

    static func encode(_ event: HologramRecordingCancelled) -> EncodedEvent {
        var facts = FactsWriter()
        facts.add("recording", event.recording)
        return EncodedEvent(
            .hologramRecordingCancelled, piece: .hologram, reason: event.cause.rawValue, facts: facts.finish())
    }

    static func encode(_ event: GuidanceObserved) -> EncodedEvent {
        var facts = FactsWriter()
        facts.add("at_ms", event.observedAtMilliseconds)
        facts.list("observations", event.observations.map(\.json))
        return EncodedEvent(.guidanceObserved, facts: facts.finish())
    }

    static func guidanceObserved(_ reader: FactsReader) throws(CodingFailure) -> GuidanceObserved {
        GuidanceObserved(
            observations: try reader.required("observations") { PartsCoding.list($0) { Observation(json: $0) } },
            observedAtMilliseconds: try reader.integer("at_ms"))
    }

    static func encode(_ event: HologramTransactionBound) -> EncodedEvent {
        var facts = FactsWriter()
        facts.add("transaction", event.transaction)
        return EncodedEvent(.hologramTransactionBound, piece: .hologram, facts: facts.finish())
    }
}
