package import SessionDomain

/// The files that an evidence archive may hold, and nothing else: a name is one of these or the archive is refused.
package enum EvidenceName: Hashable, Sendable {
    case session
    case configuration
    case events
    case findings
    case policies
    case deliveries
    /// What was sent around the media of a delivery.
    case request(UUID128)
    /// What an endpoint answered.
    case answer(UUID128)
    /// An original, by its capture, with the usual ending of its type.
    case media(UUID128, String)
    case crop(UUID128)
    /// What is not here, and why.
    case leftOut
    case checkpoint
    case signingKeys
    case inclusion
    case report
    /// `sha256sum -c` reads it.
    case listing
    case manifest
    /// The ledger's signature under the manifest, as a note.
    case signature

    private static let plain: [(EvidenceName, String)] = [
        (.session, "session.json"), (.configuration, "configuration.json"), (.events, "events.jsonl"),
        (.findings, "findings.jsonl"), (.policies, "policies.json"), (.deliveries, "deliveries.jsonl"),
        (.leftOut, "left-out.jsonl"), (.checkpoint, "proof/checkpoint.txt"), (.signingKeys, "proof/signing-keys.jsonl"),
        (.inclusion, "proof/inclusion.jsonl"), (.report, "report.html"), (.listing, "SHA256SUMS"),
        (.manifest, "manifest.json"), (.signature, "manifest.note"),
    ]

    package var text: String {
        switch self {
        case .request(let id): "requests/\(id.text).json"
        case .answer(let id): "answers/\(id.text)"
        case .media(let id, let ending): "media/\(id.text).\(ending)"
        case .crop(let id): "crops/\(id.text).jpg"
        default: Self.plain.first { $0.0 == self }?.1 ?? ""
        }
    }

    package init?(_ text: String) {
        if let known = Self.plain.first(where: { $0.1 == text }) {
            self = known.0
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = UUID128(parts[1].prefix(36)) else { return nil }
        let rest = String(parts[1].dropFirst(36))
        let name: EvidenceName
        switch parts[0] {
        case "requests": name = .request(id)
        case "answers": name = .answer(id)
        case "media": name = .media(id, String(rest.dropFirst()))
        case "crops": name = .crop(id)
        default: return nil
        }
        guard name.text == text else { return nil }
        if case .media(_, let ending) = name, !Self.endings.values.contains(ending) { return nil }
        self = name
    }

    /// Archives hold their files in this order.
    var rank: Int {
        switch self {
        case .session: 0
        case .configuration: 1
        case .events: 2
        case .findings: 3
        case .policies: 4
        case .deliveries: 5
        case .request: 6
        case .answer: 7
        case .media: 8
        case .crop: 9
        case .leftOut: 10
        case .checkpoint: 11
        case .signingKeys: 12
        case .inclusion: 13
        case .report: 14
        case .listing: 15
        case .manifest: 16
        case .signature: 17
        }
    }

    private static let endings = [
        "image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/heic": "heic", "application/pdf": "pdf",
        "video/mp4": "mp4", "video/quicktime": "mov", "": "bin",
    ]

    package static func media(_ media: EventRecord.NamedMedia) -> EvidenceName {
        media.isCrop ? .crop(media.id) : .media(media.id, endings[media.type] ?? "bin")
    }
}
