import DeliveryMachine
import Sandbox
import SessionDomain
import Sync
import TestSupport
import Testing

/// The worker over libcurl against a strict server: every body is judged, every effect counted by what the body says.
@Suite struct SandboxDeliveryTests {
    typealias Rule = SandboxScenario.Rule
    typealias Match = SandboxScenario.Match

    @Test func `four pieces are delivered once each, with their payloads`() throws {
        let rig = try Rig()
        for (number, piece) in [Piece.passportFront, .passportBack, .selfie, .hologram].enumerated() {
            rig.add(number + 1, piece: piece)
        }
        let report = try rig.run()
        let record = rig.sandbox.record()
        #expect(record.requests.compactMap(\.problem) == [])
        #expect(report.verified == 4 && report.delivered == 4 && report.left == 0 && report.verdict == .drained)
        #expect(record.effects.count == 4 && record.effects.values.allSatisfy { $0 == 1 })
        #expect(record.keys == 4)
        #expect(rig.evidence.answers.count == 4)
        #expect(rig.queue.items.allSatisfy { $0.outcomes.count == 1 })
        #expect(rig.queue.items.filter(\.isMediaDestroyed).map(\.claim.piece) == [.hologram])
        #expect(rig.queue.items.allSatisfy { $0.attempts.first?.evidence != nil })
        #expect(record.requests.allSatisfy { $0.traceparent != nil })
    }

    @Test func `F1 an acknowledgement that is lost costs a second attempt and no second submission`() throws {
        for drop in [SandboxScenario.Drop.afterStoring, .whileAnswering] {
            for isReset in [false, true] {
                let rig = try Rig([Rule(Match(nth: .only([1]), per: .key), fault: .drop(drop, isReset: isReset))])
                let id = rig.add(1)
                let first = try rig.run()
                #expect(first.left + first.delivered == 1)
                let report = try rig.runUntilDone()
                let record = rig.sandbox.record()
                #expect(report.left == 0)
                #expect(record.effects.values.map { $0 } == [1])
                #expect(record.keys == 1)
                #expect(record.requests.count >= 2)
                #expect(Set(record.requests.map(\.fingerprint)).count == 1)
                #expect(rig.queue.item(id).outcomes.count == 1)
                #expect(rig.queue.item(id).attempts.first?.certainty == .unknown)
            }
        }
    }

    @Test func `F16 whatever breaks, a capture has one key, one body and one effect`() throws {
        var drops: [Rule] = []
        let kinds: [SandboxScenario.Drop] = [.beforeReading, .whileReading, .afterReading, .afterStoring, .whileAnswering]
        for (index, kind) in kinds.enumerated() {
            drops.append(
                Rule(
                    Match(nth: .only([index * 2 + 1, index * 2 + 2]), per: .request),
                    fault: .drop(kind, isReset: index % 2 == 0)))
        }
        let rig = try Rig(drops)
        for number in 1...5 { rig.add(number, piece: .selfie, [UInt8](repeating: UInt8(number), count: 300_000)) }
        let report = try rig.runUntilDone()
        let record = rig.sandbox.record()
        #expect(report.left == 0)
        #expect(record.keys == 5)
        #expect(record.effects.count == 5 && record.effects.values.allSatisfy { $0 == 1 })
        for (_, requests) in Dictionary(grouping: record.requests, by: \.key) {
            #expect(Set(requests.compactMap(\.fingerprint)).count <= 1)
        }
    }

    @Test func `F15 a success status with another body is retried and never taken for a yes`() throws {
        for body in [SandboxScenario.Body.html, .empty, .truncated, .wrongSchema, .wrongCapture] {
            let rig = try Rig([Rule(Match(nth: .only([1]), per: .key), fault: .body(body, isStored: false))])
            let id = rig.add(1)
            let first = try rig.run()
            #expect(first.verified == 0, "\(body)")
            #expect(rig.queue.item(id).outcomes.isEmpty)
            let report = try rig.runUntilDone()
            #expect(report.left == 0)
            #expect(rig.queue.item(id).outcomes.count == 1)
            #expect(rig.sandbox.record().effects.values.map { $0 } == [1])
        }
    }

    @Test func `F17 one delivery that always fails does not keep nineteen others waiting`() throws {
        let rig = try Rig([
            Rule(
                Match(captureID: Claims.verifier(7).capture.text),
                fault: .status(500, headers: [], isStored: false, isBeforeReading: false))
        ])
        for number in 1...20 { rig.add(number, session: number) }
        let report = try rig.run()
        #expect(report.delivered == 19)
        #expect(report.left == 1)
        let rest = try rig.runUntilDone()
        #expect(rest.left == 0)
        let poison = rig.queue.item(Claims.verifier(7).id)
        #expect(poison.state == .parked(.failedPermanently))
    }

