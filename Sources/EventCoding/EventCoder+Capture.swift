import SessionDomain

extension EventCoder {
    static func encode(_ event: CaptureRefused) -> EncodedEvent {
        var facts = FactsWriter()
        facts.add("bytes", event.bytes)
        facts.add("commitment", event.commitment)
        facts.add("detail", event.detail)
        return EncodedEvent(
            .captureRefused, piece: event.piece, source: event.source, reason: event.failure.rawValue, facts: facts.finish())
    }

    static func captureRefused(_ reader: FactsReader) throws(CodingFailure) -> CaptureRefused {
        CaptureRefused(
            piece: try reader.piece(), source: try reader.source(), failure: CaptureFailure(rawValue: try reader.reason()),
            detail: try reader.optionalString("detail"), bytes: try reader.optionalInteger("bytes"),
            commitment: try reader.optionalDigest("commitment"))
    }

    static func encode(_ event: PieceCaptured) -> EncodedEvent {
        var facts = FactsWriter()
        facts.add("attempt", event.attempt)
        facts.add("bytes", event.media.bytes)
        facts.add("commitment", event.commitment)
        facts.flag("confirms_after_checks", event.confirmsAfterChecks)
        facts.add("fields", event.fields.map { PartsCoding.json($0) })
        facts.list("flags", event.media.flags.map { .string($0) })
        facts.add("height", event.media.height)
        facts.list("measurements", event.measurements.map { PartsCoding.json($0) })
        facts.add("orientation", event.media.orientation)
        facts.add("rotation", event.rotation)
        facts.add("sealed_bytes", event.sealedBytes)
        facts.add("sealed_digest", event.sealedDigest)
        facts.add("supersedes", event.supersedes?.uuid)
        facts.add("type", event.media.type)
        facts.add("width", event.media.width)
        return EncodedEvent(
            .pieceCaptured, piece: event.piece, captureID: event.captureID, source: event.source, facts: facts.finish())
    }

    static func pieceCaptured(_ reader: FactsReader) throws(CodingFailure) -> PieceCaptured {
        let media = MediaFacts(
            type: try reader.string("type"), bytes: try reader.integer("bytes"), width: try reader.int("width"),
            height: try reader.int("height"), orientation: try reader.int("orientation"),
            flags: try reader.optional("flags") { PartsCoding.list($0) { $0.asString } } ?? [])
        return PieceCaptured(
            piece: try reader.piece(), captureID: try reader.captureID(), source: try reader.source(),
            attempt: try reader.optionalInt("attempt"), media: media, commitment: try reader.digest("commitment"),
            sealedDigest: try reader.digest("sealed_digest"), sealedBytes: try reader.integer("sealed_bytes"),
            rotation: try reader.optionalInt("rotation"),
            measurements: try reader.optional("measurements") { PartsCoding.list($0, PartsCoding.measurement) } ?? [],
            fields: try reader.optional("fields", PartsCoding.fields),
            confirmsAfterChecks: try reader.flag("confirms_after_checks"),
            supersedes: try reader.optionalUUID("supersedes").map { CaptureID($0) })
    }

    static func encode(_ event: PieceConfirmed) -> EncodedEvent {
        var facts = FactsWriter()
        facts.add("at_ms", event.confirmedAtMilliseconds)
        facts.add("destination", event.destination)
        return EncodedEvent(.pieceConfirmed, piece: event.piece, captureID: event.captureID, facts: facts.finish())
    }

    static func pieceConfirmed(_ reader: FactsReader) throws(CodingFailure) -> PieceConfirmed {
        PieceConfirmed(
            piece: try reader.piece(), captureID: try reader.captureID(), destination: try reader.string("destination"),
            confirmedAtMilliseconds: try reader.integer("at_ms"))
    }

    static func encode(_ event: MediaPurged) -> EncodedEvent {
        var facts = FactsWriter()
        facts.add("bytes", event.bytes)
        facts.add("commitment", event.commitment)
        return EncodedEvent(
            .mediaPurged, piece: event.piece, captureID: event.captureID, reason: event.cause, facts: facts.finish())
    }

    static func mediaPurged(_ reader: FactsReader) throws(CodingFailure) -> MediaPurged {
        MediaPurged(
            piece: try reader.piece(), captureID: try reader.captureID(), cause: try reader.reason(),
            bytes: try reader.integer("bytes"), commitment: try reader.optionalDigest("commitment"))
    }
}
