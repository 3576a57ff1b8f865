import Foundation
import Sandbox

/// A capture, and the bodies that carry it.
struct SampleCapture {
    var session = "0195b1d2-0000-7000-8000-000000000001"
    var piece = "passport_front"
    var capture = "0195b1d2-0000-7000-8000-0000000000aa"
    var media: [UInt8] = Array("not really a picture \r\n--b0 \r\n--".utf8) + [0, 255, 13, 10, 45, 45]
    var boundary = "b0undary"
    var key = "0195b1d2-0000-7000-8000-00000000cafe"

    var digest: String { hexDigest(media) }
    var effect: String { "\(session)/\(piece)/\(capture)" }

    var metadata: String {
        """
        {"session_id":"\(session)","piece":"\(piece)","capture_id":"\(capture)","attempt":1,"source":"camera",\
        "media":{"type":"image/jpeg","bytes":\(media.count),"width":40,"height":20,"sha256":"\(digest)"},"schema":1}
        """
    }

    var metadataHeaders = "Content-Disposition: form-data; name=\"metadata\"\r\nContent-Type: application/json\r\n\r\n"

    var mediaHeaders: String {
        "Content-Disposition: form-data; name=\"media\"; filename=\"\(capture).jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"
    }

    var multipart: [UInt8] { body(metadata: metadata) }

    func body(metadata: String, mediaHeaders: String? = nil, media: [UInt8]? = nil, end: String? = nil) -> [UInt8] {
        Array("--\(boundary)\r\n\(metadataHeaders)\(metadata)\r\n--\(boundary)\r\n\(mediaHeaders ?? self.mediaHeaders)".utf8)
            + (media ?? self.media) + Array((end ?? "\r\n--\(boundary)--\r\n").utf8)
    }

    var headers: [String] {
        ["-H", "Content-Type: multipart/form-data; boundary=\(boundary)", "-H", "Idempotency-Key: \(key)", "-H", "Expect:"]
    }

    func send(to sandbox: Sandbox, body: [UInt8]? = nil, more: [String] = []) throws -> Curl {
        try Curl(headers + more + [sandbox.verifierURL], input: body ?? multipart)
    }
}

/// A video, and the body that carries it.
struct SampleVideo {
    var video: [UInt8] = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    var key = "0195b1d2-0000-7000-8000-00000000beef"

    var digest: String { hexDigest(video) }
    var json: String { body(Data(video).base64EncodedString()) }

    func body(_ base64: String) -> String {
        #"{"video":"\#(base64)","rotate":90,"cardType":"NEW-ID","transactionId":"t-1"}"#
    }

    func send(to sandbox: Sandbox, body: String? = nil) throws -> Curl {
        try Curl(
            ["-H", "Content-Type: application/json", "-H", "Idempotency-Key: \(key)", "-H", "Expect:", sandbox.hologramURL],
            input: Array((body ?? json).utf8))
    }
}

func hexDigest(_ bytes: [UInt8]) -> String {
    var digest = SHA256()
    digest.update(bytes)
    return hexText(digest.finish())
}

func hexText(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
