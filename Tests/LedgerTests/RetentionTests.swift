import DeliveryMachine
import EventStorage
import Glibc
import SessionDomain
import SystemCalls
import TestSupport
import Testing
import Vault

@testable import CaptureLedger

/// F21, S80: originals go when a rule says so, and nothing of them stays anywhere; what was decided stays.
@Suite struct RetentionTests {
    private static let day: Int64 = 86_400_000
    private static let verifier = DestinationName("verifier")

    /// A ledger with rules, and a clock that tests turn.
    private final class Site {
        let clock = TurnedClock()
        let temporary: TemporaryLedger
        private(set) var ledger: Ledger

        init(_ rules: String) throws {
            let clock = clock
            temporary = try TemporaryLedger(clock: LedgerClock { clock.now })
            temporary.ledger.closeAndWait()
            try write(rules, temporary.path)
            ledger = try Self.open(temporary.path, clock)
        }

        deinit { ledger.closeAndWait() }

        func reopen() throws {
            ledger.closeAndWait()
            ledger = try Self.open(temporary.path, clock)
        }

        static func open(_ path: String, _ clock: TurnedClock) throws -> Ledger {
            var options = LedgerOptions()
            options.clock = LedgerClock { clock.now }
            return try Ledger.open(folder: path, options: options)
        }

        func session(_ pieces: [Piece] = [.passportFront, .selfie]) throws -> SessionID {
            try ledger.start(StartRequest(configuration: configuration(pieces))).session
        }

        @discardableResult
        func capture(_ piece: Piece, in session: SessionID, _ media: Marked? = nil, confirms: Bool = true) throws -> CaptureID {
            let name = piece == .selfie ? "selfie.jpg" : "passport-front.jpg"
            // no picture is taken twice
            let path = try media?.path ?? Marked(name, in: temporary.folder).path
            let captured = try ledger.capture(
                CaptureRequest(session: session, piece: piece, path: path, source: .camera))
            guard case .captured(let id, _) = captured.outcome else { throw LedgerError.closed }
            if confirms { _ = try ledger.confirm(piece, in: session, CommandOptions()) }
            return id
        }

        func answer(_ session: SessionID, verified: Bool) throws {
            let queue = LedgerDeliveryQueue(ledger)
            let quota = ClaimQuota(destination: verifier, limit: 1)
            let claims = try queue.claim([quota], of: [session], nowMilliseconds: clock.now) { _ in nil }
            let claim = try #require(claims.first)
            let attempt = AttemptRecord(
                kind: .send, startedAtMilliseconds: clock.now, finishedAtMilliseconds: clock.now, certainty: .answered,
                curlCode: 0, status: 200, bytesSent: 1, bytesReceived: 1, explanation: .answered, tableVersion: 1)
            let outcome: DeliveryOutcome =
                verified
                ? .verified(payload: Array("{}".utf8), score: nil, drop: [])
                : .rejected(reason: "dark", staffReason: nil, score: nil, drop: [])
            _ = try queue.settle([
                ClaimEnding(
                    claim: claim,
                    settlement: Settlement(work: claim.work, state: .delivered, attempt: attempt, outcome: outcome))
            ])
            queue.close()
        }

        func holds(_ capture: CaptureID) throws -> Bool { try ledger.holdsMedia(of: capture) }
    }

    private static func write(_ rules: String, _ ledger: String) throws {
        let path = ledger + "/capture-ledger.json5"
        let text = String(decoding: try readFile(path), as: UTF8.self)
        let changed = text.replacing("  privacy: {", with: "  privacy: { retention: [\(rules)],")
        try #require(changed != text)
        try FileSystem.remove(path)
        try FileDescriptor(opening: path, .createNew).write(Array(changed.utf8))
    }

