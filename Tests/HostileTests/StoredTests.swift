import DeliveryMachine
import SessionDomain
import Sync
import Testing

@testable import CaptureLedger
@testable import CaptureLedgerSync

/// The same behaviours through everything: a ledger on disk, sealed media and answers, the worker's façade, libcurl, TLS.
@Suite struct StoredTests {
    struct Case: Sendable {
        let behaviour: String
        var options = "{}"
        let expected: Expected
        var piece = Piece.passportFront
        /// A hologram's submission is known by its video alone: no two share one.
        var file: String?
    }

    static let cases: [Case] = [
        Case(behaviour: "reset-without-answer", expected: .lost),
        Case(behaviour: "close-mid-answer", expected: .lost),
        Case(behaviour: "reset-mid-body", expected: .lost),
        Case(behaviour: "garbage", expected: .lost),
        Case(behaviour: "chunked-cut", expected: .lost),
        Case(behaviour: "body", options: #"{"is":"html"}"#, expected: .broken(.notJSON)),
        Case(behaviour: "two-lengths-last-right", expected: .broken(.lengthsDiffer)),
        Case(behaviour: "body", options: #"{"is":"other-capture"}"#, expected: .broken(.foreignAnswer)),
        Case(behaviour: "body", options: #"{"is":"failed"}"#, expected: .retries(.failed)),
        Case(behaviour: "status", options: #"{"status":500}"#, expected: .retries(.endpointFailed)),
        Case(
            behaviour: "status", options: #"{"status":503,"headers":["Retry-After: 1800"]}"#,
            expected: .retries(.throttled, atLeast: 1_800)),
        Case(behaviour: "status", options: #"{"status":409}"#, expected: .retries(.stillInProgress)),
        Case(behaviour: "status", options: #"{"status":302,"headers":["Location: {other}/"]}"#, expected: .pauses(.redirected)),
        Case(behaviour: "status", options: #"{"status":404}"#, expected: .pauses(.endpointRefuses)),
        Case(behaviour: "accepted", options: #"{"headers":["Location: /status/{key}"]}"#, expected: .accepted),
        Case(behaviour: "reset-mid-answer", expected: .lost, piece: .hologram),
        Case(
            behaviour: "body", options: #"{"is":"score-null"}"#, expected: .broken(.noScore), piece: .hologram,
            file: "videos/rotated-90.mov"),
    ]

    @Test func `F1 F15 F16 what was lost is found again: one submission each, every answer kept, sealed`() throws {
        let site = try StoredSite()
        for one in Self.cases {
            let session = try site.start([one.piece])
            let id = try site.capture(one.piece, one.file, in: session)
            try site.server.rule(id, one.behaviour, one.options)
            let before = site.clock.now
            _ = try site.sync()
            let delivery = try #require(try site.ledger.deliveries(of: session).first)
            let attempt = try #require(try site.ledger.attempts(of: delivery).last)
            #expect(
                attempt.certainty == one.expected.certainty.rawValue && attempt.explanation == one.expected.why.rawValue,
                "\(one.behaviour) \(one.options): \(attempt)")
            #expect(delivery.attempts == one.expected.attempts, "\(one.behaviour) \(one.options)")
            #expect(delivery.status == .waiting)
            if case .waits(let seconds) = one.expected.next {
                #expect(try #require(delivery.nextAttemptAtMilliseconds) >= before + seconds * 1_000, "\(one.behaviour)")
            }
            let isPaused: Bool = try !site.ledger.pauses().isEmpty
            #expect(isPaused == (one.expected.next == .pauses))
            // what came back whole is kept, whatever it says
            #expect((attempt.evidenceID != nil) == (one.expected.certainty == .answered), "\(one.behaviour): \(attempt)")
            #expect((attempt.evidenceDigest != nil) == (attempt.evidenceID != nil))

            try site.server.heal(id)
            try site.reopen()
            site.clock.advance(3_700_000)
            let report = try site.sync()
            #expect(report.verified == 1 && report.left == 0 && report.paused.isEmpty, "\(one.behaviour): \(report)")
            #expect(try site.ledger.session(session).flow.status == .completed)
            let last = try #require(try site.ledger.attempts(of: delivery).last)
            #expect(last.evidenceID != nil && last.explanation == "verified")
        }
        try site.everythingIsSound(deliveries: Self.cases.count)
    }

    @Test func `S13 what an endpoint refuses for good is parked once, and can be sent again with the same key and bytes`()
        throws
    {
        let site = try StoredSite()
        for (status, cause) in [(400, "refused_by_endpoint"), (413, "refused_by_endpoint"), (422, "key_reused")] {
            let session = try site.start([.selfie])
            let id = try site.capture(.selfie, in: session)
            try site.server.rule(id, "status", #"{"status":\#(status),"headers":["Content-Type: application/json"]}"#)
            #expect(try site.sync().parked == 1)
            #expect(try site.sync().parked == 0)
            let delivery = try #require(try site.ledger.deliveries(of: session).first)
            #expect(delivery.status == .parked && delivery.cause == cause)
            #expect(try site.ledger.timeline(session).map(\.type).count { $0 == "piece_delivery_parked" } == 1)
            try site.server.heal(id)
            _ = try site.ledger.requeue(delivery, CommandOptions())
            #expect(try site.drain().left == 0)
            #expect(try site.ledger.session(session).flow.status == .completed)
            #expect(try site.server.requests(id).count == 2)
        }
        try site.everythingIsSound(deliveries: 3)
    }

    @Test func `F2 nothing of a capture that was rejected stands in a later request`() throws {
        let site = try StoredSite()
        let session = try site.start([.passportFront])
        let first = try site.capture(.passportFront, in: session)
        let old = try #require(try site.ledger.deliveries(of: session).first).capture
        try site.server.rule(first, "accepted", #"{"headers":["Location: /status/{key}/remote-7e57"]}"#, times: 1)
        #expect(try site.sync().left == 1)
        try site.server.rule(first, "rejected-later", times: 1)
        site.clock.advance(3_700_000)
        #expect(try site.sync().rejected == 1)
        let dead = [old.text, first.text, "remote-7e57"]
        let before = try site.server.mentions(old.text).of
        for text in dead { #expect(try site.server.mentions(text).numbers.isEmpty == false) }

        let second = try site.capture(.passportFront, "passport-front-retake.jpg", in: session)
        #expect(second != first)
        try site.server.rule(second, "reset-without-answer", times: 1)
        #expect(try site.drain().left == 0)
        #expect(try site.ledger.session(session).flow.status == .completed)
        #expect(try site.server.requests(second).count == 2)
        for text in dead { #expect(try site.server.mentions(text).numbers.allSatisfy { $0 <= before }, "\(text)") }
        try site.everythingIsSound(deliveries: 2)
    }

    @Test func `F3 a retake replaces: one front is sent, the newer one, and the older stays in the log`() throws {
        let site = try StoredSite()
        let session = try site.start([.passportFront])
        let first = try site.capture(.passportFront, in: session)
        let old = try #require(try site.ledger.deliveries(of: session).first).capture
        // even one that the endpoint may have had already
        try site.server.rule(first, "reset-during-headers", times: 1)
        #expect(try site.sync().left == 1)
        let before = try site.server.mentions(old.text).of
        let second = try site.capture(.passportFront, "passport-front-retake.jpg", in: session)
        site.clock.advance(3_700_000)
        let report = try site.sync()
        #expect(report.verified == 1 && report.left == 0)
        #expect(try site.server.requests(second).map(\.taken) == ["effect"])
        #expect(try site.server.requests(first).count == 1)
        #expect(try site.server.mentions(old.text).numbers.allSatisfy { $0 <= before })
        let types = try site.ledger.timeline(session).map(\.type)
        #expect(types.count { $0 == "piece_captured" } == 2 && types.count { $0 == "piece_verified" } == 1, "\(types)")
        #expect(try site.ledger.deliveries(of: session).map(\.status) == [.withdrawn, .verified])
        try site.everythingIsSound(deliveries: 2)
    }
}
