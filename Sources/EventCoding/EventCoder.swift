package import SessionDomain

/// Between events and their stored form. What is written is pinned by golden files.
package enum EventCoder {
    /// - Parameter internConfiguration: keeps a configuration's canonical JSON and returns its digest in lower hex.
    package static func encode(
        _ event: SessionEvent, internConfiguration: (_ canonicalJSON: String) -> String
    ) -> EncodedEvent {
        switch event {
        case .sessionStarted(let event): encode(event, internConfiguration: internConfiguration)
        case .sessionSuspended(let event): timed(.sessionSuspended, event.suspendedAtMilliseconds)
        case .sessionResumed(let event): timed(.sessionResumed, event.resumedAtMilliseconds)
        case .captureRefused(let event): encode(event)
        case .pieceCaptured(let event): encode(event)
        case .pieceChecked(let event): encode(event)
        case .pieceConfirmed(let event): encode(event)
        case .pieceRetaken(let event): EncodedEvent(.pieceRetaken, piece: event.piece, captureID: event.captureID)
        case .pieceVerified(let event): encode(event)
        case .pieceRejected(let event): encode(event)
        case .pieceDeliveryParked(let event): encode(event)
        case .pieceDeliveryRequeued(let event): encode(event)
        case .pendingPiecesDropped(let event): encode(event)
        case .hologramRecordingStarted(let event): encode(event)
        case .hologramRecordingCancelled(let event): encode(event)
        case .guidanceObserved(let event): encode(event)
        case .interactionRecorded(let event): encode(event)
        case .sessionCompleted(let event): lasting(.sessionCompleted, event.durationMilliseconds)
        case .sessionExited(let event): encode(event)
        case .sessionExpired(let event): lasting(.sessionExpired, event.durationMilliseconds)
        case .sessionCancelled(let event): lasting(.sessionCancelled, event.durationMilliseconds)
        case .hologramTransactionBound(let event): encode(event)
        case .mediaPurged(let event): encode(event)
        case .sessionErased(let event): timed(.sessionErased, event.erasedAtMilliseconds)
        }
    }

    /// - Parameter configuration: the canonical JSON of an interned configuration by its digest.
    /// - Returns: nil for an unknown type or a newer schema version, which is kept and skipped.
    /// - Throws: ``CodingFailure`` for a stored event that this version should be able to read and cannot.
    package static func decode(
        _ stored: EncodedEvent, configuration: (_ digest: String) -> String?
    ) throws(CodingFailure) -> SessionEvent? {
        var failure: CodingFailure?
        let event = try decode(stored) { digest in
            guard let text = configuration(digest) else { return nil }
            do { return FrozenConfiguration(try CaptureConfiguration(text: text)) } catch {
                failure = CodingFailure(.configurationInvalid, type: EventType.sessionStarted.name, field: "configuration")
                return FrozenConfiguration(CaptureConfiguration(pieces: [], flowTitle: ""))
            }
        }
        if let failure { throw failure }
        return event
    }

    /// The same with configurations that the caller has read before: sessions share them.
    package static func decode(
        _ stored: EncodedEvent, frozen: (_ digest: String) -> FrozenConfiguration?
    ) throws(CodingFailure) -> SessionEvent? {
        guard let type = EventType(rawValue: stored.type), !type.isLedgerEvent, stored.schemaVersion <= type.schemaVersion
        else { return nil }
        let reader = try FactsReader(stored, type: type)
        return switch type {
        case .sessionStarted: .sessionStarted(try started(reader, frozen: frozen))
        case .sessionSuspended: .sessionSuspended(.init(suspendedAtMilliseconds: try reader.integer("at_ms")))
        case .sessionResumed: .sessionResumed(.init(resumedAtMilliseconds: try reader.integer("at_ms")))
        case .captureRefused: .captureRefused(try captureRefused(reader))
        case .pieceCaptured: .pieceCaptured(try pieceCaptured(reader))
        case .pieceChecked: .pieceChecked(try pieceChecked(reader))
        case .pieceConfirmed: .pieceConfirmed(try pieceConfirmed(reader))
        case .pieceRetaken: .pieceRetaken(.init(piece: try reader.piece(), captureID: try reader.captureID()))
        case .pieceVerified: .pieceVerified(try pieceVerified(reader))
        case .pieceRejected: .pieceRejected(try pieceRejected(reader))
        case .pieceDeliveryParked: .pieceDeliveryParked(try pieceDeliveryParked(reader))
        case .pieceDeliveryRequeued: .pieceDeliveryRequeued(try pieceDeliveryRequeued(reader))
        case .pendingPiecesDropped: .pendingPiecesDropped(try pendingPiecesDropped(reader))
        case .hologramRecordingStarted: .hologramRecordingStarted(.init(recording: try reader.int("recording")))
        case .hologramRecordingCancelled:
            .hologramRecordingCancelled(
                .init(recording: try reader.int("recording"), cause: try reader.reason(as: RecordingEnd.self)))
        case .guidanceObserved: .guidanceObserved(try guidanceObserved(reader))
        case .interactionRecorded: .interactionRecorded(try interactionRecorded(reader))
        case .sessionCompleted: .sessionCompleted(.init(durationMilliseconds: try reader.duration()))
        case .sessionExited: .sessionExited(try sessionExited(reader))
        case .sessionExpired: .sessionExpired(.init(durationMilliseconds: try reader.duration()))
        case .sessionCancelled: .sessionCancelled(.init(durationMilliseconds: try reader.duration()))
        case .hologramTransactionBound: .hologramTransactionBound(.init(transaction: try reader.digest("transaction")))
        case .mediaPurged: .mediaPurged(try mediaPurged(reader))
        case .sessionErased: .sessionErased(.init(erasedAtMilliseconds: try reader.integer("at_ms")))
        case .clockAdjusted, .policyRegistered, .destinationPaused, .destinationResumed, .deliveryRequeued, .erasureRequested,
            .erasureWithdrawn, .keyRotated, .ledgerRestored, .sessionDeliveriesPaused, .sessionDeliveriesResumed,
            .signingKeyAdded:
            nil
        }
    }
}

extension EncodedEvent {
    /// An event of the type's newest version, with the columns given and no facts.
    init(
        _ type: EventType, piece: Piece? = nil, captureID: CaptureID? = nil, source: CaptureSource? = nil,
        outcome: OutcomeCode? = nil, reason: String? = nil, durationMilliseconds: Int64? = nil, facts: String = "{}"
    ) {
        self.init(
            type: type.code, schemaVersion: type.schemaVersion, piece: piece?.code, captureID: captureID?.uuid,
            source: source?.code, outcome: outcome?.rawValue, reason: reason, durationMilliseconds: durationMilliseconds,
            facts: facts)
    }
}
