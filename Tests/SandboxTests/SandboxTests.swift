import Sandbox
import Testing

struct `What the endpoints take in` {
    @Test func `S12 a capture is verified and counted once under what its body says`() throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let sample = SampleCapture()
        let answer = try sample.send(to: sandbox)
        #expect(answer.status == 200)
        #expect(answer.body.contains(#""outcome":"verified","capture_id":"\#(sample.capture)","payload":{"#))
        let record = sandbox.record()
        #expect(record.effects == [sample.effect: 1])
        #expect(record.keys == 1)
        let request = try #require(record.requests.first)
        #expect(request.digest == sample.digest && request.bytes == sample.media.count && request.status == 200)
        #expect(request.sessionID == sample.session && request.captureID == sample.capture && request.piece == sample.piece)
    }

    @Test func `S77 S78 a video is scored and counted under the digest of its decoded bytes`() throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let sample = SampleVideo()
        let answer = try sample.send(to: sandbox)
        #expect(answer.status == 200)
        #expect(answer.body == #"{"controlResults":[{"entryType":"HOLOGRAM","entryScore":0.93}]}"#)
        #expect(sandbox.record().effects == [sample.digest: 1])
    }

    @Test func `curl's own multipart is taken in too`() throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let sample = SampleCapture(media: Array("picture".utf8))
        let answer = try Curl([
            "-H", "Idempotency-Key: \(sample.key)", "-F", "metadata=\(sample.metadata);type=application/json", "-F",
            "media=picture;filename=\(sample.capture).jpg;type=image/jpeg", sandbox.verifierURL,
        ])
        #expect(answer.status == 200, "\(answer.body)")
    }

    @Test func `F16 the same key and body is answered with the first answer again and is no second effect`() throws {
        let sandbox = try Sandbox(
            scenario: SandboxScenario(json: #"{"rules":[{"nth":1,"rejected":{"reason":"Glare"}}]}"#))
        defer { sandbox.stop() }
        let sample = SampleCapture()
        let first = try sample.send(to: sandbox)
        let second = try sample.send(to: sandbox)
        #expect(first.body == second.body && first.body.contains(#""outcome":"rejected""#))
        #expect(first.headers["idempotency-replayed"] == nil && second.headers["idempotency-replayed"] == "true")
        #expect(sandbox.record().effects == [sample.effect: 1])
        #expect(sandbox.record().requests.map(\.isReplayed) == [false, true])
    }

    @Test func `a second key for the same capture is a second effect`() throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        var sample = SampleCapture()
        _ = try sample.send(to: sandbox)
        sample.key = "0195b1d2-0000-7000-8000-00000000f00d"
        #expect(try sample.send(to: sandbox).status == 200)
        #expect(sandbox.record().effects == [sample.effect: 2])
        #expect(sandbox.record().keys == 2)
    }

    @Test func `the same key with another body is refused with 422`() throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        var sample = SampleCapture()
        _ = try sample.send(to: sandbox)
        sample.boundary = "other"
        #expect(try sample.send(to: sandbox).status == 422)
        #expect(sandbox.record().effects == [sample.effect: 1])
    }

    @Test func `S14 a failed outcome leaves the key free`() throws {
        let sandbox = try Sandbox(scenario: SandboxScenario(json: #"{"rules":[{"nth":1,"failed":{"message":"busy"}}]}"#))
        defer { sandbox.stop() }
        let sample = SampleCapture()
        #expect(try sample.send(to: sandbox).body.contains(#""outcome":"failed","capture_id":"\#(sample.capture)""#))
        #expect(sandbox.record().effects.isEmpty)
        #expect(try sample.send(to: sandbox).body.contains(#""outcome":"verified""#))
        #expect(sandbox.record().effects == [sample.effect: 1])
    }
}