    @Test func `F18 a delivery that never succeeds ends after exactly as many attempts as the cap`() throws {
        let rig = try Rig([Rule(fault: .status(500, headers: [], isStored: false, isBeforeReading: false))])
        rig.verifier.retry.attemptLimit = 4
        let id = rig.add(1)
        _ = try rig.runUntilDone()
        #expect(rig.queue.item(id).state == .parked(.failedPermanently))
        #expect(rig.queue.item(id).work.attempts == 4)
        #expect(rig.sandbox.record().requests.count == 4)
        #expect(rig.queue.item(id).attempts.last?.explanation == .attemptsSpent)
        let again = try rig.runUntilDone()
        #expect(again.parked == 0 && rig.sandbox.record().requests.count == 4)
    }

    @Test func `S14 failed sends the same capture again, with the same key and bytes`() throws {
        let rig = try Rig([Rule(Match(nth: .range(from: 1, to: 2), per: .key), answer: .failed(message: "later"))])
        let id = rig.add(1)
        let report = try rig.runUntilDone()
        let record = rig.sandbox.record()
        #expect(report.left == 0)
        #expect(record.keys == 1 && record.requests.count == 3)
        #expect(Set(record.requests.map(\.fingerprint)).count == 1)
        #expect(rig.queue.item(id).outcomes.count == 1)
    }

    @Test func `S12 rejected is delivered, with both reasons and the pieces to drop`() throws {
        let rig = try Rig([
            Rule(answer: .rejected(reason: "blurry", staffReason: "edge", dropPieces: ["passport_back", "visa"]))
        ])
        let id = rig.add(1)
        let report = try rig.run()
        #expect(report.rejected == 1 && report.delivered == 1 && report.left == 0)
        #expect(
            rig.queue.item(id).outcomes == [.rejected(reason: "blurry", staffReason: "edge", score: nil, drop: [.passportBack])]
        )
    }

    @Test func `S15 a payload keeps whatever JSON it is`() throws {
        let payload: SandboxJSON = ["name": "Ö", "deep": .array([.integer(1), .null, .bool(true)])]
        let rig = try Rig([Rule(answer: .verified(payload: payload, dropPieces: []))])
        let id = rig.add(1)
        _ = try rig.run()
        guard case .verified(let bytes, nil, []) = rig.queue.item(id).outcomes.first else { return #expect(Bool(false)) }
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"deep":[1,null,true],"name":"Ö"}"#)
    }

    @Test func `an accepted submission is asked for until its outcome is there`() throws {
        let rig = try Rig([Rule(later: .init(polls: 2, retryAfter: "0"))])
        rig.verifier.retry.pollMilliseconds = 20
        let id = rig.add(1)
        let report = try rig.run()
        #expect(report.verified == 1 && report.left == 0)
        #expect(rig.sandbox.record().probes.count == 3)
        #expect(rig.sandbox.record().requests.count == 1)
        #expect(rig.queue.item(id).attempts.map(\.kind) == [.send, .statusQuery, .statusQuery, .statusQuery])
    }

    @Test func `a submission that was accepted and lost is sent again`() throws {
        let rig = try Rig([Rule(Match(nth: .only([1]), per: .key), later: .init(polls: 0, retryAfter: "0", isLost: true))])
        rig.verifier.retry.pollMilliseconds = 20
        rig.add(1)
        let report = try rig.runUntilDone()
        #expect(report.left == 0)
        #expect(rig.sandbox.record().requests.count == 2)
        #expect(rig.sandbox.record().effects.values.map { $0 } == [1])
    }

    @Test func `S77 the digest of the video that arrives is the video's`() throws {
        let rig = try Rig()
        var random = SeededRandom(seed: 3)
        for (number, count) in [1, 2, 3, 65_535, 65_536, 200_001].enumerated() {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let id = rig.add(number + 1, piece: .hologram, bytes)
            _ = try rig.run()
            var hash = SHA256()
            hash.update(bytes)
            let hex = JSONHex.text(hash.finish())
            let request = try #require(rig.sandbox.record().requests.last)
            #expect(request.problem == nil && request.digest == hex)
            guard case .verified(_, 0.93, _) = rig.queue.item(id).outcomes.first else { return #expect(Bool(false)) }
        }
    }

    @Test func `nobody listens: nothing is spent, and the next run delivers`() throws {
        let rig = try Rig()
        let port = rig.sandbox.port
        rig.sandbox.stop()
        let id = rig.add(1)
        for _ in 0..<30 {
            let report = try rig.run()
            #expect(report.left == 1 && report.verdict == .workLeft)
            rig.ahead += 400 * 3_600_000
        }
        #expect(rig.queue.item(id).work.attempts == 0)
        #expect(rig.queue.item(id).work.firstSentAtMilliseconds == nil)
        let sandbox = try Sandbox(port: port)
        defer { sandbox.stop() }
        #expect(try rig.run().verified == 1)
        #expect(sandbox.record().effects.count == 1)
    }
}

enum JSONHex {
    static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
