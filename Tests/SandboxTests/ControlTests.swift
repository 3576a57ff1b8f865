import Foundation
import Sandbox
import Testing

struct `Control and record` {
    @Test func `requests are told as the command line promises`() throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let sample = SampleCapture()
        _ = try sample.send(to: sandbox)
        let answer = try Curl([sandbox.controlURL + "/requests"])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
        #expect(object["effects"] as? [String: Int] == [sample.effect: 1])
        #expect(object["keys"] as? Int == 1)
        let request = try #require((object["requests"] as? [[String: Any]])?.first)
        #expect(request["destination"] as? String == "verifier" && request["key"] as? String == sample.key)
        #expect(request["session_id"] as? String == sample.session && request["piece"] as? String == sample.piece)
        #expect(request["capture_id"] as? String == sample.capture && request["digest"] as? String == sample.digest)
        #expect(request["bytes"] as? Int == sample.media.count && request["status"] as? Int == 200)
        let decoded = try JSONDecoder().decode(SandboxRecord.self, from: Data(answer.body.utf8))
        #expect(decoded == sandbox.record())
    }

    @Test func `a scenario is swapped and a wrong one is refused with a suggestion`() throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let sample = SampleCapture()
        #expect(try Curl([sandbox.controlURL + "/health"]).body == #"{"ok":true}"#)
        let wrong = try Curl(["-d", #"{"rules":[{"peice":"selfie"}]}"#, sandbox.controlURL + "/scenario"])
        #expect(wrong.status == 400 && wrong.body.contains("Did you mean 'piece'?"))
        let right = try Curl(["-d", #"{"rules":[{"status":500}]}"#, sandbox.controlURL + "/scenario"])
        #expect(right.body == #"{"rules":1}"#)
        #expect(try sample.send(to: sandbox).status == 500)
        #expect(try Curl(["-X", "POST", sandbox.controlURL + "/reset"]).status == 200)
        #expect(sandbox.record() == SandboxRecord())
    }

    @Test(arguments: [
        ("[]", "not an object"), ("{", "not JSON"), (#"{"rule":[]}"#, "Did you mean 'rules'?"), (#"{"schema":2}"#, "schema 1"),
        (#"{"rules":[{"piece":"selfi"}]}"#, "Did you mean 'selfie'?"),
        (#"{"rules":[{"drop":"after_store"}]}"#, "Did you mean 'after_storing'?"),
        (#"{"rules":[{"verified":{},"failed":{}}]}"#, "both 'verified' and 'failed'"),
        (#"{"rules":[{"status":500,"drop":"after_storing"}]}"#, "both"), (#"{"rules":[{"status":42}]}"#, "rules[0].status"),
        (#"{"rules":[{"nth":0}]}"#, "rules[0].nth"), (#"{"rules":[{"per":"key"}]}"#, "without 'nth'"),
        (#"{"rules":[{"store":true}]}"#, "only with 'status' or 'body'"),
        (#"{"rules":[{"piece":"selfie","drop":"before_reading"}]}"#, "before the body is read"),
        (#"{"rules":[{"nth":1,"drop":"while_reading"}]}"#, "before the body is read"),
        (#"{"rules":[{"destination":"hologram","failed":{}}]}"#, "does not give"),
        (#"{"rules":[{"score":"0.9"}]}"#, "not a number"),
        (#"{"rules":[{"verified":{"drop_pieces":["back"]}}]}"#, "unknown piece"),
        (#"{"rules":[{"schema":1,"schema":1}]}"#, "twice"), (#"{"rules":[{"status":302,"headers":{"A":"x\ny"}}]}"#, "one line"),
    ]) func `a scenario that is wrong is refused at its place`(_ json: String, _ says: String) throws {
        let error = try #require(throws: SandboxError.self) { try SandboxScenario(json: json) }
        #expect(error.code == .scenarioInvalid && error.description.contains(says), "\(error)")
    }

    @Test func `the example of the documentation is a scenario`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.deletingLastPathComponent().appendingPathComponent("docs/sandbox.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let example = try #require(text.components(separatedBy: "```\n").first { $0.contains("require_authorization") })
        #expect(try SandboxScenario(json: example).rules.count == 5)
    }

    @Test func `a record outlives its sandbox, and the next one goes on from it`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("record-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let sample = SampleCapture()
        var later = SampleCapture(capture: "0195b1d2-0000-7000-8000-0000000000bb")
        later.key = "0195b1d2-0000-7000-8000-00000000f00d"
        let scenario = try SandboxScenario(
            json: #"{"rules":[{"capture_id":"\#(sample.capture)","drop":"after_storing"},{"later":{"polls":1}}]}"#)
        let first = try Sandbox(scenario: scenario, recordFile: file.path)
        _ = try sample.send(to: first)
        let location = try #require(try later.send(to: first).headers["location"])
        let before = first.record()
        first.stop()

        let torn = try FileHandle(forWritingTo: file)
        try torn.seekToEnd()
        try torn.write(contentsOf: Data(#"{"event":"request","desti"#.utf8))
        try torn.close()

        let second = try Sandbox(recordFile: file.path)
        #expect(second.record() == before)
        #expect(try sample.send(to: second).headers["idempotency-replayed"] == "true")
        #expect(try later.send(to: second).headers["location"] == location)
        let address = "http://127.0.0.1:\(second.port)\(location)"
        #expect(try Curl([address]).status == 202)
        #expect(try Curl([address]).body.contains(later.capture))
        #expect(second.record().effects == [sample.effect: 1, later.effect: 1])
        second.stop()
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 6 && lines.allSatisfy { $0.hasPrefix(#"{"event":""#) && $0.hasSuffix("}") })
    }

    @Test func `what cannot be recorded or listened on is an error with a remedy`() throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let port = sandbox.port
        #expect(try #require(throws: SandboxError.self) { try Sandbox(port: port) }.code == .cannotListen)
        let nowhere = try #require(throws: SandboxError.self) { try Sandbox(recordFile: "/nowhere/at/all") }
        #expect(nowhere.code == .recordUnwritable && !nowhere.remedy.isEmpty)
    }
}
