import DeliveryMachine
import SessionDomain
import TestSupport
import Testing

@Suite struct JudgementTests {
    static let now: Int64 = 1_800_000_000_000
    static let breaks: [Explanation] = [.notJSON, .noOutcome, .foreignAnswer, .noScore, .lengthsDiffer]
    var destination = Destination(name: Claims.verifier, kind: .verifier, url: "https://v.example/submit")
    var hologram = Destination(name: Claims.hologram, kind: .hologram, url: "https://h.example/detect")

    private func result(
        _ claim: ClaimedDelivery, _ status: Int, _ body: String = "", headers: [Header] = [], code: Int32 = 0,
        sent: Int64 = 100,
        fault: DeliveryFault? = nil
    ) -> TransferResult {
        TransferResult(
            token: claim.id, curlCode: code, status: status, headers: headers, body: Array(body.utf8), bytesSent: sent,
            startedAtMilliseconds: Self.now - 50, finishedAtMilliseconds: Self.now, localFault: fault)
    }

    private func judge(
        _ claim: ClaimedDelivery, _ result: TransferResult, by destination: Destination? = nil,
        state: DestinationState = .init(), kind: AttemptRecord.Kind = .send, credential: CredentialFacts = CredentialFacts(),
        at now: Int64 = now
    ) -> Settlement {
        var random = SeededGenerator(seed: 5)
        return DeliveryDecider(destination ?? self.destination).judge(
            EndedRequest(kind: kind, result: result, bodyLength: 100), of: claim, state: state, credential: credential,
            nowMilliseconds: now, using: &random)
    }

