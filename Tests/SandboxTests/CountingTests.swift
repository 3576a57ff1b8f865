import Foundation
import LocalHTTP
import Testing

@testable import Sandbox

struct `Counting` {
    private static let seed =
        UInt64(ProcessInfo.processInfo.environment["CAPTURE_LEDGER_SEED"] ?? "") ?? UInt64.random(in: 0 ... .max)

    private static let scenario = """
        {"rules":[{"nth":[1,4],"drop":"after_storing"},{"nth":2,"per":"key","failed":{}},{"nth":3,"per":"capture","status":503},
        {"nth":5,"body":"html","store":true},{"nth":7,"later":{"polls":0},"failed":{}},{"nth":8,"later":{"lost":true}},
        {"nth":9,"drop":"after_reading"}]}
        """

    @Test func `an effect is what its body says, once for each key at the most, whatever goes wrong`() throws {
        var random = SplitMix(state: Self.seed)
        print("seed \(Self.seed)")
        for _ in 0..<50 {
            var endpoints = Endpoints(try SandboxScenario(json: Self.scenario))
            var keysOfCapture: [String: Set<String>] = [:]
            var firstBodyOfKey: [String: String] = [:]
            for _ in 0..<60 {
                let capture = "0195b1d2-0000-7000-8000-00000000000\(random.next() % 3)"
                let key = "0195b1d2-0000-7000-8000-0000000000f\(random.next() % 4)"
                let submission = Submission(
                    destination: .verifier, sessionID: "s", piece: "selfie", captureID: capture, digest: "d", bytes: 1,
                    fingerprint: capture)
                let head = HTTPRequestHead(method: "POST", path: "/", headers: ["Idempotency-Key": key])
                let (arrival, _) = endpoints.arrive(.verifier, RequestHeaders(head, .verifier, authorization: nil))
                let before = endpoints.record.effects
                let decision = endpoints.decide(arrival, .success(submission))
                endpoints.note(decision.request)
                endpoints.depart(arrival)

                let belongs = firstBodyOfKey[key, default: capture] == capture
                firstBodyOfKey[key] = firstBodyOfKey[key, default: capture]
                #expect((decision.request.problem != nil) == !belongs)
                if decision.request.isEffect {
                    #expect(
                        keysOfCapture[capture, default: []].insert(key).inserted, "a key had two effects, seed \(Self.seed)")
                    #expect(endpoints.record.effects[submission.effectName] == before[submission.effectName, default: 0] + 1)
                } else {
                    #expect(endpoints.record.effects == before)
                }
                if case .accepted(let token, _, _, _) = decision.reply { _ = endpoints.probe(token) }
            }
            let counted = keysOfCapture.map { $0.value.count }.reduce(0, +)
            #expect(endpoints.record.effects.values.reduce(0, +) == counted)
            #expect(endpoints.record.requests.count { $0.isEffect } == counted)
            #expect(endpoints.record.keys == firstBodyOfKey.count)
        }
    }
}

/// SplitMix64, so that a printed seed gives the same run again.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
