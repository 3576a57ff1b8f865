import Foundation
import Testing

@testable import Sandbox

struct `Bodies that a strict server refuses` {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let body: [UInt8]
        let says: String
        var testDescription: String { name }
    }

    static let multipart: [Case] = {
        let good = SampleCapture()
        let text = { (json: String) in good.body(metadata: json) }
        let swap = { (old: String, new: String) in text(good.metadata.replacingOccurrences(of: old, with: new)) }
        let media = good.mediaHeaders
        var bare = good
        bare.metadataHeaders = "Content-Disposition: form-data; name=\"metadata\"\r\n\r\n"
        var wrongOrder = good
        wrongOrder.metadataHeaders = good.mediaHeaders
        return [
            Case(name: "nothing", body: [], says: "ends before"),
            Case(name: "bytes before the boundary", body: [32] + good.multipart, says: "does not begin"),
            Case(name: "a preamble line", body: [13, 10] + good.multipart, says: "does not begin"),
            Case(name: "bytes after the end", body: good.multipart + [33], says: "follows the closing"),
            Case(name: "a second end", body: good.multipart + [13, 10], says: "follows the closing"),
            Case(
                name: "a third part", body: good.body(metadata: good.metadata, end: "\r\n--b0undary\r\n"),
                says: "something else"),
            Case(name: "no closing line", body: good.body(metadata: good.metadata, end: ""), says: "ends before"),
            Case(
                name: "a half closing line", body: good.body(metadata: good.metadata, end: "\r\n--b0undary-"),
                says: "something else"),
            Case(
                name: "line feeds alone",
                body: Array(
                    String(decoding: good.multipart.prefix(120), as: UTF8.self)
                        .replacingOccurrences(of: "\r\n", with: "\n").utf8), says: "does not begin"),
            Case(name: "a part without a type", body: bare.multipart, says: "lacks"),
            Case(name: "media first", body: wrongOrder.multipart, says: "first part"),
            Case(
                name: "a third header line",
                body: good.body(metadata: good.metadata, mediaHeaders: "X-More: 1\r\n" + media), says: "another header line"),
            Case(
                name: "a header line twice",
                body: good.body(metadata: good.metadata, mediaHeaders: "Content-Type: image/jpeg\r\n" + media), says: "twice"),
            Case(
                name: "another file name",
                body: good.body(
                    metadata: good.metadata, mediaHeaders: media.replacingOccurrences(of: ".jpg", with: ".jpeg")),
                says: "second part"),
            Case(
                name: "another media type",
                body: good.body(
                    metadata: good.metadata, mediaHeaders: media.replacingOccurrences(of: "image/jpeg", with: "image/png")),
                says: "content type of the part 'media'"),
            Case(name: "one byte less", body: good.body(metadata: good.metadata, media: good.media.dropLast()), says: "bytes"),
            Case(
                name: "one bit other",
                body: good.body(metadata: good.metadata, media: [good.media[0] ^ 1] + good.media.dropFirst()),
                says: "another digest"),
            Case(name: "no metadata", body: text(""), says: "not JSON"),
            Case(name: "metadata of another kind", body: text("[]"), says: "not an object"),
            Case(name: "two values", body: text(good.metadata + "{}"), says: "not JSON"),
            Case(name: "an unknown member", body: swap("\"schema\":1", "\"schema\":1,\"extra\":1"), says: "does not know"),
            Case(name: "a member twice", body: swap("\"schema\":1", "\"schema\":1,\"schema\":1"), says: "twice"),
            Case(name: "a member missing", body: swap("\"attempt\":1,", ""), says: "metadata.attempt is missing"),
            Case(name: "another schema", body: swap("\"schema\":1", "\"schema\":2"), says: "metadata.schema"),
            Case(name: "a count as text", body: swap("\"attempt\":1", "\"attempt\":\"1\""), says: "metadata.attempt"),
            Case(name: "attempt zero", body: swap("\"attempt\":1", "\"attempt\":0"), says: "metadata.attempt"),
            Case(name: "an unknown piece", body: swap("passport_front", "passport"), says: "metadata.piece"),
            Case(name: "an unknown source", body: swap("camera", "scanner"), says: "metadata.source"),
            Case(name: "an identifier cut short", body: swap(good.session, "0195b1d2"), says: "metadata.session_id"),
            Case(name: "an upper-case digest", body: swap(good.digest, good.digest.uppercased()), says: "sha256"),
            Case(
                name: "an empty context", body: swap("\"schema\":1", "\"schema\":1,\"context\":\"\""), says: "metadata.context"),
            Case(
                name: "metadata without end", body: text("{\"x\":\"" + String(repeating: "y", count: 70_000)),
                says: "over 64 KiB"),
        ]
    }()

    static let hologram: [Case] = {
        let good = SampleVideo()
        let encoded = Data(good.video).base64EncodedString()
        let make = { (name: String, text: String, says: String) in Case(name: name, body: Array(text.utf8), says: says) }
        let swap = { (old: String, new: String) in good.json.replacingOccurrences(of: old, with: new) }
        return [
            make("nothing", "", "not JSON"), make("a list", "[]", "not an object"),
            make("no padding", good.body(encoded.replacingOccurrences(of: "=", with: "")), "base64"),
            make("padding in the middle", good.body("QQ==QUJD"), "base64"),
            make("padding too long", good.body("QUJD===="), "base64"), make("unused bits set", good.body("QR=="), "base64"),
            make("one digit", good.body("QUJDR"), "base64"), make("a line break", good.body("QUJD\\nQUJD"), "base64"),
            make("the alphabet of URLs", good.body("-_-_"), "base64"), make("an escaped slash", good.body("\\/w=="), "base64"),
            make("no video", good.body(""), "empty"), make("a fifth member", swap("{\"video", "{\"a\":1,\"video"), "exactly"),
            make("a member missing", swap("\"rotate\":90,", ""), "exactly"),
            make("another letter case", swap("transactionId", "transactionID"), "exactly"),
            make("video twice", swap("{\"video", "{\"video\":\"QUJD\",\"video"), "twice"),
            make("video under an escaped name", swap("\"video\"", "\"\\u0076ideo\""), "plain name"),
            make("video nested", #"{"a":{"video":"QUJD"},"rotate":0,"cardType":"NEW-ID","transactionId":"t"}"#, "exactly"),
            make("video as a number", #"{"video":1,"rotate":0,"cardType":"NEW-ID","transactionId":"t"}"#, "plain name"),
            make("rotation as text", swap("90", "\"90\""), "rotate"), make("an unknown card", swap("NEW-ID", "ID"), "cardType"),
            make("no transaction", swap("t-1", ""), "transactionId"), make("something after it", good.json + "x", "not JSON"),
            make("cut short", String(good.json.dropLast(1)), "not JSON"),
            make("cut inside the video", String(good.json.prefix(400)), "not JSON"),
            make("much beside the video", swap("t-1", String(repeating: "t", count: 70_000)), "64 KiB"),
        ]
    }()

    @Test(arguments: multipart) func `a malformed multipart body is answered with 400 and a reason, and is no effect`(
        _ each: Case
    ) throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let answer = try SampleCapture().send(to: sandbox, body: each.body)
        #expect(answer.status == 400)
        #expect(answer.headers["content-type"] == "application/problem+json")
        #expect(answer.body.contains(each.says), "\(answer.body)")
        #expect(sandbox.record().effects.isEmpty && sandbox.record().requests.map(\.status) == [400])
    }

    @Test(arguments: hologram) func `S77 a malformed hologram body is answered with 400 and a reason, and is no effect`(
        _ each: Case
    ) throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let answer = try SampleVideo().send(to: sandbox, body: String(decoding: each.body, as: UTF8.self))
        #expect(answer.status == 400)
        #expect(answer.body.contains(each.says), "\(answer.body)")
        #expect(sandbox.record().effects.isEmpty && sandbox.record().requests.map(\.status) == [400])
    }

    @Test func `what is wrong with the head is said by its status`() throws {
        let sandbox = try Sandbox(scenario: SandboxScenario(requiredAuthorization: "Bearer right"))
        defer { sandbox.stop() }
        let sample = SampleCapture()
        func status(_ headers: [String]) throws -> Int {
            try Curl(headers.flatMap { ["-H", $0] } + [sandbox.verifierURL], input: sample.multipart).status
        }
        let type = "Content-Type: multipart/form-data; boundary=b0undary"
        let key = "Idempotency-Key: \(sample.key)"
        let right = "Authorization: Bearer right"
        let trace = "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        #expect(try status([type, key, right, trace]) == 200)
        #expect(try status([type, key]) == 401)
        #expect(try status([type, key, "Authorization: Bearer wrong"]) == 401)
        #expect(try status([type, right]) == 400)
        #expect(try status([type, right, "Idempotency-Key: 12"]) == 400)
        #expect(try status([type, right, key, "traceparent: 00-x-y-01"]) == 400)
        #expect(try status([key, right, "Content-Type: application/json"]) == 415)
        #expect(try status([key, right, "Content-Type: multipart/form-data"]) == 415)
        #expect(try status([key, right, "Content-Type: multipart/form-data; boundary="]) == 400)
        #expect(try status([key, right, type, "Transfer-Encoding: chunked"]) == 411)
        #expect(try Curl([sandbox.verifierURL]).status == 405)
        #expect(try Curl([sandbox.verifierURL + "/x"]).status == 404)
    }

    @Test func `every cut of a good body is refused, however it is split`() {
        let sample = SampleCapture()
        let whole = sample.multipart
        let video = Array(SampleVideo(video: [1, 2, 3, 4]).json.utf8)
        for end in 0..<whole.count - 2 where end != whole.count - 2 { #expect(!isTakenIn(Array(whole[..<end]), piece: 7)) }
        for end in 0..<video.count { #expect(!isTakenIn(Array(video[..<end]), piece: 5, isVideo: true)) }
        for piece in 1...whole.count { #expect(isTakenIn(whole, piece: piece)) }
        for piece in 1...video.count { #expect(isTakenIn(video, piece: piece, isVideo: true)) }
    }

    private func isTakenIn(_ body: [UInt8], piece: Int, isVideo: Bool = false) -> Bool {
        var reader: any BodyReader = isVideo ? HologramReader() : MultipartReader(boundary: SampleCapture().boundary)
        var start = 0
        while start < body.count {
            let end = min(start + piece, body.count)
            let part = Array(body[start..<end])
            reader.receive(part.span)
            start = end
        }
        return (try? reader.finish()) != nil
    }
}
