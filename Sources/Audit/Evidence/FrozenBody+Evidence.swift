package import Cryptography
package import DeliveryMachine
package import SessionDomain

/// What a request sends around its media, as an export holds it (docs/evidence.md).
extension FrozenBody {
    package var json: JSONValue {
        .members([
            .init("content_type", .string(contentType)), .init("head_base64", .string(Base64.encode(head))),
            .init("media_form", .string(mediaForm == .base64 ? "base64" : "raw")),
            .init("media_bytes", .integer(mediaBytes)),
            .init("media_sha256", .string(Digest(mediaSHA256)?.hex ?? "")),
            .init("tail_base64", .string(Base64.encode(tail))), .init("frozen_sha256", .string(digest.hex)),
        ])
    }

    /// nil where something is missing, or is not what `json` gives.
    package init?(json: JSONValue) {
        guard let type = json["content_type"]?.asString, let name = json["media_form"]?.asString,
            let form = ["raw": MediaForm.raw, "base64": .base64][name],
            let head = json["head_base64"]?.asString.flatMap({ Base64.decode($0) }),
            let tail = json["tail_base64"]?.asString.flatMap({ Base64.decode($0) }),
            let bytes = json["media_bytes"]?.asInteger,
            let digest = json["media_sha256"]?.asString.flatMap({ Digest256(hex: $0) })
        else { return nil }
        self.init(
            contentType: type, head: head, mediaForm: form, mediaBytes: bytes, mediaSHA256: digest.bytes, tail: tail)
    }

    /// What `delivery_work.body_digest` is.
    package var digest: Digest { SHA256.digest(of: encoded) }
}