    @Test func `each rule takes its piece, its status and its age, and nothing else`() throws {
        let site = try Site(
            """
            { piece: "passport_front", status: "verified", after: "30d" }, { status: "rejected", after: "12h" },
            { piece: "selfie", status: "superseded", after: 3600 }, { status: "cancelled", after: "1d" },
            { status: "any", after: "365d" },
            """)
        let session = try site.session()
        let front = try site.capture(.passportFront, in: session)
        try site.answer(session, verified: true)
        let dark = try site.capture(.selfie, in: session)
        try site.answer(session, verified: false)
        let unsure = try site.capture(.selfie, in: session, confirms: false)
        let waiting = try site.capture(.selfie, in: session)
        let refused = try site.session([.selfie])
        let lone = try site.capture(.selfie, in: refused)
        try site.answer(refused, verified: false)
        let cancelled = try site.session([.selfie])
        let abandoned = try site.capture(.selfie, in: cancelled, confirms: false)
        _ = try site.ledger.cancel(cancelled, CommandOptions())

        func purged() throws -> Set<CaptureID> {
            let dry = try site.ledger.purge(isDry: true)
            let last = try site.ledger.lastPosition()
            let done = try site.ledger.purge()
            #expect(done.count == dry.count && done.bytes == dry.bytes && done.items == dry.items)
            #expect(try site.ledger.lastPosition() == last + Int64(done.count))
            #expect(done.items.allSatisfy { $0.bytes > 0 })
            for item in done.items {
                #expect(try !site.holds(item.capture))
                let event = try #require(try site.ledger.timeline(item.session).last { $0.captureID == item.capture })
                #expect(event.type == "media_purged" && event.reason == "retention_\(item.status.rawValue)")
                #expect(try site.ledger.proveDeleted(capture: item.capture).isProved)
            }
            return Set(done.items.map(\.capture))
        }
        #expect(try purged() == [])
        site.clock.advance(3_600_000)
        #expect(try purged() == [unsure, dark])
        site.clock.advance(11 * 3_600_000)
        #expect(try purged() == [lone])
        site.clock.advance(Self.day)
        #expect(try purged() == [abandoned])
        site.clock.advance(28 * Self.day)
        #expect(try purged() == [])
        site.clock.advance(2 * Self.day)
        #expect(try purged() == [front])
        // it was never answered: it goes when it was
        site.clock.advance(400 * Self.day)
        #expect(try purged() == [] && site.holds(waiting))
        #expect(try !site.ledger.proveDeleted(capture: waiting).isProved)
        #expect { _ = try site.ledger.openMedia(front) } throws: { ($0 as? LedgerError)?.code.rawValue == "media_gone" }

        // what was decided stays, and so do the proofs
        let view = try site.ledger.session(session)
        #expect(view.flow.pieces.first?.status == .verified && view.payloads.count == 1)
        let flow = try dump(site.ledger, "flow")
        _ = try site.ledger.rebuild()
        #expect(try dump(site.ledger, "flow") == flow)
        #expect(try site.ledger.doctor(fix: false).findings.allSatisfy { $0.severity == .note || $0.code == "backup_never" })
        site.ledger.closeAndWait()
        try Oracle.findsNothingWrong(site.temporary.path)
    }

