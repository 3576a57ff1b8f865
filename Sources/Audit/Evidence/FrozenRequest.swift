package import Cryptography
package import SessionDomain

/// What a request sends around its media, fixed at the first send (docs/evidence.md gives the bytes that its digest is over).
package struct FrozenRequest: Sendable, Equatable {
    package let contentType: String
    package let head: [UInt8]
    /// `raw` or `base64`.
    package let mediaForm: String
    package let mediaBytes: Int64
    package let mediaSHA256: [UInt8]
    package let tail: [UInt8]

    package init(
        contentType: String, head: [UInt8], mediaForm: String, mediaBytes: Int64, mediaSHA256: [UInt8], tail: [UInt8]
    ) {
        self.contentType = contentType
        self.head = head
        self.mediaForm = mediaForm
        self.mediaBytes = mediaBytes
        self.mediaSHA256 = mediaSHA256
        self.tail = tail
    }

    package var json: JSONValue {
        .members([
            .init("content_type", .string(contentType)), .init("head_base64", .string(Base64.encode(head))),
            .init("media_form", .string(mediaForm)), .init("media_bytes", .integer(mediaBytes)),
            .init("media_sha256", .string(Digest(mediaSHA256)?.hex ?? "")),
            .init("tail_base64", .string(Base64.encode(tail))), .init("frozen_sha256", .string(digest.hex)),
        ])
    }

    package init?(json: JSONValue) {
        guard let type = json["content_type"]?.asString, let form = json["media_form"]?.asString,
            let head = json["head_base64"]?.asString.flatMap({ Base64.decode($0) }),
            let tail = json["tail_base64"]?.asString.flatMap({ Base64.decode($0) }),
            let bytes = json["media_bytes"]?.asInteger,
            let digest = json["media_sha256"]?.asString.flatMap({ Digest256(hex: $0) })
        else { return nil }
        self.init(
            contentType: type, head: head, mediaForm: form, mediaBytes: bytes, mediaSHA256: digest.bytes, tail: tail)
    }

    /// What `delivery_work.body_digest` is over.
    package var digest: Digest {
        var bytes: [UInt8] = [1, mediaForm == "base64" ? 2 : 1]
        for shift in stride(from: Int64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: mediaBytes >> shift))
        }
        for part in [Array(contentType.utf8), mediaSHA256, head, tail] {
            for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: part.count >> shift)) }
            bytes += part
        }
        return SHA256.digest(of: bytes)
    }
}
