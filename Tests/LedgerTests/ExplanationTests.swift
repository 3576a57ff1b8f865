import DeliveryMachine
import EventCoding
import EventStorage
import Outbox
import SQLite
import SessionDomain
import Synchronization
import Testing

@testable import CaptureLedger

/// F6: why something is where it is, since when, what happens next, whose turn it is, with which command.
@Suite struct ExplanationTests {
    @Test func `F6 explain says whose turn it is, why, since when and with which command`() throws {
        let now = Mutex<Int64>(1_790_000_000_000)
        // sessions of one ledger, one ledger a judge
        var stages: [String: Stage] = [:]
        for wanted in Case.all {
            let stage =
                try stages[wanted.judge] ?? Stage(Case.answers[wanted.judge] ?? .passed, now: { now.withLock { $0 } })
            stages[wanted.judge] = stage
            try wanted.arrange(stage)
            let since = now.withLock { $0 }
            now.withLock { $0 += 60_000 }
            let told = try #require(try stage.ledger.explanation(of: stage.session))
            let situation =
                wanted.piece.flatMap { piece in told.pieces.first { $0.view.piece == piece }?.situation } ?? told.situation
            let name = Comment(rawValue: "\(wanted.name): \(situation)")
            #expect(situation.who == wanted.who, name)
            #expect(situation.why.contains(wanted.why), name)
            #expect(wanted.next.isEmpty || situation.next.contains(wanted.next), name)
            if wanted.isNow { #expect(situation.sinceMilliseconds == since, name) }
            #expect(situation.commands == wanted.commands.map { $0.replacing("ID", with: stage.session.text) }, name)
            // an operator is always told what to do
            if situation.who == .operator { #expect(!situation.commands.isEmpty || situation.code != nil, name) }
            for text in [situation.why, situation.next] { #expect(text.hasSuffix("."), name) }
        }
    }

    @Test func `a capture is explained by what became of it, and a replaced one by what replaced it`() throws {
        let stage = try Stage(.failed(.glare), now: { 1_790_000_000_000 })
        try stage.start([.passportFront])
        let first = try stage.capture(.passportFront, "passport-front.jpg")
        guard case .capture(let failed)? = try stage.ledger.explain(first.uuid) else { throw Unexplained() }
        #expect(
            failed.isLatest && failed.situation.who == .user && failed.situation.why.hasPrefix("It did not pass its checks."))
        #expect(failed.situation.commands == ["capture \(stage.session.text) passport_front FILE"])
        let second = try stage.capture(.passportFront, "passport-front-retake.jpg")
        guard case .capture(let replaced)? = try stage.ledger.explain(first.uuid),
            case .capture(let latest)? = try stage.ledger.explain(second.uuid)
        else { throw Unexplained() }
        #expect(!replaced.isLatest && replaced.situation.who == .nobody && latest.isLatest)
        #expect(replaced.situation.why == "A newer capture of passport_front took its place.")
        #expect(try stage.ledger.explain(UUID128(high: 1, low: 2)) == nil)
    }

    @Test func `what holds a delivery up is told in one place, with the time at which it goes on`() throws {
        let now: Int64 = 1_790_000_000_000
        let stage = try Stage(.passed, now: { now })
        try stage.start([.selfie]) { $0.checks = .off }
        _ = try stage.capture(.selfie, "selfie.jpg", confirm: true)
        let row = try #require(try stage.ledger.deliveries(of: stage.session).first)
        func told(_ change: (inout DeliveryStanding.Entry) -> Void, pausedAt: Int64? = nil) -> Situation {
            var around = DeliverySurroundings()
            around.entry = DeliveryStanding.Entry(destination: "verifier")
            around.entry?.isConfigured = true
            around.sessionPausedAtMilliseconds = pausedAt
            if var entry = around.entry {
                change(&entry)
                around.entry = entry
            }
            return Situation(row, around, now: now)
        }
        func paused(_ reason: Explanation, probe: Int64?) -> Situation {
            told { $0.state.pause = DestinationPause(reason: reason, sinceMilliseconds: 7, probeAtMilliseconds: probe) }
        }
        let due = told { _ in }
        #expect(due.who == .worker && due.atMilliseconds == now && due.commands == ["sync"])
        let person = paused(OutboxWriter.pausedByOperator, probe: nil)
        #expect(person.who == .operator && person.sinceMilliseconds == 7 && person.commands == ["sync resume verifier"])
        let token = paused(.unauthorized, probe: nil)
        #expect(token.commands == ["config check", "sync probe verifier"] && token.next.contains("token"))
        let portal = paused(.contractBreak, probe: now + 900_000)
        #expect(portal.atMilliseconds == now + 900_000 && portal.next.hasPrefix("One delivery goes through at"))
        let breaker = told {
            $0.state.breaker = Breaker(untilMilliseconds: now + 5_000, openings: 1)
        }
        #expect(breaker.who == .worker && breaker.atMilliseconds == now + 5_000)
        let session = told({ _ in }, pausedAt: 9)
        #expect(session.who == .operator && session.sinceMilliseconds == 9)
        #expect(session.commands == ["sync resume --session \(stage.session.text)"])
        let unknown = Situation(row, DeliverySurroundings(), now: now)
        #expect(unknown.who == .operator && unknown.commands == ["config check"] && unknown.code == "no_destination")
    }
}

private struct Unexplained: Error {}

/// One session in some state.
private final class Stage {
    let temporary: TemporaryLedger
    var ledger: Ledger { temporary.ledger }
    private(set) var session = SessionID(UUID128(high: 0, low: 0))

    init(_ answer: ScriptedJudge.Answer, now: @escaping @Sendable () -> Int64) throws {
        temporary = try TemporaryLedger(clock: LedgerClock(nowMilliseconds: now), judge: ScriptedJudge(answer))
    }

    func start(_ pieces: [Piece], _ configure: (inout CaptureConfiguration) -> Void = { _ in }) throws {
        session = try temporary.start(pieces, configure)
    }

    @discardableResult
    func capture(_ piece: Piece, _ file: String, confirm: Bool = false) throws -> CaptureID {
        guard case .captured(let id, _) = try temporary.capture(piece, file, session, source: .file, confirm: confirm).outcome
        else { throw Unexplained() }
        return id
    }

    /// A selfie that was confirmed, and what became of it.
    func selfie(_ pieces: [Piece] = [.selfie], _ configure: (inout CaptureConfiguration) -> Void = { _ in }) throws {
        try start(pieces) {
            $0.checks = .off
            configure(&$0)
        }
        try capture(.selfie, "selfie.jpg", confirm: true)
    }

    func park(_ cause: String) throws {
        let row = try #require(try ledger.deliveries(of: session).first)
        let parking = ParkDelivery(
            deliveryID: row.id, piece: .selfie, captureID: row.capture, destination: row.destination, cause: cause,
            evidence: nil,
            attempts: 25)
        _ = try ledger.perform(.parkDelivery(parking), "park", [], session, CommandOptions())
    }

    func answer(_ outcome: AnswerOutcome) throws {
        let row = try #require(try ledger.deliveries(of: session).first)
        let answer = ApplyAnswer(
            deliveryID: row.id, piece: .selfie, captureID: row.capture, destination: row.destination, outcome: outcome,
            score: nil,
            drop: [], evidence: nil, attempts: 1, secret: nil)
        _ = try ledger.perform(.applyAnswer(answer), "answer", [], session, CommandOptions())
    }

    func execute(_ statement: String) throws {
        let raw = try Connection(path: ledger.files.database, mode: .write)
        try raw.execute(statement)
    }
}

private struct Case: Sendable {
    let name: String
    /// What the judge says, by name.
    var judge = "passed"
    let arrange: @Sendable (Stage) throws -> Void
    /// nil: the session as a whole.
    var piece: Piece?
    let who: Situation.Who
    let why: String
    var next = ""
    var commands: [String] = []
    /// It came to be so in the last thing that was done.
    var isNow = true

    static let answers: [String: ScriptedJudge.Answer] = [
        "passed": .passed, "glare": .failed(.glare), "no decoder": .fault(ScriptedJudge.noDecoder),
        "not ready": .fault(ScriptedJudge.notReady),
    ]

    static let all: [Case] = capturing + checking + delivering + over

    private static let capturing: [Case] = [
        Case(
            name: "nothing captured", arrange: { try $0.start([.selfie, .passportFront]) }, who: .user,
            why: "selfie: It has not been captured yet.", commands: ["capture ID selfie FILE"]),
        Case(
            name: "not its turn", arrange: { try $0.start([.selfie, .passportFront]) }, piece: .passportFront, who: .user,
            why: "It is not its turn yet: selfie comes first."),
        Case(
            name: "nothing captured, with a deadline",
            arrange: { try $0.start([.selfie]) { $0.deadlineMilliseconds = 3_600_000 } },
            who: .user, why: "not been captured", next: "the session expires", commands: ["capture ID selfie FILE"]),
        Case(
            name: "the last file was refused",
            arrange: { stage in
                try stage.start([.selfie])
                _ = try stage.temporary.capture(.selfie, "hologram.mp4", stage.session, source: .file)
            }, piece: .selfie, who: .user, why: "The last file was not taken in:", commands: ["capture ID selfie FILE"]),
        Case(
            name: "set aside",
            arrange: { stage in
                try stage.start([.selfie]) { $0.checks = .off }
                try stage.capture(.selfie, "selfie.jpg")
                _ = try stage.ledger.retake(.selfie, in: stage.session, CommandOptions())
            }, piece: .selfie, who: .user, why: "set aside", commands: ["capture ID selfie FILE"]),
        Case(
            name: "waits to be confirmed, without checks",
            arrange: { stage in
                try stage.start([.selfie]) { $0.checks = .off }
                try stage.capture(.selfie, "selfie.jpg")
            }, piece: .selfie, who: .user, why: "It was captured and waits to be confirmed.",
            commands: ["confirm ID selfie", "retake ID selfie"]),
        Case(
            name: "waits to be confirmed, checked",
            arrange: { stage in
                try stage.start([.selfie])
                try stage.capture(.selfie, "selfie.jpg")
            }, piece: .selfie, who: .user, why: "waits to be confirmed. It passed its checks.",
            commands: ["confirm ID selfie", "retake ID selfie"]),
        Case(
            name: "a hologram's recording", arrange: { try $0.start([.hologram]) }, piece: .hologram, who: .user,
            why: "not been captured", commands: ["hologram start ID", "capture ID hologram FILE"]),
        Case(
            name: "suspended",
            arrange: { stage in
                try stage.start([.selfie])
                _ = try stage.ledger.suspend(stage.session, CommandOptions())
            }, who: .user, why: "The session is suspended.", next: "First the session is resumed.",
            commands: ["session resume ID", "capture ID selfie FILE"], isNow: false),
    ]

    private static let checking: [Case] = [
        Case(
            name: "required, not checked yet", judge: "no decoder",
            arrange: { stage in
                try stage.start([.selfie])
                try stage.capture(.selfie, "selfie.jpg", confirm: true)
            }, piece: .selfie, who: .operator, why: "waits for its checks, which come before it can be confirmed",
            next: "it is confirmed by itself", commands: ["check --pending"]),
        Case(
            name: "required, not checked yet, reviewed", judge: "no decoder",
            arrange: { stage in
                try stage.start([.selfie])
                try stage.capture(.selfie, "selfie.jpg")
            }, piece: .selfie, who: .operator, why: "waits for its checks", next: "it can be confirmed",
            commands: ["check --pending"]),
        Case(
            name: "deferred, not confirmed",
            arrange: { stage in
                try stage.start([.selfie]) { $0.checks = .deferred }
                try stage.capture(.selfie, "selfie.jpg")
            }, piece: .selfie, who: .user, why: "waits to be confirmed. Its checks come before it is sent.",
            commands: ["confirm ID selfie", "retake ID selfie"]),
        Case(
            name: "deferred, confirmed",
            arrange: { stage in
                try stage.start([.selfie]) { $0.checks = .deferred }
                try stage.capture(.selfie, "selfie.jpg", confirm: true)
            }, piece: .selfie, who: .operator, why: "It was confirmed and waits for its checks",
            next: "When it passes it is sent",
            commands: ["check --pending"]),
        Case(
            name: "failed its checks", judge: "glare",
            arrange: { stage in
                try stage.start([.selfie])
                try stage.capture(.selfie, "selfie.jpg", confirm: true)
            }, piece: .selfie, who: .user, why: "It did not pass its checks.", commands: ["capture ID selfie FILE"]),
        Case(
            name: "no scanner", judge: "not ready",
            arrange: { stage in
                try stage.start([.selfie])
                try stage.capture(.selfie, "selfie.jpg", confirm: true)
            }, piece: .selfie, who: .operator, why: "No scanner was ready", next: "Once a scanner works",
            commands: ["doctor", "check --pending", "capture ID selfie FILE"]),
    ]

    private static let delivering: [Case] = [
        Case(
            name: "no destination", arrange: { try $0.selfie() }, piece: .selfie, who: .operator,
            why: "the settings name no such destination", commands: ["config check"]),
        Case(
            name: "the host's own verifier",
            arrange: { try $0.selfie { $0.destinations = [.selfie: CaptureConfiguration.host] } },
            piece: .selfie, who: .host, why: "the verifier in the host's program", next: "no sync sends it"),
        Case(
            name: "a hologram without its transaction",
            arrange: { stage in
                try stage.start([.hologram]) { $0.checks = .off }
                _ = try stage.ledger.startHologram(stage.session, CommandOptions())
                try stage.capture(.hologram, "hologram.mp4", confirm: true)
            }, who: .host, why: "hologram: It waits for the hologram's transaction",
            commands: ["hologram bind ID --transaction-id T"]),
        Case(
            name: "its session's deliveries are paused",
            arrange: { stage in
                try stage.selfie()
                _ = try stage.ledger.pauseDeliveries(of: stage.session)
            }, piece: .selfie, who: .operator, why: "a person paused its session", commands: ["sync resume --session ID"]),
        Case(
            name: "rejected",
            arrange: { stage in
                try stage.selfie()
                try stage.answer(.rejected)
            }, who: .user, why: "selfie: The verifier rejected it", commands: ["capture ID selfie FILE"]),
        Case(
            name: "verified beside one to capture",
            arrange: { stage in
                try stage.selfie([.selfie, .passportFront])
                try stage.answer(.verified)
            }, piece: .selfie, who: .nobody, why: "It is verified."),
        Case(
            name: "its video was destroyed unanswered",
            arrange: { stage in
                try stage.selfie()
                try stage.park("media_destroyed")
            }, piece: .selfie, who: .user, why: "Its original no longer exists.", commands: ["capture ID selfie FILE"]),
        Case(
            name: "its original was purged",
            arrange: { stage in
                try stage.start([.selfie]) { $0.checks = .off }
                let capture = try stage.capture(.selfie, "selfie.jpg")
                let purge = PurgeMedia(piece: .selfie, captureID: capture, cause: "retention", bytes: 1, commitment: nil)
                _ = try stage.ledger.perform(.purgeMedia(purge), "purge", [], stage.session, CommandOptions())
            }, piece: .selfie, who: .user, why: "Its original no longer exists.", commands: ["capture ID selfie FILE"]),
    ]

    private static let over: [Case] = [
        Case(
            name: "cancelled",
            arrange: { stage in
                try stage.selfie([.selfie, .passportFront])
                _ = try stage.ledger.cancel(stage.session, CommandOptions())
            }, who: .nobody, why: "The host called it off.", next: "Nothing."),
        Case(
            name: "cancelled, its piece",
            arrange: { stage in
                try stage.selfie([.selfie, .passportFront])
                _ = try stage.ledger.cancel(stage.session, CommandOptions())
            }, piece: .passportFront, who: .nobody, why: "The session is over (cancelled)", isNow: false),
        Case(
            name: "exited with nothing",
            arrange: { stage in
                try stage.start([.selfie])
                _ = try stage.ledger.exit(stage.session, CommandOptions())
            }, who: .nobody, why: "The user backed out (before any capture).", next: "Nothing, unless it is resumed.",
            commands: ["session resume ID"]),
        Case(
            name: "exited with a delivery",
            arrange: { stage in
                try stage.selfie([.selfie, .passportFront])
                _ = try stage.ledger.exit(stage.session, CommandOptions())
            }, who: .operator, why: "what was confirmed is kept. selfie: It waits",
            commands: ["config check", "session resume ID"]),
        Case(
            name: "completed",
            arrange: { stage in
                try stage.selfie()
                try stage.answer(.verified)
            }, who: .nobody, why: "Every piece is verified.", next: "Nothing is left to do."),
        Case(
            name: "erased",
            arrange: { stage in
                try stage.selfie([.selfie, .passportFront])
                _ = try stage.ledger.erase(stage.session)
            }, who: .nobody, why: "It was erased", next: "Nothing."),
        Case(
            name: "about to be erased",
            arrange: { stage in
                try stage.selfie([.selfie, .passportFront])
                try stage.requestErasure(dueAt: 1_790_600_000_000)
            }, who: .nobody, why: "Its erasure was asked for", next: "unless the request is withdrawn",
            commands: ["erase --undo ID"]),
        Case(
            name: "about to be erased, its piece",
            arrange: { stage in
                try stage.selfie([.selfie, .passportFront])
                try stage.requestErasure(dueAt: 1_790_600_000_000)
            }, piece: .selfie, who: .nobody, why: "Its erasure was asked for", commands: ["erase --undo ID"]),
        Case(
            name: "newer version",
            arrange: { stage in
                try stage.start([.selfie])
                try stage.appendUnknown()
            }, who: .operator, why: "a newer version wrote", next: "until this program is updated"),
        Case(
            name: "newer version, its piece",
            arrange: { stage in
                try stage.start([.selfie])
                try stage.appendUnknown()
            }, piece: .selfie, who: .operator, why: "a newer version wrote"),
    ]
}

/// Parked, cause by cause: who acts is what `docs/operations.md` says.
@Suite struct ParkedExplanationTests {
    @Test func `a parked delivery names its cause, who acts and how`() throws {
        let stage = try Stage(.passed, now: { 1_790_000_000_000 })
        for (cause, who, command) in [
            ("failed_permanently", Situation.Who.operator, "sync requeue"), ("refused_by_endpoint", .operator, "sync requeue"),
            ("contract_break", .operator, "sync requeue"), ("quarantined", .operator, "sync requeue"),
            ("key_reused", .operator, "sync explain"), ("media_unreadable", .operator, "sync requeue"),
            ("media_destroyed", .user, "capture"), ("media_expired", .user, "capture"),
            ("some_new_cause", .operator, "sync requeue"),
        ] {
            try stage.selfie()
            try stage.park(cause)
            let row = try #require(try stage.ledger.deliveries(of: stage.session).first)
            let told = try stage.ledger.explanation(of: row)
            #expect(told.situation.who == who && told.situation.code == cause, "\(cause)")
            #expect(told.situation.why.hasPrefix("It was given up: ") && !told.situation.why.contains("_"), "\(cause)")
            #expect(told.situation.commands.first?.hasPrefix(command) == true, "\(cause)")
            #expect(told.situation.sinceMilliseconds == 1_790_000_000_000)
            let piece = try #require(try stage.ledger.explanation(of: stage.session)?.pieces.first)
            #expect(piece.situation.who == who, "\(cause): \(piece.situation)")
        }
    }
}

extension Stage {
    /// As a newer version would.
    fileprivate func appendUnknown() throws {
        let connection = try EventDatabase.openForWriting(ledger.files.database)
        let row = try #require(try EventReader(connection).session(session))
        let writer = try EventWriter(connection, ledgerID: ledger.ledgerID)
        _ = try writer.begin()
        let time = ledger.clock.nowMilliseconds()
        let event = EncodedEvent(
            type: 99, schemaVersion: 1, piece: 3, captureID: nil, source: nil, outcome: nil, reason: nil,
            durationMilliseconds: nil,
            facts: "{}")
        try writer.append(
            NewEvent(
                eventID: Identifiers.fresh(atMilliseconds: time), encoded: event, occurredAtMilliseconds: nil, flags: [],
                commandID: "newer", correlationID: nil, causationPosition: nil, actor: nil, sealed: nil),
            session: session, number: row.number, version: 2, recordedAtMilliseconds: time)
        try writer.commit(atMilliseconds: time)
    }

    /// As an erasure that can still be withdrawn.
    fileprivate func requestErasure(dueAt due: Int64) throws {
        let number = try ledger.read { (context) throws(LedgerError) in
            try translated { () throws(StorageError) in try context.events.session(session)?.number ?? 0 }
        }
        let now = ledger.clock.nowMilliseconds()
        try execute("INSERT INTO erasure_request VALUES (\(number), 1, \(now), \(due))")
    }
}
