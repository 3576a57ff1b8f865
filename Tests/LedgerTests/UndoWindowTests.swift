import DeliveryMachine
import EventStorage
import Sandbox
import SessionDomain
import SystemCalls
import Testing
import Vault

@testable import CaptureLedger
@testable import CaptureLedgerSync

/// S98: an erasure can be taken back for a while, and until then everything is shut.
@Suite struct UndoWindowTests {
    private static let day: Int64 = 86_400_000
    private static let hour: Int64 = 3_600_000
    private static let verifier = ClaimQuota(destination: DestinationName("verifier"), limit: 9)
    /// Everything that a session's state is made of.
    private static let tables = [
        "flow", "delivery", "private_lookup", "receipt", "session", "configuration", "erasure", "session_pause",
    ]

    private static func code(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? LedgerError)?.code.rawValue ?? "\(error)" }
        return nil
    }

    /// A session that was started with everything personal, with one verified piece and one that waits.
    private static func visit(_ ledger: Ledger, subject: String = "a person") throws -> (session: SessionID, capture: CaptureID)
    {
        var request = StartRequest(configuration: configuration([.passportFront, .selfie, .passportBack]))
        request.subject = subject
        request.clientKey = subject + " key"
        request.transactionID = subject + " transaction"
        let session = try ledger.start(request).session
        for (piece, name) in [(Piece.passportFront, "passport-front.jpg"), (.selfie, "selfie.jpg")] {
            let captured = try ledger.capture(
                CaptureRequest(session: session, piece: piece, path: fixture(name), source: .camera))
            guard case .captured = captured.outcome else { throw LedgerError.closed }
            _ = try ledger.confirm(piece, in: session, CommandOptions())
            guard piece == .passportFront else { continue }
            let queue = LedgerDeliveryQueue(ledger)
            let claims = try queue.claim([verifier], of: [session], nowMilliseconds: queue.clock.nowMilliseconds()) { _ in nil }
            let claim = try #require(claims.first)
            _ = try queue.settle([answer(claim, queue.clock.nowMilliseconds())])
            queue.close()
        }
        let capture = try #require(try ledger.session(session).flow.pieces.first?.captureID)
        return (session, capture)
    }

    private static func answer(_ claim: ClaimedDelivery, _ now: Int64) -> ClaimEnding {
        let attempt = AttemptRecord(
            kind: .send, startedAtMilliseconds: now, finishedAtMilliseconds: now, certainty: .answered, curlCode: 0,
            status: 200,
            bytesSent: 100, bytesReceived: 10, explanation: .init(rawValue: "verified"), tableVersion: 1)
        let outcome = DeliveryOutcome.verified(payload: Array(#"{"name":"A PERSON"}"#.utf8), score: nil, drop: [])
        return ClaimEnding(
            claim: claim,
            settlement: Settlement(work: claim.work, state: .delivered, attempt: attempt, outcome: outcome))
    }

    @Test func `S98 a request shuts the session by name, and a withdrawal brings all of it back`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let (session, capture) = try Self.visit(ledger)
        let (other, _) = try Self.visit(ledger, subject: "another person")
        let before = try Self.tables.map { try dump(ledger, $0) }
        let payloads = try ledger.session(session).payloads
        #expect(payloads.count == 1)

        let asked = try ledger.requestErasure(session)
        let request = try #require(asked.request)
        #expect(request.dueAtMilliseconds - request.requestedAtMilliseconds == Self.day)
        #expect(asked.recipients.map(\.isCertain) == [true] && asked.recipients.map(\.capture) == [capture])
        // asking again changes nothing
        #expect(try ledger.requestErasure(session, window: 5).request == request)
        #expect(try ledger.erasureRequests() == [request])

        #expect(try ledger.session(session).payloads.isEmpty)
        #expect(try ledger.snapshot(of: session).payloads.isEmpty)
        let last = try ledger.lastPosition()
        var start = StartRequest(configuration: configuration([.passportFront, .selfie, .passportBack]))
        start.clientKey = "a person key"
        let parked = try #require(try ledger.deliveries(of: session).last)
        let calls: [(String, () throws -> Void)] = [
            ("open", { _ = try ledger.openMedia(capture) }), ("open crop", { try ledger.requireNotErasing(session) }),
            ("seal", { _ = try ledger.sessionKey(session) }),
            (
                "capture",
                {
                    _ = try ledger.capture(
                        CaptureRequest(
                            session: session, piece: .passportBack, path: fixture("passport-back.jpg"), source: .camera))
                }
            ),
            ("start", { _ = try ledger.start(start) }),
            ("confirm", { _ = try ledger.confirm(.selfie, in: session, CommandOptions()) }),
            ("retake", { _ = try ledger.retake(.selfie, in: session, CommandOptions()) }),
            ("drop", { _ = try ledger.drop([.passportBack], in: session, CommandOptions()) }),
            ("suspend", { _ = try ledger.suspend(session, CommandOptions()) }),
            ("exit", { _ = try ledger.exit(session, CommandOptions()) }),
            ("cancel", { _ = try ledger.cancel(session, CommandOptions()) }),
            ("bind", { _ = try ledger.bindTransaction("t", in: session, CommandOptions()) }),
            ("requeue", { _ = try ledger.requeue(parked, CommandOptions()) }),
        ]
        for (name, call) in calls { #expect(Self.code(call) == "erasure_requested", "\(name)") }
        #expect(try ledger.lastPosition() == last)
        let queue = LedgerDeliveryQueue(ledger)
        let claimed = try queue.claim([Self.verifier], nowMilliseconds: queue.clock.nowMilliseconds())
        #expect(claimed.map(\.session) == [other])
        try queue.release(claimed)
        queue.close()

        _ = try ledger.withdrawErasure(session)
        #expect(try ledger.erasureRequests().isEmpty)
        #expect(Self.code { _ = try ledger.withdrawErasure(session) } == "erasure_not_requested")
        for (table, rows) in zip(Self.tables, before) {
            // the receipts of the two commands are the ledger's own
            let now = try dump(ledger, table).filter { table != "receipt" || !$0.hasPrefix("0,") }
            #expect(now == rows, "\(table)")
        }
        #expect(try ledger.session(session).payloads == payloads)
        let opened = try ledger.openMedia(capture)
        var bytes: [UInt8] = []
        while bytes.count < opened.byteCount { bytes += try opened.read(at: Int64(bytes.count), limit: 1 << 20) }
        #expect(try bytes == readFile(fixture("passport-front.jpg")))
        let next = LedgerDeliveryQueue(ledger)
        #expect(try next.claim([Self.verifier], nowMilliseconds: next.clock.nowMilliseconds()).count == 2)
        next.close()
        let types = try ledger.events(after: last).map(\.type) + ledger.events(after: last - 1).map(\.type)
        #expect(types.contains("erasure_requested") && types.contains("erasure_withdrawn"))
        ledger.closeAndWait()
        try Oracle.findsNothingWrong(temporary.path)
    }

    @Test(arguments: [1, -1])
    func `S98 a due erasure is done by whoever opens the ledger next, whatever the clock was set to`(sign: Int64) throws {
        let clock = SetClock()
        let temporary = try TemporaryLedger(clock: clock.ledgerClock)
        let (session, _) = try Self.visit(temporary.ledger)
        let (kept, _) = try Self.visit(temporary.ledger, subject: "another person")
        _ = try temporary.ledger.requestErasure(session)
        _ = try temporary.ledger.requestErasure(kept, window: 3 * Self.day)
        func reopened() throws -> Ledger {
            var options = LedgerOptions()
            options.clock = clock.ledgerClock
            return try Ledger.open(folder: temporary.path, options: options)
        }
        clock.pass(10 * Self.hour)
        clock.set(by: sign * 30 * Self.day)
        clock.pass(13 * Self.hour)
        do {
            let ledger = try reopened()
            defer { ledger.closeAndWait() }
            #expect(try ledger.session(session).flow.status != .erased)
            #expect(try ledger.erasureRequests().count == 2)
            // whoever writes notes the jump
            _ = try ledger.start(StartRequest(configuration: configuration([.selfie])))
            #expect(try ledger.erasureRequests(dueBy: clock.now).isEmpty)
        }
        clock.pass(2 * Self.hour)
        let ledger = try reopened()
        defer { ledger.closeAndWait() }
        #expect(try ledger.session(session).flow.status == .erased)
        #expect(try ledger.proveDeleted(session: session).isProved)
        #expect(try ledger.session(kept).flow.status != .erased)
        #expect(try ledger.erasureRequests().map(\.session) == [kept])
        #expect(Self.code { _ = try ledger.withdrawErasure(session) } == "session_erased")
    }

    @Test func `S98 an answer that was under way is on record in the window, and harmless after it`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let (person, _) = try Self.visit(ledger)
        let (other, _) = try Self.visit(ledger, subject: "another person")
        let queue = LedgerDeliveryQueue(ledger)
        let claims = try queue.claim([Self.verifier], nowMilliseconds: queue.clock.nowMilliseconds())
        try #require(claims.map(\.session) == [person, other])
        for session in [person, other] { _ = try ledger.requestErasure(session) }
        #expect(try queue.withdrawn(claims) == Set(claims.map(\.id)))
        #expect { _ = try queue.open(claims[0].capture) } throws: {
            ($0 as? DeliveryFault)?.code == .mediaUnavailable
        }
        // the answer was on its way when the request came: the tombstone has to know of it
        #expect(try queue.settle([Self.answer(claims[0], queue.clock.nowMilliseconds())]).isEmpty)
        #expect(try ledger.deliveries(of: person).map(\.status) == [.verified, .verified])
        #expect(try ledger.recipients(of: person).count { $0.isCertain } == 2)
        // and this one came when all was over: nobody knows the answer, but the endpoint may hold it
        let erased = try ledger.erase(other)
        #expect(erased.recipients.map(\.isCertain) == [true, false])
        let types = try ledger.timeline(other).map(\.type)
        #expect(try queue.settle([Self.answer(claims[1], queue.clock.nowMilliseconds())]).isEmpty)
        #expect(try ledger.timeline(other).map(\.type) == types && types.last == "session_erased")
        #expect(try ledger.deliveries(of: other).last?.status == .withdrawn)
        #expect(try ledger.recipients(of: other).map(\.isCertain) == [true, true])
        queue.close()
        ledger.closeAndWait()
        try Oracle.findsNothingWrong(temporary.path, erased: [other.text])
    }

    @Test(arguments: [false, true])
    func `S98 an erasure while a run sends leaves an answer that is on record, or nothing of it`(isNow: Bool) async throws {
        let site = try SyncWorkerTests.Site([.init(delayMilliseconds: 400)])
        let session = try site.start([.passportFront])
        try site.capture(.passportFront, "passport-front.jpg", in: session)
        let ledger = site.ledger
        let run = Task.detached { try ledger.synchronizeAndWait() }
        // the endpoint has it, and has not answered yet
        while site.sandbox.record().requests.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        if isNow {
            let erased = try ledger.erase(session)
            #expect(erased.withdrawnDeliveries == 1 && erased.recipients.map(\.isCertain) == [false])
        } else {
            _ = try ledger.requestErasure(session)
        }
        _ = try await run.value
        let delivery = try #require(try ledger.deliveries(of: session).first)
        #expect(try ledger.attempts(of: delivery).count <= 1)
        if isNow {
            #expect(delivery.status == .withdrawn)
            #expect(try ledger.timeline(session).last?.type == "session_erased")
            #expect(try tree(site.temporary.path + "/evidence") == [] && tree(site.temporary.path + "/media") == [])
            #expect(try ledger.proveDeleted(session: session).isProved)
        } else {
            #expect(delivery.status == .verified)
            #expect(try ledger.recipients(of: session).map(\.isCertain) == [true])
            #expect(try ledger.session(session).payloads.isEmpty)
            _ = try ledger.withdrawErasure(session)
            #expect(try ledger.session(session).payloads.count == 1)
        }
        ledger.closeAndWait()
        site.temporary.ledger.closeAndWait()
        try Oracle.findsNothingWrong(site.temporary.path, erased: isNow ? [session.text] : [])
    }

    @Test func `S98 the tombstone says who holds what, also in a ledger restored from before`() throws {
        let temporary = try TemporaryLedger()
        let ledger = temporary.ledger
        let backup = temporary.folder + "/before"
        var request = StartRequest(configuration: configuration([.selfie]))
        request.subject = "a person"
        let session = try ledger.start(request).session
        _ = try ledger.capture(
            CaptureRequest(session: session, piece: .selfie, path: fixture("selfie.jpg"), source: .camera))
        _ = try ledger.confirm(.selfie, in: session, CommandOptions())
        _ = try ledger.backup(to: backup)
        let queue = LedgerDeliveryQueue(ledger)
        let claim = try #require(try queue.claim([Self.verifier], nowMilliseconds: queue.clock.nowMilliseconds()).first)
        _ = try queue.settle([Self.answer(claim, queue.clock.nowMilliseconds())])
        queue.close()
        let erased = try ledger.erase(session)
        #expect(erased.recipients.map(\.destination) == ["verifier"] && erased.recipients.allSatisfy(\.isCertain))
        let line = try #require(try ledger.rememberedErasures(of: session).last)
        #expect(line.recipients == erased.recipients)
        #expect(!line.json.canonical.contains("person"))

        let report = try Ledger.restore(from: backup, to: temporary.folder + "/restored")
        #expect(report.erasedAgain == 1)
        let restored = try Ledger.open(folder: report.folder)
        defer { restored.closeAndWait() }
        // its own log knows nothing of the delivery
        #expect(try restored.attempts(of: try #require(try restored.deliveries(of: session).first)).isEmpty)
        #expect(try restored.recipients(of: session) == erased.recipients)
        #expect(try restored.find(.subject("a person")).isEmpty)
        #expect(try restored.proveDeleted(session: session).isProved)
    }

    @Test func `S98 a restored request has its window again, for the backup does not know that it was withdrawn`() throws {
        let clock = TurnedClock()
        let temporary = try TemporaryLedger(clock: LedgerClock { clock.now })
        let (session, capture) = try Self.visit(temporary.ledger)
        _ = try temporary.ledger.requestErasure(session)
        _ = try temporary.ledger.backup(to: temporary.folder + "/asked")
        _ = try temporary.ledger.withdrawErasure(session)
        clock.advance(5 * Self.day)
        var options = RestoreOptions()
        options.clock = LedgerClock { clock.now }
        let report = try Ledger.restore(from: temporary.folder + "/asked", to: temporary.folder + "/restored", options: options)
        #expect(try temporary.ledger.rememberedErasures(of: session) == [])
        var open = LedgerOptions()
        open.clock = LedgerClock { clock.now }
        let restored = try Ledger.open(folder: report.folder, options: open)
        defer { restored.closeAndWait() }
        #expect(try restored.erasureRequest(of: session)?.dueAtMilliseconds == clock.now + Self.day)
        #expect(Self.code { _ = try restored.openMedia(capture) } == "erasure_requested")
        _ = try restored.withdrawErasure(session)
        _ = try restored.openMedia(capture)
    }

    @Test func `S98 an erasure that cannot be remembered waits, keeps its session shut, and doctor names it`() throws {
        let clock = TurnedClock()
        let temporary = try TemporaryLedger(clock: LedgerClock { clock.now })
        let (session, _) = try Self.visit(temporary.ledger)
        _ = try temporary.ledger.requestErasure(session)
        let tombstones = try #require(temporary.ledger.settings.tombstonePath(in: temporary.path))
        try FileSystem.rename(tombstones, to: tombstones + ".away")
        clock.advance(2 * Self.day)
        var options = LedgerOptions()
        options.clock = LedgerClock { clock.now }
        let ledger = try Ledger.open(folder: temporary.path, options: options)
        defer { ledger.closeAndWait() }
        #expect(try ledger.executeDueErasures() == 0)
        #expect(try ledger.session(session).flow.status != .erased)
        #expect(Self.code { _ = try ledger.exit(session, CommandOptions()) } == "erasure_requested")
        #expect(try ledger.doctor(fix: false).findings.contains { $0.code == "erasure_stuck" })
        try FileSystem.rename(tombstones + ".away", to: tombstones)
        #expect(try ledger.doctor(fix: false).findings.contains { $0.code == "erasure_overdue" && !$0.fixed })
        #expect(try ledger.doctor(fix: true).findings.contains { $0.code == "erasure_overdue" && $0.fixed })
        #expect(try ledger.proveDeleted(session: session).isProved)
        #expect(try !ledger.doctor(fix: false).findings.contains { $0.code.hasPrefix("erasure") })
    }

    @Test func `S98 a request, its withdrawal and its time, all at once from two ledgers, end in one of two ways`() async throws
    {
        let clock = TurnedClock()
        let temporary = try TemporaryLedger(clock: LedgerClock { clock.now })
        var options = LedgerOptions()
        options.clock = LedgerClock { clock.now }
        let other = try Ledger.open(folder: temporary.path, options: options)
        defer { other.closeAndWait() }
        for round in 0..<6 {
            let session = try temporary.ledger.start(StartRequest(configuration: configuration([.selfie]))).session
            _ = try temporary.ledger.requestErasure(session, window: 10)
            clock.advance(11)
            let (first, second) = (temporary.ledger, other)
            async let executed: Void = Task.detached { _ = try? second.executeDueErasures() }.value
            async let undone = Task.detached { Self.code { _ = try first.withdrawErasure(session) } }.value
            let refusal = await undone
            await executed
            let isErased = try temporary.ledger.session(session).flow.status == .erased
            #expect(isErased == (refusal == "session_erased"), "round \(round): \(refusal ?? "withdrawn")")
            #expect(try temporary.ledger.erasureRequests().isEmpty)
            #expect(try temporary.ledger.keys.keyState(Int64(round + 1)) == (isErased ? .destroyed : .active))
        }
    }

    @Test func `a repeated command gets its first receipt, and a stale one is refused with both numbers`() throws {
        let temporary = try TemporaryLedger()
        let session = try temporary.ledger.start(StartRequest(configuration: configuration([.selfie]))).session
        var options = CommandOptions()
        options.expectedVersion = 7
        #expect(Self.code { _ = try temporary.ledger.requestErasure(session, options) } == "stale_version")
        options.expectedVersion = 1
        options.commandID = try commandID("once")
        let first = try temporary.ledger.requestErasure(session, options).receipt
        let again = try temporary.ledger.requestErasure(session, options).receipt
        #expect(again.positions == first.positions && again.isRepeat && !first.isRepeat)
        #expect(Self.code { _ = try temporary.ledger.withdrawErasure(session, options) } == "command_id_conflict")
        options.commandID = try commandID("twice")
        let undone = try temporary.ledger.withdrawErasure(session, options)
        #expect(try temporary.ledger.withdrawErasure(session, options).positions == undone.positions)
        #expect(try temporary.ledger.events(after: 0).map(\.type).filter { $0.hasPrefix("erasure") }.count == 2)
        // the window can be none
        #expect(try temporary.ledger.requestErasure(session, window: 0).request != nil)
        #expect(try temporary.ledger.executeDueErasures() == 1)
    }
}
