package import SessionDomain

extension EventRecord {
    /// A sealed file that an event names, and what the event says of it.
    package struct NamedMedia: Sendable, Hashable {
        package let id: UUID128
        package let bytes: Int64
        /// Keyed digest of the plain bytes.
        package let commitment: Digest256
        /// A media type such as `image/jpeg`.
        package let type: String
        package let width: Int
        package let height: Int
        package let isCrop: Bool
    }

    /// The original that a capture took in.
    package var original: NamedMedia? {
        guard type == .pieceCaptured, let id = captureID else { return nil }
        return media(facts, id: id, type: facts["type"]?.asString, isCrop: false)
    }

    /// The page that a judgement cut out.
    package var crop: NamedMedia? {
        guard type == .pieceChecked, let crop = facts["crop"], let id = crop["id"]?.asString.flatMap({ UUID128($0) }) else {
            return nil
        }
        return media(crop, id: id, type: "image/jpeg", isCrop: true)
    }

    private func media(_ json: JSONValue, id: UUID128, type: String?, isCrop: Bool) -> NamedMedia? {
        guard let bytes = json["bytes"]?.asInteger,
            let commitment = json["commitment"]?.asString.flatMap({ Digest256(hex: $0) }), let type
        else { return nil }
        return NamedMedia(
            id: id, bytes: bytes, commitment: commitment, type: type, width: json["width"]?.asInt ?? 0,
            height: json["height"]?.asInt ?? 0, isCrop: isCrop)
    }

    /// The digest of the attempt that an outcome rests on.
    package var evidence: Digest256? { facts["evidence"]?.asString.flatMap { Digest256(hex: $0) } }
    package var deliveryID: UUID128? { facts["delivery"]?.asString.flatMap { UUID128($0) } }

    /// One line for each finding of a judgement, and one for the judgement.
    package var findings: [JSONValue] {
        guard type == .pieceChecked else { return [] }
        var place: [JSONValue.Member] = [.init("position", .integer(position))]
        if let piece { place.append(.init("piece", .string(piece.rawValue))) }
        if let captureID { place.append(.init("capture_id", .string(captureID.text))) }
        var judgement = place + [.init("judgement", .string(outcomeName ?? ""))]
        if let reason { judgement.append(.init("failure", .string(reason))) }
        if let detail = facts["detail"] { judgement.append(.init("detail", detail)) }
        if let policy = facts["policy_version"] { judgement.append(.init("policy_version", policy)) }
        let measured = (facts["findings"]?.asArray ?? []).map { finding in
            JSONValue.members((finding.asMembers ?? [.init("finding", finding)]) + place)
        }
        return measured + [.members(judgement)]
    }
}