    private func yes(_ claim: ClaimedDelivery) -> String { #"{"outcome":"verified","capture_id":"\#(claim.capture.text)"}"# }

    private func waits(_ settlement: Settlement) -> Int64? {
        guard case .waiting(let until, _) = settlement.state else { return nil }
        return until - Self.now
    }

    private func pause(_ settlement: Settlement) -> DestinationPause? {
        for case .pause(let pause) in settlement.destinationChanges { return pause }
        return nil
    }

    // MARK: answers

    @Test func `an answer for another capture, or for none, is a broken contract`() {
        let claim = Claims.verifier(1)
        let other = Claims.verifier(2).capture.text
        for body in [
            #"{"outcome":"verified"}"#, #"{"outcome":"verified","capture_id":"\#(other)"}"#, "", "<html>", "[]", "null",
            #"{"capture_id":"\#(claim.capture.text)"}"#, #"{"outcome":"maybe","capture_id":"\#(claim.capture.text)"}"#,
            #"{"outcome":"verified","capture_id":"\#(claim.capture.text)","drop_pieces":"all"}"#,
            #"{"outcome":"rejected","capture_id":"\#(claim.capture.text)"}"#,
            #"{"outcome":"verified","outcome":"failed","capture_id":"\#(claim.capture.text)"}"#,
        ] {
            let settlement = judge(claim, result(claim, 200, body))
            #expect(settlement.outcome == nil, "\(body)")
            #expect(settlement.attempt.map { Self.breaks.contains($0.explanation) } == true, "\(body)")
            #expect(settlement.work.contractBreaks == 1 && settlement.work.attempts == 1)
        }
    }

    @Test func `two lengths that contradict each other are a broken contract`() {
        let claim = Claims.verifier(1)
        let count = yes(claim).utf8.count
        let (right, wrong) = (Header("Content-Length", "\(count)"), Header("content-length", "\(count + 1)"))
        for lengths in [[right, wrong], [wrong, right], [wrong], [Header("Content-Length", "\(count), \(count + 1)")]] {
            let settlement = judge(claim, result(claim, 200, yes(claim), headers: lengths))
            #expect(settlement.outcome == nil && settlement.attempt?.explanation == .lengthsDiffer)
        }
        for length in ["", "-1", "+\(count)", "0x10", "\(count).0", "99999999999999999999999"] {
            #expect(judge(claim, result(claim, 200, yes(claim), headers: [Header("Content-Length", length)])).outcome == nil)
        }
        for lengths in [[], [right], [right, right], [Header("Content-Length", " \(count), \(count)\t")]] {
            #expect(judge(claim, result(claim, 200, yes(claim), headers: lengths)).outcome != nil)
        }
        let packed = [wrong, Header("Content-Encoding", "gzip")]
        #expect(judge(claim, result(claim, 200, yes(claim), headers: packed)).outcome != nil)
    }

    @Test func `a mapping reads an endpoint with names of its own`() {
        let claim = Claims.verifier(1)
        var other = destination
        other.mapping.outcome = "/result/0/ok"
        other.mapping.verifiedValues = ["true", "1"]
        other.mapping.rejectedValues = ["false"]
        other.mapping.payload = "/result/0/data"
        other.mapping.reason = nil
        other.mapping.captureID = nil
        let accepted = judge(claim, result(claim, 201, #"{"result":[{"ok":true,"data":{"n":1}}]}"#), by: other)
        #expect(accepted.outcome == .verified(payload: Array(#"{"n":1}"#.utf8), score: nil, drop: []))
        let refused = judge(claim, result(claim, 200, #"{"result":[{"ok":false}]}"#), by: other)
        #expect(refused.outcome == .rejected(reason: "", staffReason: nil, score: nil, drop: []))
    }

    @Test(arguments: [
        "{}", #"{"controlResults":[]}"#, #"{"controlResults":[{"entryType":"hologram","entryScore":1}]}"#,
        #"{"controlResults":[{"entryType":"HOLOGRAM"}]}"#, #"{"controlResults":[{"entryType":"HOLOGRAM","entryScore":null}]}"#,
        #"{"controlResults":[{"entryType":"HOLOGRAM","entryScore":"0.9"}]}"#,
        #"{"controlResults":[{"entryType":"HOLOGRAM","entryScore":null},{"entryType":"HOLOGRAM","entryScore":0.9}]}"#,
        #"{"controlResults":{"entryType":"HOLOGRAM","entryScore":0.9}}"#,
    ])
    func `S78 an answer without a score is a broken contract and never a zero`(body: String) {
        let claim = Claims.hologram(1)
        let settlement = judge(claim, result(claim, 200, body), by: hologram)
        #expect(settlement.outcome == nil && !settlement.destroysMedia)
        #expect(settlement.attempt.map { [.noScore, .notJSON].contains($0.explanation) } == true)
    }

    @Test func `S78 the score is that of the first entry of that type, and the rest is kept`() {
        let claim = Claims.hologram(1)
        let body =
            #"{"controlResults":[{"entryType":"FACE","entryScore":1},{"entryType":"HOLOGRAM","entryScore":0},"#
            + #"{"entryType":"HOLOGRAM","entryScore":0.9}],"more":true}"#
        let settlement = judge(claim, result(claim, 200, body), by: hologram)
        guard case .verified(let payload, let score, _) = settlement.outcome else { return #expect(Bool(false)) }
        #expect(score == 0)
        #expect(String(decoding: payload, as: UTF8.self).contains(#""more":true"#))
        #expect(settlement.destroysMedia)
    }

    @Test func `S79 a low score is an answer, a failed call is none; only a pass mark makes it a rejection`() {
        let body = #"{"controlResults":[{"entryType":"HOLOGRAM","entryScore":0.1}]}"#
        let claim = Claims.hologram(1)
        let low = judge(claim, result(claim, 200, body), by: hologram)
        #expect(low.state == .delivered && low.attempt?.explanation == .verified)
        let strict = Claims.hologram(1, passMark: 0.5)
        let below = judge(strict, result(strict, 200, body), by: hologram)
        #expect(below.state == .delivered && below.attempt?.explanation == .rejected)
        let broken = judge(claim, result(claim, 500), by: hologram)
        #expect(broken.outcome == nil && !broken.destroysMedia && waits(broken) != nil)
    }

    // MARK: what is spent

    @Test func `not sent spends neither attempt nor age`() {
        var work = DeliveryWork()
        work.attempts = 24
        work.firstSentAtMilliseconds = Self.now - 80 * 3_600_000
        let claim = Claims.verifier(1, work: work)
        let settlement = judge(claim, result(claim, 0, code: 7, sent: 0))
        #expect(settlement.work == work)
        #expect(settlement.attempt?.certainty == .notSent)
        let fresh = Claims.verifier(1)
        #expect(judge(fresh, result(fresh, 0, code: 28, sent: 0)).work == DeliveryWork())
    }

    @Test func `unknown spends an attempt, starts the age and is remembered`() {
        let claim = Claims.verifier(1)
        let settlement = judge(claim, result(claim, 100, code: 56))
        #expect(settlement.work.attempts == 1 && settlement.work.isUnclear)
        #expect(settlement.work.firstSentAtMilliseconds == Self.now - 50)
        #expect((0..<2_000).contains(waits(settlement) ?? -1))
    }

    @Test func `the twenty-fifth attempt, or the seventy-third hour, is the last`() {
        var work = DeliveryWork()
        work.attempts = 24
        let last = Claims.verifier(1, work: work)
        #expect(judge(last, result(last, 500)).state == .parked(.failedPermanently))
        work.attempts = 23
        let claim = Claims.verifier(1, work: work)
        #expect(waits(judge(claim, result(claim, 500))) != nil)
        work.attempts = 2
        work.firstSentAtMilliseconds = Self.now - 72 * 3_600_000
        let young = Claims.verifier(1, work: work)
        #expect(waits(judge(young, result(young, 500))) != nil)
        let old = judge(young, result(young, 500), at: Self.now + 1)
        #expect(old.state == .parked(.failedPermanently) && old.attempt?.explanation == .tooOld)
    }

    @Test func `Retry-After is honoured on any status, and longer than the back-off`() {
        let claim = Claims.verifier(1)
        for status in [408, 409, 429, 500, 503, 599] {
            let settlement = judge(claim, result(claim, status, headers: [Header("Retry-After", "7200")]))
            #expect((7_200_000..<7_260_000).contains(waits(settlement) ?? 0), "\(status)")
        }
        let failed = #"{"outcome":"failed","message":"m","capture_id":"\#(claim.capture.text)"}"#
        let asked = waits(judge(claim, result(claim, 200, failed, headers: [Header("Retry-After", "60")])))
        #expect((60_000..<120_000).contains(asked ?? 0))
    }

    // MARK: pauses

    @Test func `what pauses a destination spends no attempt of the delivery`() {
        let claim = Claims.verifier(1)
        for status in [301, 308, 401, 403, 404, 405, 407, 410, 501, 511] {
            let settlement = judge(claim, result(claim, status))
            #expect(settlement.work.attempts == 0 && waits(settlement) == 0, "\(status)")
            #expect(pause(settlement) != nil, "\(status)")
        }
        for code in [Int32(58), 60, 77, 90, 91] {
            let settlement = judge(claim, result(claim, 0, code: code, sent: 0))
            #expect(pause(settlement)?.reason == .untrusted, "\(code)")
            #expect(settlement.work == DeliveryWork())
        }
    }

    @Test func `a pause after 401 waits for another credential, one after 410 for a person, others for a probe`() {
        let claim = Claims.verifier(1)
        let refused = pause(judge(claim, result(claim, 401), credential: CredentialFacts(fingerprint: "one")))
        #expect(refused?.probeAtMilliseconds == nil && refused?.credentialFingerprint == "one")
        #expect(pause(judge(claim, result(claim, 410)))?.probeAtMilliseconds == nil)
        #expect(pause(judge(claim, result(claim, 404)))?.probeAtMilliseconds == Self.now + 900_000)

        var state = DestinationState()
        state.pause = refused
        let decider = DeliveryDecider(destination)
        #expect(decider.quota(state, underWay: 0, fingerprint: "one", nowMilliseconds: .max) == 0)
        #expect(decider.quota(state, underWay: 0, fingerprint: "two", nowMilliseconds: 0) == 4)
        state.pause = pause(judge(claim, result(claim, 404)))
        #expect(decider.quota(state, underWay: 0, fingerprint: nil, nowMilliseconds: Self.now + 899_999) == 0)
        #expect(decider.quota(state, underWay: 0, fingerprint: nil, nowMilliseconds: Self.now + 900_000) == 1)
        #expect(decider.quota(state, underWay: 1, fingerprint: nil, nowMilliseconds: Self.now + 900_000) == 0)
    }

    @Test func `a probe that succeeds lifts the pause, one that fails puts the next off`() {
        var state = DestinationState()
        state.pause = DestinationPause(reason: .endpointRefuses, sinceMilliseconds: 5, probeAtMilliseconds: Self.now)
        let claim = Claims.verifier(1)
        #expect(judge(claim, result(claim, 200, yes(claim)), state: state).destinationChanges.contains(.resume))
        let failed = judge(claim, result(claim, 500), state: state)
        #expect(failed.work.attempts == 0)
        #expect(pause(failed)?.probeAtMilliseconds == Self.now + 900_000 && pause(failed)?.sinceMilliseconds == 5)
        let away = judge(claim, result(claim, 0, code: 7, sent: 0), state: state)
        #expect(pause(away)?.probeAtMilliseconds == Self.now + 900_000)
    }

    @Test func `broken contracts of two deliveries in a row pause the destination`() {
        let (first, second) = (Claims.verifier(1), Claims.verifier(2))
        var state = DestinationState()
        for change in judge(first, result(first, 200, "<html>")).destinationChanges { state.apply(change) }
        #expect(state.pause == nil && state.contractBreakWitness == first.id)
        let settlement = judge(second, result(second, 200, "<html>"), state: state)
        #expect(pause(settlement)?.reason == .contractBreak)
        #expect(settlement.work.attempts == 0 && settlement.work.contractBreaks == 0)
    }

    @Test func `a delivery is parked after three broken contracts only when others get through`() {
        var work = DeliveryWork()
        work.contractBreaks = 2
        work.firstSentAtMilliseconds = Self.now - 5_000
        let claim = Claims.verifier(1, work: work)
        var state = DestinationState()
        state.contractBreakWitness = claim.id
        #expect(waits(judge(claim, result(claim, 200, "{}"), state: state)) != nil)
        state.lastDeliveredAtMilliseconds = Self.now - 1_000
        #expect(judge(claim, result(claim, 200, "{}"), state: state).state == .parked(.contractBreak))
        state.lastDeliveredAtMilliseconds = Self.now - 9_000
        #expect(waits(judge(claim, result(claim, 200, "{}"), state: state)) != nil)
    }

    // MARK: parking

    @Test func `a refusal of the request itself parks the delivery at once`() {
        let claim = Claims.verifier(1)
        for status in [400, 411, 413, 414, 415, 431, 451, 418] {
            #expect(judge(claim, result(claim, status)).state == .parked(.refusedByEndpoint), "\(status)")
        }
        #expect(judge(claim, result(claim, 422)).state == .parked(.keyReused))
    }

    @Test func `our own media that does not open is parked, sent by nobody and never destroyed`() {
        let fault = DeliveryFault(.mediaUnreadable, message: "m", remedy: "r")
        let claim = Claims.hologram(1)
        for (code, sent) in [(Int32(42), Int64(0)), (42, 50)] {
            let settlement = judge(claim, result(claim, 0, code: code, sent: sent, fault: fault), by: hologram)
            #expect(settlement.state == .parked(.mediaUnreadable) && !settlement.destroysMedia)
        }
    }

    @Test func `the fourth claim without a settlement is not worked on`() {
        for claims in 1...4 {
            let step = DeliveryDecider(destination).begin(Claims.verifier(1, claims: claims), nowMilliseconds: 0)
            if case .settle(let settlement) = step {
                #expect(claims == 4 && settlement.state == .parked(.quarantined))
            } else {
                #expect(claims < 4)
            }
        }
    }

    @Test func `S80 the video of a hologram that is quarantined stays: nobody has said anything about it yet`() {
        let step = DeliveryDecider(hologram).begin(Claims.hologram(1, claims: 4), nowMilliseconds: 0)
        guard case .settle(let settlement) = step else {
            Issue.record("it would be tried a fourth time")
            return
        }
        #expect(settlement.state == .parked(.quarantined) && !settlement.destroysMedia)
    }

    // MARK: S80, strict

    @Test func `S80 strict: not sent may retry, unknown and every refusal after the last byte ask for a new recording`() {
        var strict = hologram
        strict.destroysMediaAfterSending = true
        let claim = Claims.hologram(1)
        let away = judge(claim, result(claim, 0, code: 7, sent: 0), by: strict)
        #expect(waits(away) != nil && !away.destroysMedia)
        for ended in [
            result(claim, 0, code: 52), result(claim, 100, code: 56, sent: 20), result(claim, 500), result(claim, 401),
            result(claim, 200, "<html>"),
        ] {
            let settlement = judge(claim, ended, by: strict)
            #expect(settlement.state == .parked(.mediaDestroyed) && settlement.destroysMedia)
        }
        // our own copy stops opening: before a byte it may come back, half-way nobody knows what arrived
        for (sent, cause) in [(Int64(0), ParkCause.mediaUnreadable), (20, .mediaDestroyed)] {
            var damaged = result(claim, 0, code: 42, sent: sent)
            damaged.localFault = DeliveryFault(.mediaUnreadable, message: "", remedy: "")
            let settlement = judge(claim, damaged, by: strict)
            #expect(settlement.state == .parked(cause) && settlement.destroysMedia == (sent > 0))
        }
        let early = judge(claim, result(claim, 503, sent: 20), by: strict)
        #expect(waits(early) != nil && !early.destroysMedia)
        let frozen = BodyWriter.body(for: claim, kind: .hologram)
        let reclaimed = DeliveryDecider(strict).begin(Claims.hologram(1, claims: 2, frozen: frozen), nowMilliseconds: 0)
        guard case .settle(let settlement) = reclaimed else { return #expect(Bool(false)) }
        #expect(settlement.state == .parked(.mediaDestroyed) && settlement.destroysMedia)
    }

    @Test func `S80 the video goes with the answer and with giving up`() {
        let claim = Claims.hologram(1)
        #expect(judge(claim, result(claim, 413), by: hologram).destroysMedia)
        #expect(!judge(claim, result(claim, 503), by: hologram).destroysMedia)
        let selfie = Claims.verifier(1)
        #expect(!judge(selfie, result(selfie, 413)).destroysMedia)
        #expect(!judge(selfie, result(selfie, 200, yes(selfie))).destroysMedia)
    }

    // MARK: status address

    @Test func `a lost answer is asked for where there is a status address, and 404 there means that it did not arrive`() {
        var asking = destination
        asking.statusURL = "https://v.example/status/{key}"
        var work = DeliveryWork()
        work.isUnclear = true
        let claim = Claims.verifier(1, work: work)
        guard case .ask(let url) = DeliveryDecider(asking).begin(claim, nowMilliseconds: 0) else { return #expect(Bool(false)) }
        #expect(url == "https://v.example/status/\(claim.id.text)")
        let missing = judge(claim, result(claim, 404), by: asking, kind: .statusQuery)
        #expect(!missing.work.isUnclear && pause(missing) == nil && waits(missing) != nil)
        let found = judge(claim, result(claim, 200, yes(claim)), by: asking, kind: .statusQuery)
        #expect(found.state == .delivered)
        guard case .send = DeliveryDecider(destination).begin(claim, nowMilliseconds: 0) else { return #expect(Bool(false)) }
    }

    @Test func `a status address of another origin is a broken contract`() {
        let claim = Claims.verifier(1)
        let good = judge(claim, result(claim, 202, headers: [Header("Location", "/status/9")]))
        #expect(good.work.statusAddress == "https://v.example/status/9" && good.work.attempts == 0)
        #expect(waits(good) == 2_000)
        for location in ["https://evil.example/status/9", "http://v.example/status/9"] {
            let bad = judge(claim, result(claim, 202, headers: [Header("Location", location)]))
            #expect(bad.work.statusAddress == nil && bad.attempt?.explanation == .foreignStatusAddress)
        }
        #expect(judge(claim, result(claim, 202)).attempt?.explanation == .noStatusAddress)
        #expect(judge(claim, result(claim, 202, #"{"status_url":"/s/1"}"#)).work.statusAddress == "https://v.example/s/1")
    }
}
