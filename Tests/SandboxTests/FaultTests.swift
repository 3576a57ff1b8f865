import Foundation
import Sandbox
import Testing

struct `What goes wrong on the way` {
    private func withSandbox(_ rules: String, _ body: (Sandbox, SampleCapture) throws -> Void) throws {
        let sandbox = try Sandbox(scenario: SandboxScenario(json: "{\"rules\":[\(rules)]}"))
        defer { sandbox.stop() }
        try body(sandbox, SampleCapture())
    }

    @Test func `F1 a lost acknowledgement is one effect, and the next attempt gets the first answer`() throws {
        try withSandbox(#"{"piece":"passport_front","nth":1,"drop":"after_storing"}"#) { sandbox, sample in
            #expect(try sample.send(to: sandbox).exitCode == 52)
            #expect(sandbox.record().effects == [sample.effect: 1])
            let second = try sample.send(to: sandbox)
            #expect(second.status == 200 && second.headers["idempotency-replayed"] == "true")
            #expect(sandbox.record().effects == [sample.effect: 1])
            #expect(sandbox.record().requests.map(\.status) == [0, 200])
        }
    }

    @Test(arguments: ["before_reading", "while_reading", "after_reading"])
    func `what is dropped before it was taken in is no effect`(_ drop: String) throws {
        try withSandbox(#"{"nth":1,"per":"key","drop":"\#(drop)"}"#) { sandbox, sample in
            let first = try sample.send(to: sandbox)
            #expect(first.status == 0 && [52, 55, 56].contains(first.exitCode))
            #expect(sandbox.record().effects.isEmpty)
            let second = try sample.send(to: sandbox)
            #expect(second.status == 200 && second.headers["idempotency-replayed"] == nil)
            #expect(sandbox.record().requests.map(\.status) == [0, 200])
            #expect(sandbox.record().effects == [sample.effect: 1])
        }
    }

    @Test func `a reset is a reset`() throws {
        try withSandbox(#"{"nth":1,"drop":"after_storing","reset":true}"#) { sandbox, sample in
            let first = try sample.send(to: sandbox)
            #expect(first.exitCode == 56)
            #expect(try sample.send(to: sandbox).status == 200)
        }
    }

    @Test func `an answer that breaks off is short of its declared length`() throws {
        try withSandbox(#"{"nth":1,"drop":"while_answering"},{"nth":2,"body":"truncated"}"#) { sandbox, sample in
            let first = try sample.send(to: sandbox)
            #expect(first.exitCode == 18 && first.status == 200)
            #expect(try sample.send(to: sandbox).exitCode == 18)
            #expect(try sample.send(to: sandbox).exitCode == 0)
            #expect(sandbox.record().effects == [sample.effect: 1])
        }
    }

    @Test func `F15 a 200 that is no answer leaves the key free unless it is stored`() throws {
        try withSandbox(
            #"{"nth":1,"body":"html"},{"nth":2,"body":"empty"},{"nth":3,"body":"wrong_schema"},"#
                + #"{"nth":4,"body":"wrong_capture"},{"nth":5,"body":"html","store":true}"#
        ) { sandbox, sample in
            let html = try sample.send(to: sandbox)
            #expect(html.status == 200 && html.headers["content-type"] == "text/html; charset=utf-8")
            #expect(try sample.send(to: sandbox).body.isEmpty)
            #expect(try sample.send(to: sandbox).body == #"{"status":"ok"}"#)
            #expect(try !sample.send(to: sandbox).body.contains(sample.capture))
            #expect(sandbox.record().effects.isEmpty)
            #expect(try sample.send(to: sandbox).body.contains("<!doctype"))
            #expect(sandbox.record().effects == [sample.effect: 1])
            #expect(try sample.send(to: sandbox).headers["idempotency-replayed"] == "true")
        }
    }

    @Test func `statuses come with their headers, after or before the body is read`() throws {
        try withSandbox(
            #"{"nth":1,"per":"request","status":413,"before_reading":true},{"nth":1,"status":503,"retry_after":7},"#
                + #"{"nth":2,"status":302,"headers":{"Location":"/elsewhere"}},{"nth":3,"status":504,"store":true}"#
        ) { sandbox, sample in
            #expect(try sample.send(to: sandbox).status == 413)
            let busy = try sample.send(to: sandbox)
            #expect(busy.status == 503 && busy.headers["retry-after"] == "7")
            #expect(try sample.send(to: sandbox).headers["location"] == "/elsewhere")
            #expect(sandbox.record().effects.isEmpty)
            #expect(try sample.send(to: sandbox).status == 504)
            #expect(try sample.send(to: sandbox).headers["idempotency-replayed"] == "true")
            #expect(sandbox.record().requests.map(\.status) == [413, 503, 302, 504, 200])
        }
    }

