package import SessionDomain

extension EventCoder {
    package static func encode(_ event: LedgerEvent) -> EncodedEvent {
        var facts = FactsWriter()
        switch event {
        case .clockAdjusted(let event):
            facts.add("from_ms", event.fromMilliseconds)
            facts.add("to_ms", event.toMilliseconds)
            return EncodedEvent(.clockAdjusted, facts: facts.finish())
        case .policyRegistered(let event):
            facts.add("digest", event.digest)
            facts.add("policy_version", event.policyVersion)
            return EncodedEvent(.policyRegistered, facts: facts.finish())
        case .destinationPaused(let event):
            facts.add("destination", event.destination)
            return EncodedEvent(.destinationPaused, reason: event.cause, facts: facts.finish())
        case .destinationResumed(let event):
            facts.add("destination", event.destination)
            return EncodedEvent(.destinationResumed, reason: event.cause, facts: facts.finish())
        case .deliveryRequeued(let event):
            facts.add("count", event.count)
            facts.add("delivery", event.deliveryID?.uuid)
            facts.add("destination", event.destination)
            return EncodedEvent(.deliveryRequeued, facts: facts.finish())
        case .erasureRequested(let event):
            facts.add("due_at_ms", event.dueAtMilliseconds)
            facts.add("session", event.sessionID.uuid)
            return EncodedEvent(.erasureRequested, facts: facts.finish())
        case .erasureWithdrawn(let event):
            facts.add("session", event.sessionID.uuid)
            return EncodedEvent(.erasureWithdrawn, facts: facts.finish())
        case .keyRotated(let event):
            facts.add("generation", event.generation)
            return EncodedEvent(.keyRotated, facts: facts.finish())
        case .ledgerRestored(let event):
            facts.add("epoch", event.epoch)
            facts.add("position", event.position)
            return EncodedEvent(.ledgerRestored, facts: facts.finish())
        case .sessionDeliveriesPaused(let event):
            facts.add("session", event.sessionID.uuid)
            return EncodedEvent(.sessionDeliveriesPaused, reason: event.cause, facts: facts.finish())
        case .sessionDeliveriesResumed(let event):
            facts.add("session", event.sessionID.uuid)
            return EncodedEvent(.sessionDeliveriesResumed, reason: event.cause, facts: facts.finish())
        case .signingKeyAdded(let event):
            facts.add("endorsement", event.endorsement)
            facts.add("generation", event.generation)
            facts.add("public_key", event.publicKey)
            return EncodedEvent(.signingKeyAdded, facts: facts.finish())
        }
    }

    /// - Returns: nil for a session's event, an unknown type or a newer schema version.
    /// - Throws: ``CodingFailure`` for a stored event that this version should be able to read and cannot.
    package static func decodeLedgerEvent(_ stored: EncodedEvent) throws(CodingFailure) -> LedgerEvent? {
        guard let type = EventType(rawValue: stored.type), type.isLedgerEvent, stored.schemaVersion <= type.schemaVersion
        else { return nil }
        let reader = try FactsReader(stored, type: type)
        switch type {
        case .clockAdjusted:
            return .clockAdjusted(
                .init(fromMilliseconds: try reader.integer("from_ms"), toMilliseconds: try reader.integer("to_ms")))
        case .policyRegistered:
            return .policyRegistered(
                .init(policyVersion: try reader.string("policy_version"), digest: try reader.digest("digest")))
        case .destinationPaused:
            return .destinationPaused(.init(destination: try reader.string("destination"), cause: try reader.reason()))
        case .destinationResumed:
            return .destinationResumed(.init(destination: try reader.string("destination"), cause: try reader.reason()))
        case .deliveryRequeued:
            return .deliveryRequeued(
                .init(
                    destination: try reader.string("destination"),
                    deliveryID: try reader.optionalUUID("delivery").map { DeliveryID($0) },
                    count: try reader.int("count")))
        case .erasureRequested:
            return .erasureRequested(
                .init(sessionID: try session(reader), dueAtMilliseconds: try reader.integer("due_at_ms")))
        case .erasureWithdrawn: return .erasureWithdrawn(.init(sessionID: try session(reader)))
        case .keyRotated: return .keyRotated(.init(generation: try reader.int("generation")))
        case .ledgerRestored:
            return .ledgerRestored(
                .init(
                    epoch: try reader.uuid("epoch"),
                    position: try reader.integer("position")))
        case .sessionDeliveriesPaused:
            return .sessionDeliveriesPaused(.init(sessionID: try session(reader), cause: try reader.reason()))
        case .sessionDeliveriesResumed:
            return .sessionDeliveriesResumed(.init(sessionID: try session(reader), cause: try reader.reason()))
        case .signingKeyAdded:
            return .signingKeyAdded(
                .init(
                    generation: try reader.int("generation"), publicKey: try reader.digest("public_key"),
                    endorsement: try reader.optionalString("endorsement")))
        default: return nil
        }
    }

    private static func session(_ reader: FactsReader) throws(CodingFailure) -> SessionID {
        SessionID(try reader.uuid("session"))
    }
}
