import SessionDomain

/// Writes what goes around the media. Only called before the first send: afterwards the frozen bytes are repeated.
package enum BodyWriter {
    package static func body(for claim: ClaimedDelivery, kind: Destination.Kind) -> FrozenBody? {
        switch kind {
        case .verifier: multipart(claim)
        case .hologram: claim.hologram.map { hologram(claim, $0) }
        }
    }

    /// `docs/verifier-api.yaml`: a `metadata` part and a `media` part. libcurl's own writer draws a random boundary for every
    /// request, so this one is ours, and its boundary is derived from the key.
    private static func multipart(_ claim: ClaimedDelivery) -> FrozenBody {
        let boundary = "capture-ledger-" + claim.id.text.filter { $0 != "-" }
        let head = """
            --\(boundary)\r
            Content-Disposition: form-data; name="metadata"\r
            Content-Type: application/json\r
            \r
            \(metadata(claim))\r
            --\(boundary)\r
            Content-Disposition: form-data; name="media"; filename="\(claim.capture.text).\(fileExtension(claim.media.type))"\r
            Content-Type: \(claim.media.type)\r
            \r\n
            """
        return FrozenBody(
            contentType: "multipart/form-data; boundary=\(boundary)", head: Array(head.utf8), mediaForm: .raw,
            mediaBytes: claim.media.bytes, mediaSHA256: claim.media.sha256, tail: Array("\r\n--\(boundary)--\r\n".utf8))
    }

    private static func metadata(_ claim: ClaimedDelivery) -> String {
        var media = #"{"type":\#(JSONText.quoted(claim.media.type)),"bytes":\#(claim.media.bytes)"#
        if let width = claim.media.width { media += #","width":\#(width)"# }
        if let height = claim.media.height { media += #","height":\#(height)"# }
        media += #","sha256":"\#(JSONText.hex(claim.media.sha256))"}"#
        return #"{"schema":1,"session_id":"\#(claim.session.text)","piece":"\#(claim.piece.rawValue)","#
            + #""capture_id":"\#(claim.capture.text)","attempt":\#(claim.captureAttempt),"#
            + #""source":"\#(claim.source.rawValue)","media":\#(media)}"#
    }

    /// S77: exactly these four members.
    private static func hologram(_ claim: ClaimedDelivery, _ facts: HologramFacts) -> FrozenBody {
        let tail =
            #"","rotate":\#(facts.rotate),"cardType":\#(JSONText.quoted(facts.cardType)),"#
            + #""transactionId":\#(JSONText.quoted(facts.transactionID))}"#
        return FrozenBody(
            contentType: "application/json", head: Array(#"{"video":""#.utf8), mediaForm: .base64,
            mediaBytes: claim.media.bytes, mediaSHA256: claim.media.sha256, tail: Array(tail.utf8))
    }

    private static func fileExtension(_ type: String) -> String {
        switch type {
        case "image/jpeg": "jpg"
        case "image/png": "png"
        case "image/webp": "webp"
        case "image/heic": "heic"
        case "application/pdf": "pdf"
        case "video/mp4": "mp4"
        case "video/quicktime": "mov"
        default: "bin"
        }
    }
}

/// The little of JSON's writing side that a request needs.
enum JSONText {
    private static let digits = Array("0123456789abcdef".utf8)

    static func hex(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20:
                result += "\\u00" + hex([UInt8(scalar.value)])
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