    @Test func `an accepted capture has its outcome at the status address`() throws {
        try withSandbox(
            #"{"later":{"polls":2,"retry_after":3},"verified":{"payload":[1.10],"drop_pieces":["selfie"]}}"#
        ) { sandbox, sample in
            let first = try sample.send(to: sandbox)
            #expect(first.status == 202 && first.headers["retry-after"] == "3")
            let address = "http://127.0.0.1:\(sandbox.port)" + (try #require(first.headers["location"]))
            #expect(try Curl([address]).status == 202)
            let again = try sample.send(to: sandbox)
            #expect(again.status == 202 && again.headers["location"] == first.headers["location"])
            #expect(again.headers["idempotency-replayed"] == "true")
            #expect(try Curl([address]).status == 202)
            let outcome = try Curl([address])
            let expected =
                #"{"outcome":"verified","capture_id":"\#(sample.capture)","payload":[1.10],"drop_pieces":["selfie"]}"#
            #expect(outcome.status == 200 && outcome.body == expected)
            #expect(sandbox.record().probes.map(\.status) == [202, 202, 200])
            #expect(sandbox.record().effects == [sample.effect: 1])
        }
    }

    @Test func `what was accepted and lost did not arrive`() throws {
        try withSandbox(#"{"nth":1,"later":{"lost":true}}"#) { sandbox, sample in
            let first = try sample.send(to: sandbox)
            #expect(first.status == 202)
            let address = "http://127.0.0.1:\(sandbox.port)" + (try #require(first.headers["location"]))
            #expect(try Curl([address]).status == 404)
            #expect(sandbox.record().effects.isEmpty)
            #expect(try sample.send(to: sandbox).status == 200)
            #expect(sandbox.record().effects == [sample.effect: 1])
        }
    }

    @Test func `S14 a later outcome failed frees the key once it is known`() throws {
        try withSandbox(#"{"nth":1,"later":{"polls":0},"failed":{}}"#) { sandbox, sample in
            let first = try sample.send(to: sandbox)
            #expect(try sample.send(to: sandbox).status == 202)
            let address = "http://127.0.0.1:\(sandbox.port)" + (try #require(first.headers["location"]))
            #expect(try Curl([address]).body.contains("failed"))
            #expect(try sample.send(to: sandbox).body.contains("verified"))
            #expect(sandbox.record().effects == [sample.effect: 1])
        }
    }

    @Test func `a second request while the first is in progress is answered with 409, and stopping ends the wait`() async throws
    {
        let sandbox = try Sandbox(scenario: SandboxScenario(json: #"{"rules":[{"nth":1,"delay_ms":600000}]}"#))
        let sample = SampleCapture()
        async let slow = onThread { try sample.send(to: sandbox) }
        try await until { !sandbox.record().requests.isEmpty }
        #expect(try sample.send(to: sandbox).status == 409)
        #expect(sandbox.record().effects == [sample.effect: 1])
        sandbox.stop()
        #expect(try await slow.exitCode != 0)
    }

    @Test func `a client that goes away in the middle is noted and frees its key`() async throws {
        let sandbox = try Sandbox()
        defer { sandbox.stop() }
        let sample = SampleCapture()
        let gone = try Curl(
            sample.headers + ["-H", "Content-Length: 100000", "--max-time", "1", sandbox.verifierURL], input: sample.multipart)
        #expect(gone.status == 0)
        try await until { !sandbox.record().requests.isEmpty }
        #expect(sandbox.record().requests.map(\.status) == [0])
        #expect(try sample.send(to: sandbox).status == 200)
    }
}

/// Runs something that blocks for long on a thread of its own: Swift's own threads are as few as the cores.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
    }
}

/// Waits for something that another thread brings about; gives up after 20 seconds.
func until(_ isTrue: () -> Bool) async throws {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .seconds(20))
    while !isTrue() {
        try #require(clock.now < end, "It did not come to pass.")
        try await Task.sleep(for: .milliseconds(2))
    }
}