    @Test func `what was purged between a backup and its increment is not restored, and in the backup alone it was`() throws {
        let site = try Site(#"{ status: "cancelled", after: "1d" }"#)
        let session = try site.session([.selfie])
        let abandoned = try site.capture(.selfie, in: session, confirms: false)
        let kept = try site.capture(.selfie, in: site.session([.selfie]))
        _ = try site.ledger.cancel(session, CommandOptions())
        let (base, increment) = (site.temporary.folder + "/base", site.temporary.folder + "/increment")
        _ = try site.ledger.backup(to: base)
        site.clock.advance(2 * Self.day)
        #expect(try site.ledger.purge().items.map(\.capture) == [abandoned])
        _ = try site.ledger.backup(to: increment, since: .backup(base))
        for (increments, isThere) in [([], true), ([increment], false)] {
            var options = RestoreOptions()
            options.clock = LedgerClock { [clock = site.clock] in clock.now }
            options.increments = increments
            let path = "\(site.temporary.folder)/restored-\(increments.count)"
            let restored = try Site.open(try Ledger.restore(from: base, to: path, options: options).folder, site.clock)
            defer { restored.closeAndWait() }
            #expect(try restored.holdsMedia(of: abandoned) == isThere)
            #expect(try restored.holdsMedia(of: kept))
        }
    }

    @Test func `F21 S80 after a purge no file has a marker, an original or its crop, whatever became of the capture`() throws {
        let site = try Site(#"{ status: "any", after: 0 },"#)
        let folder = site.temporary.folder
        let success = try Marked("passport-front.jpg", in: folder)
        let rejection = try Marked("selfie.jpg", in: folder)
        let session = try site.session()
        let verified = try site.capture(.passportFront, in: session, success)
        try site.answer(session, verified: true)
        let rejected = try site.capture(.selfie, in: session, rejection)
        try site.answer(session, verified: false)
        let key = try site.ledger.sessionKey(session)
        // a crash between sealing and its event, and one while sealing
        let crashed = ObjectID(Identifiers.fresh(atMilliseconds: 1))
        _ = try site.ledger.keys.write(.media, crashed, key: key, success.bytes)
        let staged = site.temporary.path + "/media/staging/" + Identifiers.fresh(atMilliseconds: 2).text
        try FileDescriptor(opening: staged, .createNew).write(Array(repeating: 7, count: 100))
        var sealed: [[UInt8]] = []
        for id in [verified.text, rejected.text, crashed.text] {
            sealed.append(Array(try readFile("\(site.temporary.path)/media/\(id.suffix(2))/\(id)")[40_000..<40_032]))
        }
        for media in [success, rejection] { try FileSystem.remove(media.path) }
        // positive control: what is looked for is there
        for part in sealed { #expect(try files(under: [folder], holding: [part]).count == 1) }

        let report = try site.ledger.purge()
        #expect(report.count == 2)
        #expect(Set(report.findings.map(\.code)) == ["staging_left", "orphan_file"] && report.findings.allSatisfy(\.fixed))
        #expect(try files(under: [folder], holding: sealed + [success.marker, rejection.marker]) == [])
        #expect(try tree(site.temporary.path + "/media") == [])
        let captured = try site.ledger.timeline(session).filter { $0.type == "piece_captured" }
        #expect(captured.count == 2 && captured.allSatisfy { $0.facts.contains("commitment") })
    }

    @Test func `a process killed anywhere in a purge leaves no file whose destruction is on record once it is opened again`()
        async throws
    {
        var random = SeededRandom(seed: SeededRandom.seed(for: "killed purge"))
        var begun = 0
        for _ in 0..<5 {
            let site = try Site(#"{ status: "cancelled", after: 0 },"#)
            var captures: [CaptureID] = []
            for _ in 0..<3 {
                let session = try site.session([.selfie])
                captures.append(try site.capture(.selfie, in: session, confirms: false))
                _ = try site.ledger.cancel(session, CommandOptions())
            }
            site.clock.advance(1_000)
            site.ledger.closeAndWait()
            let (path, now) = (site.temporary.path, site.clock.now)
            let delay = UInt32.random(in: 0...12_000, using: &random)
            await #expect(processExitsWith: .signal(9)) {
                [path = path as String, now = now as Int64, delay = delay as UInt32] in
                var options = LedgerOptions()
                options.clock = LedgerClock { now }
                let ledger = try Ledger.open(folder: path, options: options)
                let killer = Task.detached {
                    usleep(delay)
                    kill(getpid(), SIGKILL)
                }
                _ = try ledger.purge()
                await killer.value
            }
            try site.reopen()
            let events = try site.ledger.events(after: 0, limit: 1_000).filter { $0.type == "media_purged" }
            begun += events.isEmpty ? 0 : 1
            for event in events { #expect(try !site.holds(try #require(event.captureID))) }
            #expect(try dump(site.ledger, "media_destruction") == [])
            _ = try site.ledger.purge()
            for capture in captures { #expect(try site.ledger.proveDeleted(capture: capture).isProved) }
            #expect(try site.ledger.doctor(fix: false).findings.allSatisfy { $0.severity == .note })
        }
        print("killed purge: \(begun) of 5 had begun")
    }

    @Test func `the step between the event and the file is made good by the next opening`() throws {
        let site = try Site(#"{ status: "cancelled", after: 0 },"#)
        let session = try site.session([.selfie])
        let capture = try site.capture(.selfie, in: session, confirms: false)
        _ = try site.ledger.cancel(session, CommandOptions())
        site.clock.advance(1)
        let file = "\(site.temporary.path)/media/\(capture.text.suffix(2))/\(capture.text)"
        let sealed = try readFile(file)
        _ = try site.ledger.purge()
        // as a crash leaves it: the event and the note are durable, the file is there
        try FileDescriptor(opening: file, .createNew).write(sealed)
        try site.ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
            try translated { () throws(StorageError) in
                let number = try context.reader.session(session)?.number ?? 0
                try context.writer.insertMediaDestruction(capture, session: number)
            }
            return .success(())
        }
        #expect(try !site.ledger.proveDeleted(capture: capture).isProved)
        try site.reopen()
        #expect(try FileStatus.of(file) == nil)
        #expect(try site.ledger.proveDeleted(capture: capture).isProved)
    }

    @Test func `a session in its undo window keeps everything, and a worker's share goes on where it ended`() throws {
        let site = try Site(#"{ status: "any", after: "1d" },"#)
        var sessions: [(SessionID, CaptureID)] = []
        for _ in 0..<3 {
            let session = try site.session([.selfie])
            sessions.append((session, try site.capture(.selfie, in: session, confirms: false)))
        }
        #expect(try site.ledger.purgeSome().count == 0)
        site.clock.advance(2 * Self.day)
        _ = try site.ledger.requestErasure(sessions[1].0, window: 5 * Self.day)
        #expect(try Set(site.ledger.purgeSome().items.map(\.capture)) == [sessions[0].1, sessions[2].1])
        #expect(try site.holds(sessions[1].1))
        #expect(try site.ledger.purgeSome().count == 0)
        _ = try site.ledger.withdrawErasure(sessions[1].0)
        #expect(try site.ledger.purgeSome().items.map(\.capture) == [sessions[1].1])
        // an original that is lost before it was confirmed is asked for again
        #expect(try site.ledger.session(sessions[1].0).flow.currentPiece == .selfie)
        // where another run stopped
        try site.ledger.writer.writeAndWait { (context) throws(LedgerError) -> Result<Void, LedgerError> in
            try translated { () throws(StorageError) in try context.writer.setRetentionCursor(1) }
            return .success(())
        }
        #expect(try site.ledger.purgeSome().sessions == 2)
        #expect(try site.ledger.purgeSome().sessions == 3)
    }
}
