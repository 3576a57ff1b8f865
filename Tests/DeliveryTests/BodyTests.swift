import DeliveryMachine
import SessionDomain
import TestSupport
import Testing

@Suite struct BodyTests {
    private func whole(_ body: RequestBody, from offset: Int64 = 0, limit: Int = 1_000) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let more = try body.read(at: offset + Int64(bytes.count), limit: limit)
            if more.isEmpty { break }
            #expect(more.count <= limit)
            bytes += more
        }
        // into somebody else's room
        var same: [UInt8] = []
        while true {
            let more = try [UInt8](capacity: limit) { try body.read(at: offset + Int64(same.count), into: &$0) }
            if more.isEmpty { break }
            same += more
        }
        #expect(same == bytes)
        return bytes
    }

    @Test func `the multipart body is byte for byte what the contract says`() throws {
        let claim = Claims.verifier(7, piece: .passportFront, bytes: 5, attempt: 2)
        let frozen = try #require(BodyWriter.body(for: claim, kind: .verifier))
        let boundary = "capture-ledger-0000000d000070008000000000000007"
        #expect(frozen.contentType == "multipart/form-data; boundary=\(boundary)")
        let metadata =
            #"{"schema":1,"session_id":"00000005-0000-7000-8000-000000000001","piece":"passport_front","#
            + #""capture_id":"0000000c-0000-7000-8000-000000000007","attempt":2,"source":"camera","#
            + #""media":{"type":"image/jpeg","bytes":5,"width":40,"height":20,"#
            + #""sha256":"abababababababababababababababababababababababababababababababab"}}"#
        let expected = [
            "--\(boundary)", #"Content-Disposition: form-data; name="metadata""#, "Content-Type: application/json", "",
            metadata, "--\(boundary)",
            #"Content-Disposition: form-data; name="media"; filename="0000000c-0000-7000-8000-000000000007.jpg""#,
            "Content-Type: image/jpeg", "", "hello", "--\(boundary)--", "",
        ].joined(separator: "\r\n")
        let body = RequestBody(frozen, media: BytesReader(Array("hello".utf8)))
        #expect(String(decoding: try whole(body), as: UTF8.self) == expected)
        #expect(body.contentLength == expected.utf8.count)
    }

    @Test func `S77 the hologram body has exactly its four members`() throws {
        let claim = Claims.hologram(3, bytes: 4)
        let frozen = try #require(BodyWriter.body(for: claim, kind: .hologram))
        let body = RequestBody(frozen, media: BytesReader([0xFF, 0xEF, 0xBE, 0x00]))
        let text = String(decoding: try whole(body), as: UTF8.self)
        #expect(text == #"{"video":"/+++AA==","rotate":90,"cardType":"NEW-ID","transactionId":"tx-3"}"#)
        #expect(body.contentLength == text.utf8.count)
    }

    @Test func `S77 base64 from any offset with any limit is a part of the same text`() throws {
        for count in 0...70 {
            let media = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
            let frozen = FrozenBody(
                contentType: "x", head: Array("<".utf8), mediaForm: .base64, mediaBytes: Int64(count), mediaSHA256: [],
                tail: Array(">".utf8))
            let body = RequestBody(frozen, media: BytesReader(media))
            let text = try whole(body)
            #expect(text == Array("<".utf8) + Self.base64(media) + Array(">".utf8))
            #expect(Int64(text.count) == body.contentLength)
            for offset in 0...text.count {
                for limit in [1, 2, 3, 5, 64] {
                    #expect(try whole(body, from: Int64(offset), limit: limit) == Array(text[offset...]))
                }
            }
        }
    }

    /// Bit by bit, so that it shares nothing with the product's.
    static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let bits = bytes.flatMap { byte in (0..<8).map { Int(byte >> (7 - UInt8($0)) & 1) } }
        var text: [UInt8] = []
        for start in stride(from: 0, to: bits.count, by: 6) {
            let group = (0..<6).reduce(0) { $0 << 1 | (start + $1 < bits.count ? bits[start + $1] : 0) }
            text.append(alphabet[group])
        }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return text
    }

    @Test func `media that is shorter than its record ends in a fault, not in a short body`() throws {
        for form in [FrozenBody.MediaForm.raw, .base64] {
            let frozen = FrozenBody(
                contentType: "x", head: [1], mediaForm: form, mediaBytes: 10, mediaSHA256: [], tail: [2])
            let body = RequestBody(frozen, media: BytesReader([1, 2, 3]))
            #expect(throws: DeliveryFault.self) { try whole(body) }
        }
    }

    @Test func `frozen bytes come back as they were, and nothing else is taken for them`() throws {
        let frozen = try #require(BodyWriter.body(for: Claims.verifier(1), kind: .verifier))
        let encoded = frozen.encoded
        #expect(FrozenBody(encoded: encoded) == frozen)
        for cut in 0..<encoded.count { #expect(FrozenBody(encoded: Array(encoded[..<cut])) != frozen) }
        #expect(FrozenBody(encoded: encoded + [0]) == nil)
        #expect(FrozenBody(encoded: [2] + encoded.dropFirst()) == nil)
        var huge = encoded
        huge.replaceSubrange(10..<14, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(FrozenBody(encoded: huge) == nil)
    }

    @Test func `text from outside cannot break out of the hologram's JSON`() throws {
        let hostile = "a\"b\\c\n\u{1}é"
        let claim = ClaimedDelivery(
            id: Claims.hologram(1).id, destination: Claims.hologram, session: Claims.hologram(1).session, piece: .hologram,
            capture: Claims.hologram(1).capture, captureAttempt: 1, source: .file, media: Claims.hologram(1).media,
            hologram: HologramFacts(rotate: -90, cardType: "INTERNATIONAL", transactionID: hostile, passMark: nil), fence: 1,
            claims: 1, work: DeliveryWork(), frozen: nil)
        let frozen = try #require(BodyWriter.body(for: claim, kind: .hologram))
        let body = RequestBody(frozen, media: BytesReader([1, 2, 3, 4, 5]))
        let document = try JSONValue.parse(try whole(body))
        #expect(document["transactionId"]?.asString == hostile)
        #expect(document["rotate"]?.asInteger == -90)
        #expect(document.asMembers?.count == 4)
    }
}
