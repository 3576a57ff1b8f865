package import SessionDomain

extension EventCoder {
    static func encode(_ event: PieceChecked) -> EncodedEvent {
        var facts = FactsWriter()
        facts.add("crop", event.crop.map { PartsCoding.json($0) })
        facts.add("detail", event.detail)
        facts.add("fields", event.fields.map { PartsCoding.json($0) })
        facts.list("findings", event.findings.map { PartsCoding.json($0) })
        facts.flag("late", event.late)
        facts.add("page", event.page.map { PartsCoding.json($0) })
        facts.add("policy_version", event.policyVersion)
        return EncodedEvent(
            .pieceChecked, piece: event.piece, captureID: event.captureID,
            outcome: event.failure == nil ? .checksPassed : .checksFailed, reason: event.failure?.rawValue,
            facts: facts.finish())
    }

    static func pieceChecked(_ reader: FactsReader) throws(CodingFailure) -> PieceChecked {
        PieceChecked(
            piece: try reader.piece(), captureID: try reader.captureID(),
            findings: try reader.optional("findings") { PartsCoding.list($0, PartsCoding.finding) } ?? [],
            failure: reader.stored.reason.map { CaptureFailure(rawValue: $0) }, detail: try reader.optionalString("detail"),
            policyVersion: try reader.optionalString("policy_version"), page: try reader.optional("page", PartsCoding.rect),
            fields: try reader.optional("fields", PartsCoding.fields), crop: try reader.optional("crop", PartsCoding.crop),
            late: try reader.flag("late"))
    }
}

extension EncodedEvent {
    /// The crop that a judgement names, whatever version wrote it: its file must be known.
    package var pageCrop: PageCrop? {
        guard type == EventType.pieceChecked.code, let facts = try? JSONValue.parse(facts) else { return nil }
        return facts["crop"].flatMap(PartsCoding.crop)
    }
}

extension PartsCoding {
    static func json(_ crop: PageCrop) -> JSONValue {
        .members([
            .init("bytes", .integer(crop.bytes)), .init("commitment", .string(crop.commitment.hex)),
            .init("height", .integer(Int64(crop.height))), .init("id", .string(crop.id.text)),
            .init("sealed_bytes", .integer(crop.sealedBytes)), .init("sealed_digest", .string(crop.sealedDigest.hex)),
            .init("width", .integer(Int64(crop.width))),
        ])
    }

    static func crop(_ json: JSONValue) -> PageCrop? {
        guard let id = json["id"]?.asString.flatMap({ UUID128($0) }), let bytes = json["bytes"]?.asInteger,
            let width = json["width"]?.asInt, let height = json["height"]?.asInt,
            let commitment = json["commitment"]?.asString.flatMap({ Digest256(hex: $0) }),
            let sealedDigest = json["sealed_digest"]?.asString.flatMap({ Digest256(hex: $0) }),
            let sealedBytes = json["sealed_bytes"]?.asInteger
        else { return nil }
        return PageCrop(
            id: CropID(id), bytes: bytes, width: width, height: height, commitment: commitment, sealedDigest: sealedDigest,
            sealedBytes: sealedBytes)
    }
}
